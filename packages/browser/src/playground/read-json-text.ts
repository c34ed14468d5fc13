/**
 * Finds the positions of values in JSON text, even if the text is incomplete. The values themselves
 * are parsed by the browser.
 */
import { childPath } from './value-path.ts'

type JsonMark = {
  readonly kind: 'key' | 'string' | 'number' | 'word'
  readonly start: number
  readonly end: number
}

export type JsonPlace = { readonly start: number; readonly end: number }

export type JsonText = {
  readonly marks: readonly JsonMark[]
  /**
   * The position of each value by path; for an object or list, the position of its opening bracket.
   */
  readonly places: ReadonlyMap<string, JsonPlace>
  /** The position of the first syntax error. */
  readonly faultAt: number | undefined
}

const TOKEN =
  /\s*(?:("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([[\]{},:]))/uy

const DEPTH_MAX = 200

export function readJsonText(text: string): JsonText {
  const reader = new Reader(text)
  const isRead = reader.value('', 0) && reader.isAtEnd()
  const { marks, places } = reader
  return { marks, places, faultAt: isRead ? undefined : reader.start }
}

type Token = { readonly kind: JsonMark['kind'] | 'sign'; readonly text: string }

class Reader {
  readonly #text: string
  readonly marks: JsonMark[] = []
  readonly places = new Map<string, JsonPlace>()
  #at = 0
  /** The start of the last token, or of text that is not a token. */
  start = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    return this.#next() === undefined && this.start === this.#text.length
  }

  /** Reads a value; returns false if there is a syntax error. */
  value(path: string, depth: number): boolean {
    const token = this.#next()
    if (token === undefined || depth > DEPTH_MAX) return false
    this.places.set(path, { start: this.start, end: this.#at })
    if (token.kind !== 'sign') return this.#mark(token.kind)
    if (token.text === '{') return this.#entries('}', () => this.#field(path, depth))
    if (token.text === '[')
      return this.#entries(']', (index) => this.value(childPath(path, index), depth + 1))
    return false
  }

  #field(path: string, depth: number): boolean {
    const name = this.#next()
    if (name?.kind !== 'string') return false
    this.#mark('key')
    const step = JSON.parse(name.text) as string
    return this.#isNext(':') && this.value(childPath(path, step), depth + 1)
  }

  #entries(end: string, read: (index: number) => boolean): boolean {
    const before = this.#at
    if (this.#isNext(end)) return true
    this.#at = before
    for (let index = 0; read(index); index += 1) {
      const token = this.#next()
      if (token?.kind === 'sign' && token.text === end) return true
      if (token?.kind !== 'sign' || token.text !== ',') return false
    }
    return false
  }

  #isNext(sign: string): boolean {
    const token = this.#next()
    return token?.kind === 'sign' && token.text === sign
  }

  #mark(kind: JsonMark['kind']): true {
    this.marks.push({ kind, start: this.start, end: this.#at })
    return true
  }

  #next(): Token | undefined {
    TOKEN.lastIndex = this.#at
    const found = TOKEN.exec(this.#text)
    if (found === null) {
      this.start = this.#at + (/^\s*/.exec(this.#text.slice(this.#at))?.[0].length ?? 0)
      return undefined
    }
    const [, string, number, word, sign] = found
    const text = string ?? number ?? word ?? sign ?? ''
    this.#at = TOKEN.lastIndex
    this.start = this.#at - text.length
    if (string !== undefined) return { kind: 'string', text }
    if (number !== undefined) return { kind: 'number', text }
    return { kind: word === undefined ? 'sign' : 'word', text }
  }
}

/** Returns the position of a value, or of its nearest existing ancestor. */
export function placeOf({ places }: JsonText, path: string): JsonPlace {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const place = places.get(at)
    if (place !== undefined) return place
  }
  return places.get('') ?? { start: 0, end: 0 }
}

/** Returns the line number of a position; the first line is 1. */
export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}
