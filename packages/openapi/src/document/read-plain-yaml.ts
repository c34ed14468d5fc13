/**
 * The YAML that specifications are written in → tape, in one pass: mappings and lists by
 * indentation or in brackets, and texts of every style. Whatever else YAML has (anchors, tags,
 * directives, `?` keys, tabs between values, several documents), and whatever is wrong, is
 * `unusual`: the caller then asks js-yaml, which knows all of it and has the words for mistakes, but
 * takes ten times the time and memory. So in doubt this reader gives up, and where it does not, its
 * rows are those that js-yaml's events lead to; `read-plain-yaml.property.test.ts` compares them.
 */
import type { ReadLimits } from './read-json.ts'
import { isBlockText, passBlockText } from './read-plain-yaml-block.ts'
import {
  COLON,
  hasPlainCharacters,
  isBlank,
  PlainYamlCursor,
  SPACE,
  Unusual,
} from './read-plain-yaml-cursor.ts'
import { isFlow, readFlow } from './read-plain-yaml-flow.ts'
import { PlainYamlRows } from './read-plain-yaml-rows.ts'
import { passScalar } from './read-plain-yaml-scalars.ts'
import { KIND, type NodeId, Tape, TapeFull } from './tape.ts'

export type ReadPlainYaml =
  | { readonly kind: 'read'; readonly tape: Tape; readonly decoded: PlainYamlRows }
  | { readonly kind: 'unusual' }
  | { readonly kind: 'too-many' }

/** Reads the text as one document. Never throws, and takes time in proportion to the text. */
export function readPlainYaml(text: string, limits: ReadLimits): ReadPlainYaml {
  try {
    return new Reader(text, limits).read()
  } catch (error) {
    if (error instanceof Unusual) return { kind: 'unusual' }
    if (error instanceof TapeFull) return { kind: 'too-many' }
    throw error
  }
}

/** js-yaml counts a text, and a list in brackets that might be a key, as levels of their own. */
const DEPTH_MARGIN = 3

/** A mapping or list that is not closed. */
type OpenBlock = {
  readonly node: NodeId
  readonly isObject: boolean
  /** Of its keys or dashes. */
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

  /** Each turn of the loop stands at the beginning of a line that holds a key or an item. */
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
    if (!hasPlainCharacters(text)) throw new Unusual()
    cursor.skipToContent()
    if (cursor.column === 0 && text.startsWith('---', cursor.at)) {
      cursor.at += 3
      const isMarker = isBlank(cursor.code) && cursor.skipToContent()
      if (!isMarker) throw new Unusual()
    }
    if (cursor.column > 0 || text.startsWith('...', cursor.at)) throw new Unusual()
    // A line that begins so ends the document, even inside of a text.
    const rest = Math.max(0, cursor.at - 1)
    if (text.includes('\n---', rest) || text.includes('\n...', rest)) throw new Unusual()
  }

  /**
   * Closes what is indented further than the line, which must go on with what is left. What stands
   * behind a value on its own line is further to the right than any block, so it ends here too.
   */
  #blockOfLine(): OpenBlock {
    const { column, isAtItem } = this.#cursor
    for (;;) {
      const block = this.#open.at(-1)
      if (block === undefined) throw new Unusual()
      // A list may stand in the column of the key that it belongs to.
      const isOver =
        block.column > column || (block.column === column && !block.isObject && !isAtItem)
      if (!isOver) {
        if (block.column < column) throw new Unusual()
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
    passScalar(cursor, block.column, false)
    if (!this.#isAtColon(lineStart)) throw new Unusual()
    this.#readRestOfEntry(block)
  }

  /** The key was passed, and its colon stands here. */
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
   * Reads a value, and the space behind it; a mapping or list is left open behind its first
   * entry. Calls itself once for each that it opens, so not more than `#depthMax` times.
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
      this.#rows.addBlock(cursor, passBlockText(cursor, parentColumn))
      cursor.skipToContent()
      return
    }
    passScalar(cursor, parentColumn + 1, false)
    if (mayBeBlock && this.#isAtColon(lineStart)) {
      this.#readRestOfEntry(this.#openBlock(KIND.object, at, column))
      return
    }
    this.#rows.addScalar(cursor)
    cursor.skipToContent()
  }

  /** Does a colon follow on the line, so that what was passed is a key? */
  #isAtColon(lineStart: number): boolean {
    const cursor = this.#cursor
    if (cursor.lineStart !== lineStart) return false
    while (cursor.code === SPACE) cursor.at += 1
    return cursor.code === COLON && isBlank(this.#text.charCodeAt(cursor.at + 1))
  }

  #openBlock(kind: typeof KIND.object | typeof KIND.array, at: number, column: number): OpenBlock {
    if (this.#open.length >= this.#depthMax) throw new Unusual()
    const block = { node: this.#tape.open(kind, at), isObject: kind === KIND.object, column }
    this.#open.push(block)
    return block
  }

  #close(): void {
    const block = this.#open.pop()
    if (block !== undefined) this.#tape.close(block.node)
  }

  /** A value that is not there has the place of its key, or of its list. */
  #addNothing(owner: NodeId): void {
    const start = this.#tape.start(owner)
    this.#tape.addScalar(KIND.null, start, start)
  }
}
