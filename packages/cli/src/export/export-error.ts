/** An export that cannot continue; only the message is printed, and it says what to do. */
export class ExportError extends Error {}
