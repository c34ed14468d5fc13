/**
 * Examples and panels stand beside the text where there is room. They are written where the author
 * put them; here they are taken out of the text, in order, so that they can share one column.
 */
export type SplitContent = { readonly content: string; readonly side: string }

const PIECE = /<aside class="oct-(?:panel|example)[ "]/g
const TAG = /<(\/?)aside[ >]/g

/** Text never holds `<aside`: it is escaped. So tags can be counted without parsing. */
export function splitSide(html: string): SplitContent {
  let content = ''
  let side = ''
  let from = 0
  for (;;) {
    PIECE.lastIndex = from
    const piece = PIECE.exec(html)
    const end = piece === null ? -1 : endOfAside(html, piece.index)
    if (piece === null || end < 0) break
    content += html.slice(from, piece.index)
    side += html.slice(piece.index, end)
    from = end
  }
  return { content: content + html.slice(from), side }
}

function endOfAside(html: string, start: number): number {
  let depth = 0
  TAG.lastIndex = start
  for (let tag = TAG.exec(html); tag !== null; tag = TAG.exec(html)) {
    depth += tag[1] === '/' ? -1 : 1
    if (depth === 0) return TAG.lastIndex
  }
  return -1
}
