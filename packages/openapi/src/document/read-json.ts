/**
 * Parses JSON into a tape. Stops at invalid JSON, which the caller then explains with a lenient
 * parser. The parser is not recursive, and never throws.
 */
import { KIND, type NodeId, Tape, TapeFull } from './tape.ts'

export type ReadJson =
  | { readonly kind: 'read'; readonly tape: Tape }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too-deep'; readonly offset: number }
  | { readonly kind: 'too-many' }

export type ReadLimits = { readonly depthMax: number; readonly nodesMax: number }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS = [
  ['true', KIND.true],
  ['false', KIND.false],
  ['null', KIND.null],
] as const

/** Parses the whole text as one JSON value. */
export function readJson(text: string, limits: ReadLimits): ReadJson {
  const tape = new Tape(limits.nodesMax)
  try {
    return new Reader(text, tape, limits.depthMax).read()
  } catch (error) {
    if (error instanceof TapeFull) return { kind: 'too-many' }
    throw error
  }
}

class Reader {
  readonly #text: string
  readonly #tape: Tape
  readonly #depthMax: number
  #at = 0

  constructor(text: string, tape: Tape, depthMax: number) {
    this.#text = text
    this.#tape = tape
    this.#depthMax = depthMax
  }

  /**
   * Reads all values in one loop, with a stack of open containers. Each iteration reads a value,
   * then closes all containers that end after it.
   */
  read(): ReadJson {
    const open: NodeId[] = []
    if (this.#text.charCodeAt(0) === 0xfeff) this.#at = 1
    for (;;) {
      this.#skipSpace()
      const container = this.#readValue()
      if (container === MALFORMED) return { kind: 'malformed' }
      if (container !== undefined) {
        if (open.length >= this.#depthMax) return { kind: 'too-deep', offset: this.#at }
        open.push(container)
        if (!this.#closesAtOnce(container)) {
          if (this.#tape.kind(container) === KIND.object && !this.#readKey()) break
          continue
        }
        open.pop()
      }
      if (!this.#continueOrClose(open)) break
      if (open.length === 0) {
        this.#skipSpace()
        if (this.#at < this.#text.length) break
        this.#tape.trim()
        return { kind: 'read', tape: this.#tape }
      }
    }
    return { kind: 'malformed' }
  }

  /**
   * Reads a whole scalar, or only the start of a container. Returns the container, or `MALFORMED`
   * for invalid JSON.
   */
  #readValue(): NodeId | undefined {
    const start = this.#at
    switch (this.#text.charCodeAt(start)) {
      case QUOTE:
        return this.#readString() ? undefined : MALFORMED
      case OPEN_BRACE:
        this.#at += 1
        return this.#tape.open(KIND.object, start)
      case OPEN_BRACKET:
        this.#at += 1
        return this.#tape.open(KIND.array, start)
    }
    for (const [word, kind] of WORDS) {
      if (!this.#text.startsWith(word, start)) continue
      this.#at += word.length
      this.#tape.addScalar(kind, start, this.#at)
      return undefined
    }
    NUMBER.lastIndex = start
    if (!NUMBER.test(this.#text)) return MALFORMED
    this.#at = NUMBER.lastIndex
    this.#tape.addScalar(KIND.number, start, this.#at)
    return undefined
  }

  #closesAtOnce(container: NodeId): boolean {
    this.#skipSpace()
    const close = this.#tape.kind(container) === KIND.object ? CLOSE_BRACE : CLOSE_BRACKET
    if (this.#text.charCodeAt(this.#at) !== close) return false
    this.#at += 1
    this.#tape.close(container)
    return true
  }

  /** Skips a comma and the next key, or closing brackets. Returns false if the text is invalid. */
  #continueOrClose(open: NodeId[]): boolean {
    for (;;) {
      const container = open.at(-1)
      if (container === undefined) return true
      this.#skipSpace()
      const code = this.#text.charCodeAt(this.#at)
      this.#at += 1
      const isObject = this.#tape.kind(container) === KIND.object
      if (code === COMMA) return isObject ? this.#readKey() : true
      if (code !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return false
      this.#tape.close(container)
      open.pop()
    }
  }

  #readKey(): boolean {
    this.#skipSpace()
    if (this.#text.charCodeAt(this.#at) !== QUOTE || !this.#readString()) return false
    this.#skipSpace()
    if (this.#text.charCodeAt(this.#at) !== COLON) return false
    this.#at += 1
    return true
  }

  #readString(): boolean {
    const text = this.#text
    const start = this.#at + 1
    let encoded = false
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        this.#tape.addScalar(KIND.string, start, at, encoded)
        this.#at = at + 1
        return true
      }
      if (code < 0x20) return false
      if (code === BACKSLASH) {
        encoded = true
        at += 1
        if (!isEscape(text, at)) return false
      }
    }
    return false
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at += 1
    }
  }
}

const MALFORMED: NodeId = -1

const HEX = /[\da-fA-F]{4}/y

/** Returns true if there is a JSON escape at this offset, after its backslash. */
function isEscape(text: string, offset: number): boolean {
  if ('"\\/bfnrt'.includes(text[offset] ?? 'x')) return true
  HEX.lastIndex = offset + 1
  return text[offset] === 'u' && HEX.test(text)
}
