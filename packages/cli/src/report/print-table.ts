import { printable } from '@octavo/model'

/** Formats a table. Control characters are replaced, because users typed some of the text. */
export function printTable(texts: readonly (readonly string[])[]): readonly string[] {
  const rows = texts.map((row) => row.map(printable))
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Prints the time in UTC, to the minute. */
export const printTime = (iso: string) => iso.slice(0, 16).replace('T', ' ')
