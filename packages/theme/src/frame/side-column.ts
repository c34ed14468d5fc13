/**
 * Moves examples and panels out of the text into one side column, in order. On narrow screens, the
 * column is where the first of them was.
 */
export type SplitContent = {
  /** The content before the first example or panel; empty if the text cannot be split there. */
  readonly before: string
  readonly after: string
  readonly side: string
}

const PIECE = /<aside class="oct-(?:panel|example)[ "]/g
const TAG = /<(\/?)aside[ >]/g

/**
 * Splits the content. Tags can be counted without a parser, because text is escaped and therefore
 * never contains `<aside`.
 */
export function splitSide(html: string): SplitContent {
  let content = ''
  let side = ''
  let from = 0
  let first: number | undefined
  for (;;) {
    PIECE.lastIndex = from
    const piece = PIECE.exec(html)
    const end = piece === null ? -1 : endOfAside(html, piece.index)
    if (piece === null || end < 0) break
    content += html.slice(from, piece.index)
    first ??= piece.index
    side += html.slice(piece.index, end)
    from = end
  }
  content += html.slice(from)
  const at = first !== undefined && isBetweenBlocks(html, first) ? first : 0
  return { before: content.slice(0, at), after: content.slice(at), side }
}

const ANY_TAG = /<(\/?)([a-z][\w-]*)[^>]*?(\/?)>/gi
const EMPTY_TAG = /^(?:area|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

/** Checks that a position is not inside a component, where a split would break the page. */
function isBetweenBlocks(html: string, end: number): boolean {
  let depth = 0
  ANY_TAG.lastIndex = 0
  for (let tag = ANY_TAG.exec(html); tag !== null && tag.index < end; tag = ANY_TAG.exec(html)) {
    const [, closes, name = '', isEmpty] = tag
    if (closes === '/') depth -= 1
    else if (isEmpty !== '/' && !EMPTY_TAG.test(name)) depth += 1
  }
  return depth === 0
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
