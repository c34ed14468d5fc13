/** Parses lines into blocks of other tools, with the text, code and blocks inside them. */
import { CONTENT_LIMITS } from '../tree/content-limits.ts'
import type { Hidden } from './hidden-text.ts'
import { type Opening, readOpening } from './openings.ts'
import {
  closesFence,
  dedent,
  INDENT,
  indentOf,
  isBlank,
  type Line,
  readFence,
  textStart,
  withoutListMarker,
} from './source-lines.ts'
import { endedBy, readTemplateTag } from './template-tags.ts'

type TextPiece = { readonly kind: 'text'; readonly line: Line }
/** A fenced code block; `lines` are as written, with the fences. */
export type CodePiece = { readonly kind: 'code'; readonly lines: readonly Line[] }
type QuotePiece = {
  readonly kind: 'quote'
  readonly lines: readonly Line[]
  readonly pieces: readonly Piece[]
}
export type Block = {
  readonly kind: 'block'
  readonly opening: Opening
  /** The indentation of the first line, in columns. */
  readonly indent: number
  /** The indentation in columns that the block adds to all pieces inside. */
  readonly inner: number
  /** All lines from the first to the last, as written. */
  readonly lines: readonly Line[]
  /** The first line, in which spaces replace the marker of a list item. */
  readonly first: Line
  /** The line that closes the block; undefined if it is missing. */
  readonly close: Line | undefined
  readonly isClosed: boolean
  readonly pieces: readonly Piece[]
}
export type Piece = TextPiece | CodePiece | QuotePiece | Block

export function parseBlocks(lines: readonly Line[], hidden: Hidden): readonly Piece[] {
  const ends = new Set(lines.map(({ text }) => endedBy(text.trim())))
  return new Reader({ lines, hidden, hasEnd: (name) => ends.has(name), depth: 0 }).read([])
}

type Closer = (text: string) => boolean

type Input = {
  readonly lines: readonly Line[]
  readonly hidden: Hidden
  readonly hasEnd: (name: string) => boolean
  readonly depth: number
}

const EMPTY: Line = { text: '', at: 0 }

class Reader {
  readonly #input: Input
  #at = 0
  #depth: number

  constructor(input: Input) {
    this.#input = input
    this.#depth = input.depth
  }

  /** Reads pieces up to a line that closes an enclosing block. */
  read(closers: readonly Closer[]): readonly Piece[] {
    const pieces: Piece[] = []
    const { lines, hidden } = this.#input
    for (let line = lines[this.#at]; line !== undefined; line = lines[this.#at]) {
      const text = line.text.trim()
      const isText = text !== '' && !hidden.isHidden(textStart(line))
      if (isText && closers.some((closes) => closes(text))) break
      pieces.push(this.#readPiece(line, text, closers))
    }
    return pieces
  }

  #readPiece(line: Line, text: string, closers: readonly Closer[]): Piece {
    const { lines, hidden, hasEnd } = this.#input
    const isText = text !== '' && !hidden.isHidden(textStart(line))
    const code = isText ? this.#readCode(line) : undefined
    if (code !== undefined) return code
    if (isText && this.#depth < CONTENT_LIMITS.foreignDepthMax) {
      if (text.startsWith('>')) return this.#readQuote()
      const [first, second] = [lines[this.#at + 1], lines[this.#at + 2]]
      const next = (first !== undefined && isBlank(first) ? second : first)?.text ?? ''
      const item = withoutListMarker(line).text
      const start = item.trim()
      const below = next.slice(Math.min(item.length - item.trimStart().length, indentOf(next)))
      const opening = readTemplateTag(start, hasEnd) ?? readOpening(start, below)
      if (opening !== undefined) return this.#readBlock(line, opening, closers)
    }
    this.#at += 1
    return { kind: 'text', line }
  }

  #readCode(line: Line): CodePiece | undefined {
    const { lines, hidden } = this.#input
    const start = this.#at
    if (hidden.codeEnd === undefined) {
      const fence = readFence(line.text)
      if (fence === undefined) return undefined
      this.#at += 1
      while (this.#at < lines.length && !closesFence(lines[this.#at]?.text ?? '', fence))
        this.#at += 1
      this.#at = Math.min(this.#at + 1, lines.length)
    } else {
      const end = hidden.codeEnd(textStart(line))
      if (end === undefined) return undefined
      while ((lines[this.#at]?.at ?? end) < end) this.#at += 1
    }
    return { kind: 'code', lines: lines.slice(start, this.#at) }
  }

  #readQuote(): QuotePiece {
    const { lines } = this.#input
    const start = this.#at
    while (lines[this.#at]?.text.trimStart().startsWith('>') === true) this.#at += 1
    const quoted = lines.slice(start, this.#at)
    const inner = quoted.map(({ text, at }) => {
      const mark = /^\s*> ?/.exec(text)?.[0].length ?? 0
      return { text: text.slice(mark), at: at + mark }
    })
    return { kind: 'quote', lines: quoted, pieces: this.#readInner(inner, this.#input.hidden) }
  }

  #readInner(lines: readonly Line[], hidden: Hidden): readonly Piece[] {
    return new Reader({ ...this.#input, lines, hidden, depth: this.#depth + 1 }).read([])
  }

  #readBlock(line: Line, opening: Opening, closers: readonly Closer[]): Block {
    const first = withoutListMarker(line)
    const indent = indentOf(first.text)
    const from = this.#at
    const start = {
      kind: 'block',
      opening,
      indent,
      first,
      isClosed: true,
      close: undefined,
    } as const
    this.#at += 1
    if (opening.body === 'none') return { ...start, inner: indent, lines: [first], pieces: [] }
    if (opening.body === 'indented') {
      const inner = this.#takeIndented(indent + INDENT).map((line) => dedent(line, indent + INDENT))
      const { hidden } = this.#input
      const pieces = this.#readInner(inner, hidden.inner ?? hidden)
      return { ...start, inner: 0, lines: this.#input.lines.slice(from, this.#at), pieces }
    }
    this.#depth += 1
    const pieces = this.read([...closers, opening.body.closes])
    this.#depth -= 1
    const last = this.#input.lines[this.#at]
    const close = last !== undefined && opening.body.closes(last.text.trim()) ? last : undefined
    if (close !== undefined) this.#at += 1
    const lines = this.#input.lines.slice(from, this.#at)
    return { ...start, inner: indent, lines, close, isClosed: close !== undefined, pieces }
  }

  /**
   * Consumes and returns the following lines with at least this indentation, without blank lines at
   * the end.
   */
  #takeIndented(columns: number): readonly Line[] {
    const { lines } = this.#input
    const start = this.#at
    let end = start
    for (let index = start; index < lines.length; index += 1) {
      const line = lines[index] ?? EMPTY
      if (isBlank(line)) continue
      if (indentOf(line.text) < columns) break
      end = index + 1
    }
    this.#at = end
    return lines.slice(start, end)
  }
}
