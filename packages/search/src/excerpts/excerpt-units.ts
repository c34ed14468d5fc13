/**
 * Splits the Markdown of a section into the smallest parts that make sense alone: sentences, list
 * items, table rows and pieces of code. Skips parts that never answer a question: lone headings,
 * images, bare links, lists of links and lines with only a method and a path.
 */
import { type MarkdownBlock, markdownBlocks } from './markdown-blocks.ts'

export type ExcerptUnit = {
  readonly kind: 'sentence' | 'item' | 'row' | 'code'
  readonly text: string
  /** Units with the same number belong to the same block. */
  readonly block: number
  /**
   * The start of the block, such as a table's header or a code fence, repeated in every excerpt of
   * the block.
   */
  readonly opening: string
  /**
   * The sentence before a list, table or code block. An excerpt that starts in the block begins
   * with this sentence.
   */
  readonly lead: string
  /** The title of the question or accordion that contains the unit, shown above the unit. */
  readonly label: string
}

/** Maximum units of a section to consider; the rest of a longer section is not quoted. */
const UNITS_MAX = 600
/** Maximum characters of a lead; a longer sentence would take too much space. */
const LEAD_LENGTH_MAX = 200
/** Maximum lines and characters of a piece of code. */
const CODE = { lines: 10, length: 320 } as const

export function excerptUnits(markdown: string): readonly ExcerptUnit[] {
  const units: ExcerptUnit[] = []
  let label = ''
  let lead = ''
  for (const [block, found] of markdownBlocks(markdown).entries()) {
    if (units.length >= UNITS_MAX) break
    const text = withoutQuoteMarks(found.text)
    const title = labelOf(found.kind, text)
    if (title !== undefined) label = title
    const own = title === undefined ? unitsOf(found.kind, text) : []
    for (const unit of own)
      units.push({ ...unit, block, label, lead: unit.kind === 'sentence' ? '' : lead })
    const last = found.kind === 'text' ? (own.at(-1)?.text ?? '') : ''
    lead = last.length <= LEAD_LENGTH_MAX ? last : ''
  }
  return units.slice(0, UNITS_MAX)
}

type Part = Pick<ExcerptUnit, 'kind' | 'text' | 'opening'>

function unitsOf(kind: MarkdownBlock['kind'], text: string): readonly Part[] {
  switch (kind) {
    case 'heading':
      return []
    case 'code':
      return codeUnits(text)
    case 'table':
      return tableUnits(text)
    case 'list':
      return listUnits(text)
    case 'text':
      return sentences(text)
        .filter(hasStatement)
        .map((one) => ({ kind: 'sentence', text: one, opening: '' }))
  }
}

/** Removes the quote marks and the kind of a callout from its text. */
function withoutQuoteMarks(text: string): string {
  if (!text.startsWith('>')) return text
  return text
    .replaceAll(/^> ?/gm, '')
    .replace(/^\*\*(?:Note|Tip|Info|Warning|Danger|Check|Caution|Important)\*\*\s*/i, '')
    .trim()
}

/**
 * Returns the title in a line with nothing else, such as `**How long does it take?**` or `###
 * Limits`.
 */
function labelOf(kind: MarkdownBlock['kind'], text: string): string | undefined {
  if (kind === 'heading') return text.replace(/^#+\s+/, '').replaceAll('*', '')
  return kind === 'text' ? /^\*\*([^*\n]+)\*\*:?$/.exec(text.trim())?.[1] : undefined
}

/** Matches the end of a sentence, but not the period after `e.g.` and other abbreviations. */
const SENTENCE_END =
  /(?<!\b(?:e\.g|i\.e|etc|vs|approx|No|Inc|Ltd))(?<=[.!?](?:[)"'”’*_]{0,2}))\s+(?=[\p{Lu}\p{Lo}\d`*_["“(<])|(?<=[。！？])/u

function sentences(text: string): readonly string[] {
  return text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .split(/\n\n+/)
    .flatMap((paragraph) => paragraph.split(SENTENCE_END))
    .map((one) => one.trim())
}

const IMAGE = /!\[[^\]]*\]\([^)]*\)/g
const LINK = /\[[^\]]*\]\([^)]*\)/g
const ENDPOINT = /^[*`]*(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Webhook)[*`]*\s+[*`]*\S+[*`]*$/

/**
 * Returns false for text without a statement: images, lone links, a media type or an endpoint line.
 */
function hasStatement(text: string): boolean {
  const plain = text.replaceAll(IMAGE, '').trim()
  if (plain === '' || ENDPOINT.test(plain)) return false
  if (/^[\w.+-]+\/[\w.+-]+$/.test(plain)) return false
  const rest = plain
    .replaceAll(LINK, '')
    .replace(/^(?:[-*+]|\d+[.)])\s+/, '')
    .replace(/\b(?:see|also|learn|read|more|about|next|and|or|the|in)\b/gi, '')
  return /[\p{L}\p{N}]/u.test(rest)
}

function listUnits(text: string): readonly Part[] {
  const items: string[] = []
  for (const line of text.split('\n')) {
    const isItem = /^\s*(?:[-*+]|\d+[.)])\s/.test(line)
    if (isItem || items.length === 0) items.push(line)
    else items[items.length - 1] += `\n${line}`
  }
  return items
    .map((item) => item.trimEnd())
    .filter(hasStatement)
    .map((item) => ({ kind: 'item', text: item, opening: '' }))
}

function tableUnits(text: string): readonly Part[] {
  const [head = '', line = '', ...rows] = text.split('\n')
  return rows
    .filter((row) => row.trim() !== '')
    .map((row) => ({ kind: 'row', text: row, opening: `${head}\n${line}` }))
}

/** Splits long code at empty lines, or after a number of lines. */
function codeUnits(text: string): readonly Part[] {
  const lines = text.split('\n')
  const opening = (lines.shift() ?? '').trim()
  if (/^\s*(?:`{3,}|~{3,})\s*$/.test(lines.at(-1) ?? '')) lines.pop()
  const pieces: string[] = []
  let piece: string[] = []
  const flush = () => {
    if (piece.some((line) => line.trim() !== '')) pieces.push(piece.join('\n').trimEnd())
    piece = []
  }
  for (const line of lines) {
    const length = piece.join('\n').length + line.length
    const isFull = piece.length >= CODE.lines || length > CODE.length
    if (isFull || (line.trim() === '' && piece.length >= CODE.lines / 2)) flush()
    if (piece.length > 0 || line.trim() !== '') piece.push(line)
  }
  flush()
  return pieces.map((one) => ({ kind: 'code', text: one, opening }))
}
