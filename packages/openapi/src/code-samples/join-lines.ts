/** The output of a printer: lines, nested lists of lines, and undefined for omitted parts. */
export type Lines = string | undefined | readonly Lines[]

export function joinLines(...lines: readonly Lines[]): string {
  return flat(lines).join('\n')
}

function flat(lines: Lines): readonly string[] {
  if (lines === undefined) return []
  return typeof lines === 'string' ? [lines] : lines.flatMap(flat)
}
