/** An edit to text, by offset. The text around it stays as the author wrote it. */
export type Edit = { readonly start: number; readonly end: number; readonly put: string }

/** Applies edits to text. If two edits overlap, only the first one is applied. */
export function applyEdits(
  text: string,
  edits: readonly Edit[],
): { readonly text: string; readonly count: number } {
  let result = ''
  let at = 0
  let count = 0
  for (const { start, end, put } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue
    result += text.slice(at, start) + put
    at = end
    count += 1
  }
  return { text: result + text.slice(at), count }
}
