/**
 * Parses an answer into a tree of the few elements that the panel shows. An answer may contain
 * malicious text, so everything else becomes plain text: HTML is shown as written, images become
 * their alternative text, and only links to web pages stay links. The tree cannot express anything
 * else.
 */
import { cleanText } from '@octavo/model/clean-text'
import { type Inline, parseInline } from './parse-inline.ts'
import type { Site } from './safe-link.ts'

export type Block =
  | { readonly type: 'paragraph' | 'heading'; readonly children: readonly Inline[] }
  | { readonly type: 'code'; readonly label: string; readonly text: string }
  | {
      readonly type: 'list'
      /** The number of the first item; undefined for an unordered list. */
      readonly start: number | undefined
      readonly items: readonly (readonly Block[])[]
    }
  | { readonly type: 'quote'; readonly children: readonly Block[] }
  | { readonly type: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }

/** A block with its source text. A block whose source has not changed is not rendered again. */
export type SourcedBlock = { readonly source: string; readonly block: Block }

const ANSWER_LENGTH_MAX = 64_000
const DEPTH_MAX = 5
const CELLS_MAX = 20
const LABEL_LENGTH_MAX = 60

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$/
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( {0,3}(?:[-*+]|(\d{1,9})[.)]))(?:[ \t]+|$)/
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

export function parseAnswer(text: string, site: Site): readonly SourcedBlock[] {
  const lines = cleanText(text.slice(0, ANSWER_LENGTH_MAX)).split('\n')
  return new BlockReader(lines, { site, depth: 0 }).read()
}

type Place = { readonly site: Site; readonly depth: number }

class BlockReader {
  readonly #lines: readonly string[]
  readonly #place: Place
  #at = 0

  constructor(lines: readonly string[], place: Place) {
    this.#lines = lines
    this.#place = place
  }

  read(): readonly SourcedBlock[] {
    const blocks: SourcedBlock[] = []
    while (this.#at < this.#lines.length) {
      const from = this.#at
      const block = this.#next()
      const source = this.#lines.slice(from, this.#at).join('\n')
      if (block !== undefined) blocks.push({ source, block })
    }
    return blocks
  }

  #line(ahead = 0): string {
    return this.#lines[this.#at + ahead] ?? ''
  }

  /** Consumes lines as long as they belong to the block. */
  #take(belongs: (line: string) => boolean): readonly string[] {
    const from = this.#at
    while (this.#at < this.#lines.length && belongs(this.#line())) this.#at += 1
    return this.#lines.slice(from, this.#at)
  }

  #inside(lines: readonly string[]): readonly Block[] {
    const { site, depth } = this.#place
    if (depth >= DEPTH_MAX) return [this.#paragraph(lines)]
    return new BlockReader(lines, { site, depth: depth + 1 }).read().map(({ block }) => block)
  }

  #paragraph(lines: readonly string[]): Block {
    const text = lines.map((line) => line.trimStart()).join('\n')
    return { type: 'paragraph', children: parseInline(text.trimEnd(), this.#place.site) }
  }

  #next(): Block | undefined {
    const line = this.#line()
    if (line.trim() === '' || RULE.test(line)) {
      this.#at += 1
      return undefined
    }
    const fence = FENCE.exec(line)
    if (fence !== null) return this.#code(fence[1] ?? '', fence[2] ?? '')
    const heading = HEADING.exec(line)
    if (heading !== null) {
      this.#at += 1
      return { type: 'heading', children: parseInline(heading[1] ?? '', this.#place.site) }
    }
    if (QUOTE.test(line)) {
      const lines = this.#take((quoted) => QUOTE.test(quoted))
      return {
        type: 'quote',
        children: this.#inside(lines.map((quoted) => quoted.replace(QUOTE, ''))),
      }
    }
    if (ITEM.test(line)) return this.#list()
    if (line.includes('|') && TABLE_RULE.test(this.#line(1)) && this.#line(1).includes('-'))
      return this.#table()
    let isFirst = true
    return this.#paragraph(
      this.#take((next) => {
        const belongs = isFirst || !(next.trim() === '' || startsBlock(next))
        isFirst = false
        return belongs
      }),
    )
  }

  /** Reads up to the closing fence, or to the end of the answer so far. */
  #code(marks: string, info: string): Block {
    this.#at += 1
    const end = new RegExp(`^ {0,3}${marks[0]}{${marks.length},}[ \\t]*$`)
    const lines = this.#take((line) => !end.test(line))
    this.#at += 1
    const [language = '', ...words] = info.trim().split(/\s+/)
    const title = words.filter((word) => !/[={]/.test(word)).join(' ')
    return {
      type: 'code',
      label: (title || language).slice(0, LABEL_LENGTH_MAX),
      text: lines.join('\n'),
    }
  }

  #list(): Block {
    const first = ITEM.exec(this.#line())
    const isOrdered = first?.[2] !== undefined
    const items: (readonly Block[])[] = []
    while (this.#at < this.#lines.length) {
      const marker = ITEM.exec(this.#line())
      if (marker === null || (marker[2] !== undefined) !== isOrdered) break
      const start = this.#line().slice(marker[0].length)
      const indent = (marker[1] ?? '').length + 1
      this.#at += 1
      const more = this.#itemLines(indent)
      items.push(this.#inside([start, ...more]))
      // Empty lines may separate items.
      let blank = 0
      while (this.#at + blank < this.#lines.length && this.#line(blank).trim() === '') blank += 1
      if (blank > 0 && ITEM.test(this.#line(blank))) this.#at += blank
    }
    return { type: 'list', start: isOrdered ? Number(first?.[2]) : undefined, items }
  }

  /** Consumes the indented lines and the lines that continue the paragraph of a list item. */
  #itemLines(indent: number): readonly string[] {
    let isAfterBlank = false
    return this.#take((line) => {
      if (line.trim() === '') {
        const next = this.#lines.slice(this.#at + 1).find((one) => one.trim() !== '')
        isAfterBlank = true
        return next !== undefined && indentOf(next) >= Math.min(indent, 2) && !ITEM.test(next)
      }
      return indentOf(line) >= Math.min(indent, 2) || !(isAfterBlank || startsBlock(line))
    }).map((line) => line.slice(Math.min(indentOf(line), indent)))
  }

  #table(): Block {
    const head = this.#line()
    this.#at += 2
    const rows = this.#take((line) => line.includes('|') && line.trim() !== '')
    return { type: 'table', rows: [head, ...rows].map((row) => cells(row, this.#place.site)) }
  }
}

function startsBlock(line: string): boolean {
  return [FENCE, HEADING, QUOTE, ITEM, RULE].some((start) => start.test(line))
}

const indentOf = (line: string) => /^ */.exec(line)?.[0].length ?? 0

/** Splits a table row at bars that are not escaped. */
function cells(row: string, site: Site): readonly (readonly Inline[])[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/, CELLS_MAX)
    .map((cell) => parseInline(cell.trim().replaceAll('\\|', '|'), site))
}
