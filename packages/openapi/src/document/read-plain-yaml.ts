/**
 * Parses the subset of YAML that specifications use, in one pass, into a tape: mappings and lists
 * by indentation or in brackets, and scalars of every style. For all other features (anchors, tags,
 * directives, `?` keys, tabs between values, several documents) and all mistakes, it returns
 * `unusual`. The caller then uses js-yaml, which supports everything and explains mistakes, but
 * takes ten times the time and memory. If this reader succeeds, its rows are the same as those from
 * js-yaml's events, which `read-plain-yaml.property.test.ts` verifies.
 */
import type { ReadLimits } from './read-json.ts'
import { isBlockText, readBlockScalar } from './read-plain-yaml-block.ts'
import {
  COLON,
  hasPlainCharacters,
  isBlank,
  NotPlainError,
  PlainYamlCursor,
  SPACE,
} from './read-plain-yaml-cursor.ts'
import { isFlow, readFlow } from './read-plain-yaml-flow.ts'
import { PlainYamlRows } from './read-plain-yaml-rows.ts'
import { readPlainScalar } from './read-plain-yaml-scalars.ts'
import { KIND, type NodeId, Tape, TapeFull } from './tape.ts'

export type ReadPlainYaml =
  | { readonly kind: 'read'; readonly tape: Tape; readonly decoded: PlainYamlRows }
  | { readonly kind: 'unusual' }
  | { readonly kind: 'too-many' }

/** Reads the text as one document in linear time. Never throws. */
export function readPlainYaml(text: string, limits: ReadLimits): ReadPlainYaml {
  try {
    return new Reader(text, limits).read()
  } catch (error) {
    if (error instanceof NotPlainError) return { kind: 'unusual' }
    if (error instanceof TapeFull) return { kind: 'too-many' }
    throw error
  }
}

/** js-yaml counts some values as separate levels: scalars, and bracketed lists that may be keys. */
const DEPTH_MARGIN = 3

/** A mapping or list whose end has not been read yet. */
type OpenBlock = {
  readonly node: NodeId
  readonly isObject: boolean
  /** The column of its keys or dashes. */
  readonly column: number
}

class Reader {
  readonly #text: string
  readonly #cursor: PlainYamlCursor
  readonly #rows: PlainYamlRows
  readonly #tape: Tape
  readonly #depthMax: number
  readonly #open: OpenBlock[] = []

  constructor(text: string, limits: ReadLimits) {
    this.#text = text
    this.#cursor = new PlainYamlCursor(text)
    this.#tape = new Tape(limits.nodesMax)
    this.#rows = new PlainYamlRows(text, this.#tape)
    this.#depthMax = limits.depthMax - DEPTH_MARGIN
  }

  /** Reads all lines. Each iteration starts at a line with a key or a list item. */
  read(): ReadPlainYaml {
    this.#passBeginning()
    this.#readNode(-1, true)
    while (!this.#cursor.isAtEnd) {
      const block = this.#blockOfLine()
      if (block.isObject) this.#readEntry(block)
      else this.#readItem(block)
    }
    while (this.#open.length > 0) this.#close()
    this.#tape.trim()
    return { kind: 'read', tape: this.#tape, decoded: this.#rows }
  }

  #passBeginning(): void {
    const cursor = this.#cursor
    const text = this.#text
    if (!hasPlainCharacters(text)) throw new NotPlainError()
    cursor.skipToContent()
    if (cursor.column === 0 && text.startsWith('---', cursor.at)) {
      cursor.at += 3
      const isMarker = isBlank(cursor.code) && cursor.skipToContent()
      if (!isMarker) throw new NotPlainError()
    }
    if (cursor.column > 0 || text.startsWith('...', cursor.at)) throw new NotPlainError()
    // A line that starts with `---` or `...` ends the document, even inside a scalar.
    const rest = Math.max(0, cursor.at - 1)
    if (text.includes('\n---', rest) || text.includes('\n...', rest)) throw new NotPlainError()
  }

  /**
   * Closes blocks that are indented further than this line, and returns the block that the line
   * continues. Rejects content that follows a value on the same line.
   */
  #blockOfLine(): OpenBlock {
    const { column, isAtItem } = this.#cursor
    for (;;) {
      const block = this.#open.at(-1)
      if (block === undefined) throw new NotPlainError()
      // The items of a list may be in the same column as its key.
      const isOver =
        block.column > column || (block.column === column && !block.isObject && !isAtItem)
      if (!isOver) {
        if (block.column < column) throw new NotPlainError()
        return block
      }
      this.#close()
    }
  }

  #readItem(block: OpenBlock): void {
    const cursor = this.#cursor
    cursor.at += 1
    const isNewLine = cursor.skipToContent()
    const isEmpty = cursor.isAtEnd || (isNewLine && cursor.column <= block.column)
    if (isEmpty) this.#addNothing(block.node)
    else this.#readNode(block.column, true)
  }

  #readEntry(block: OpenBlock): void {
    const cursor = this.#cursor
    const { lineStart } = cursor
    readPlainScalar(cursor, block.column, false)
    if (!this.#isAtColon(lineStart)) throw new NotPlainError()
    this.#readRestOfEntry(block)
  }

  /** Reads the rest of an entry; the cursor is at the colon after its key. */
  #readRestOfEntry(block: OpenBlock): void {
    const cursor = this.#cursor
    const key = this.#rows.addKey(cursor)
    cursor.at += 1
    const isNewLine = cursor.skipToContent()
    const isList = cursor.column === block.column && cursor.isAtItem
    const isEmpty = cursor.isAtEnd || (isNewLine && cursor.column <= block.column && !isList)
    if (isEmpty) this.#addNothing(key)
    else this.#readNode(block.column, isNewLine)
  }

  /**
   * Reads a value and the space after it. A mapping or list stays open after its first entry.
   * Recurses once per opened block, so at most `#depthMax` times.
   */
  #readNode(parentColumn: number, mayBeBlock: boolean): void {
    const cursor = this.#cursor
    const { at, code, column, lineStart } = cursor
    if (mayBeBlock && cursor.isAtItem) {
      this.#readItem(this.#openBlock(KIND.array, at, column))
      return
    }
    if (isFlow(code)) {
      const depthMax = this.#depthMax - this.#open.length
      readFlow(cursor, this.#rows, { indent: parentColumn + 1, depthMax })
      cursor.skipToContent()
      return
    }
    if (isBlockText(code)) {
      this.#rows.addBlock(cursor, readBlockScalar(cursor, parentColumn))
      cursor.skipToContent()
      return
    }
    readPlainScalar(cursor, parentColumn + 1, false)
    if (mayBeBlock && this.#isAtColon(lineStart)) {
      this.#readRestOfEntry(this.#openBlock(KIND.object, at, column))
      return
    }
    this.#rows.addScalar(cursor)
    cursor.skipToContent()
  }

  /** Returns true if a colon follows on the same line, which means that the scalar is a key. */
  #isAtColon(lineStart: number): boolean {
    const cursor = this.#cursor
    if (cursor.lineStart !== lineStart) return false
    while (cursor.code === SPACE) cursor.at += 1
    return cursor.code === COLON && isBlank(this.#text.charCodeAt(cursor.at + 1))
  }

  #openBlock(kind: typeof KIND.object | typeof KIND.array, at: number, column: number): OpenBlock {
    if (this.#open.length >= this.#depthMax) throw new NotPlainError()
    const block = { node: this.#tape.open(kind, at), isObject: kind === KIND.object, column }
    this.#open.push(block)
    return block
  }

  #close(): void {
    const block = this.#open.pop()
    if (block !== undefined) this.#tape.close(block.node)
  }

  /** Adds null for a missing value, at the place of its key or list. */
  #addNothing(owner: NodeId): void {
    const start = this.#tape.start(owner)
    this.#tape.addScalar(KIND.null, start, start)
  }
}
