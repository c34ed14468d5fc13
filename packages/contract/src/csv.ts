/** Includes full-width forms, which some spreadsheets also treat as the start of a formula. */
const FORMULA_START = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/

/**
 * Prints one line of CSV according to RFC 4180, and escapes text that a spreadsheet would run as a
 * formula. Other types of values are printed as JSON, and undefined as an empty field.
 */
export function printCsvLine(values: readonly unknown[]): string {
  return `${values.map(printField).join(',')}\r\n`
}

function printField(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = FORMULA_START.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
