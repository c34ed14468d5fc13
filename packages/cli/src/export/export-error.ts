/** An export that cannot go on; the message says what to do and is all that is printed. */
export class ExportError extends Error {}
