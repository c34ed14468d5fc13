/**
 * Checks that a drawing has every word of its source. The library skips lines that it does not
 * know, and nothing that an author wrote may disappear.
 */

const KEYWORDS = new Set(
  `flowchart graph stateDiagram v2 classDiagram erDiagram TD TB BT LR RL subgraph end direction state as note
  class namespace`.split(/\s+/),
)
const WORD = /[\p{L}\p{N}]+/gu
const COMMENT = /^\s*%%.*$/gm
const MARKUP = /<\/?\w{1,10}[^<>]{0,40}>|<<(?:fork|join|choice)>>/g
/** The ends of lines between entities and between nodes, which are letters in some cases. */
const LINE_ENDS =
  /[|}o]{1,2}(?:--|\.\.)[|{o]{1,2}|(?<=\s)[xo](?=--|==|-\.)|(?<=--|==|\.-)[xo](?=\s)/g
/** The side of a note: `right of`. */
const SIDE = /\b(?:right|left)\s+of\b/g
/** An id whose label is drawn in its place: `id[label]`, `"label" as id` or `id: label`. */
const LABELED = [
  /([\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*)\s*(?=[[({])/gu,
  /"[^"\n]*"\s+as\s+([\p{L}\p{N}_-]+)/gu,
  /^\s*([\p{L}\p{N}_-]+)\s*:(?!:)/gmu,
]

export function isWhole(source: string, svg: string): boolean {
  const shown = new Set(words(decode(svg.replaceAll(/<[^>]*>/g, ' '))))
  const written = decode(
    source
      .replaceAll(COMMENT, '')
      .replaceAll(LINE_ENDS, ' ')
      .replaceAll(MARKUP, ' ')
      .replaceAll(SIDE, ' '),
  )
  const labeled = new Set(
    LABELED.flatMap((pattern) =>
      [...written.matchAll(pattern)].flatMap(([, id = '']) => words(id)),
    ),
  )
  const wanted = words(written).filter((word) => !KEYWORDS.has(word) && !labeled.has(word))
  return wanted.every((word) => shown.has(word))
}

function words(text: string): readonly string[] {
  return text.match(WORD) ?? []
}

function decode(text: string): string {
  const names: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }
  return text.replaceAll(/[&#](lt|gt|amp|quot|#?39);/g, (_, name: string) => names[name] ?? "'")
}
