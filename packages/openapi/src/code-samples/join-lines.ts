/** What a printer writes: lines, lists of lines, and nothing where a part of a request is missing. */
export type Lines = string | undefined | readonly Lines[]

export function joinLines(...lines: readonly Lines[]): string {
  return flat(lines).join('\n')
}

function flat(lines: Lines): readonly string[] {
  if (lines === undefined) return []
  return typeof lines === 'string' ? [lines] : lines.flatMap(flat)
}
