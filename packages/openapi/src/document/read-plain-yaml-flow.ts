/** Reads lists and mappings in brackets, which may continue on several lines. */
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  NotPlainError,
  OPEN_BRACE,
  OPEN_BRACKET,
  type PlainYamlCursor,
} from './read-plain-yaml-cursor.ts'
import type { PlainYamlRows } from './read-plain-yaml-rows.ts'
import { readPlainScalar } from './read-plain-yaml-scalars.ts'
import { KIND, type NodeId } from './tape.ts'

export type FlowLimits = {
  /** The minimum indentation of every line except the first. */
  readonly indent: number
  readonly depthMax: number
}

export function isFlow(code: number): boolean {
  return code === OPEN_BRACKET || code === OPEN_BRACE
}

/** Reads the list or mapping at the cursor, and moves the cursor past it. */
export function readFlow(cursor: PlainYamlCursor, rows: PlainYamlRows, limits: FlowLimits): void {
  new FlowReader(cursor, rows, limits).read()
}

class FlowReader {
  readonly #cursor: PlainYamlCursor
  readonly #rows: PlainYamlRows
  readonly #limits: FlowLimits
  readonly #open: NodeId[] = []

  constructor(cursor: PlainYamlCursor, rows: PlainYamlRows, limits: FlowLimits) {
    this.#cursor = cursor
    this.#rows = rows
    this.#limits = limits
  }

  /**
   * Reads all values in one loop, with a stack of open brackets. Each iteration reads a value, then
   * skips all brackets that close after it.
   */
  read(): void {
    const cursor = this.#cursor
    this.#openCollection()
    for (;;) {
      this.#skipSpace()
      // A bracket may close right after it opens, or after a comma.
      if (!this.#isAtClose()) {
        if (this.#isInObject()) this.#readKey()
        if (isFlow(cursor.code)) {
          this.#openCollection()
          continue
        }
        readPlainScalar(cursor, this.#limits.indent, true)
        this.#rows.addScalar(cursor)
        this.#skipSpace()
      }
      while (this.#isAtClose()) {
        this.#rows.tape.close(this.#open.pop() ?? 0)
        cursor.at += 1
        if (this.#open.length === 0) return
        this.#skipSpace()
      }
      if (cursor.code !== COMMA) throw new NotPlainError()
      cursor.at += 1
    }
  }

  #openCollection(): void {
    if (this.#open.length >= this.#limits.depthMax) throw new NotPlainError()
    const kind = this.#cursor.code === OPEN_BRACE ? KIND.object : KIND.array
    this.#open.push(this.#rows.tape.open(kind, this.#cursor.at))
    this.#cursor.at += 1
  }

  #isInObject(): boolean {
    return this.#rows.tape.kind(this.#open.at(-1) ?? 0) === KIND.object
  }

  #isAtClose(): boolean {
    return this.#cursor.code === (this.#isInObject() ? CLOSE_BRACE : CLOSE_BRACKET)
  }

  /** Reads a key and moves the cursor to its value. A key without a value is left to js-yaml. */
  #readKey(): void {
    const cursor = this.#cursor
    readPlainScalar(cursor, this.#limits.indent, true)
    this.#rows.addKey(cursor)
    this.#skipSpace()
    if (cursor.code !== COLON) throw new NotPlainError()
    cursor.at += 1
    this.#skipSpace()
  }

  #skipSpace(): void {
    const isNewLine = this.#cursor.skipToContent()
    if (isNewLine && this.#cursor.column < this.#limits.indent) throw new NotPlainError()
    if (this.#cursor.isAtEnd) throw new NotPlainError()
  }
}
