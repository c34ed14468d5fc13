/**
 * Thrown if an export cannot continue. The message says what to do and is all that is printed.
 */
export class ExportError extends Error {}
