/** Assigns a number to each term of a site and caches the terms of each word. */
import { eachWord, isPlainText, splitWord } from '../words/split-words.ts'

/** Maximum cached words; most words of a site are the same few thousand. */
const WORDS_MAX = 60_000
/**
 * Minimum number of slots, a power of two. The table always has at least twice as many slots as
 * words.
 */
const PLACES_MIN = 1_024

type KnownWord = {
  readonly written: string
  /** Term numbers of the word's parts. */
  readonly parts: readonly number[]
  /** Term numbers of the word's parts and of the whole word. */
  readonly all: readonly number[]
}

export class TermTable {
  readonly terms: string[]
  readonly #numbers: Map<string, number>
  #words: KnownWord[] = []
  /** An open-addressing hash table of indexes into `#words`, starting from one. */
  #places = new Int32Array(PLACES_MIN)

  constructor(terms: readonly string[] = []) {
    this.terms = [...terms]
    this.#numbers = new Map(terms.map((term, number) => [term, number]))
  }

  /** Calls `visit` for each word of the text. */
  eachWord(text: string, visit: (word: KnownWord) => void): void {
    if (isPlainText(text)) this.#scan(text, visit)
    else
      eachWord(text, (word) =>
        visit(this.#find(word, { start: 0, end: word.length, hash: hashOf(word) })),
      )
  }

  /**
   * Like `eachWord`, but without creating a string for each word, since it runs for every word of a
   * site.
   */
  #scan(text: string, visit: (word: KnownWord) => void): void {
    const { length } = text
    let start = -1
    let hash = HASH_START
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at)
      const kind = code < 128 ? KINDS[code] : 0
      if (kind === LETTER) {
        if (start < 0) start = at
        hash = (Math.imul(hash, 31) + code) | 0
        continue
      }
      if (start < 0) continue
      if (kind === JOINT && KINDS[text.charCodeAt(at + 1)] === LETTER) {
        hash = (Math.imul(hash, 31) + code) | 0
        continue
      }
      visit(this.#find(text, { start, end: at, hash }))
      start = -1
      hash = HASH_START
    }
    if (start >= 0) visit(this.#find(text, { start, end: length, hash }))
  }

  #find(text: string, { start, end, hash }: Stretch): KnownWord {
    const last = this.#places.length - 1
    for (let place = spread(hash) & last; ; place = (place + 1) & last) {
      const index = this.#places[place] ?? 0
      if (index === 0) return this.#add(text.slice(start, end))
      const word = this.#words[index - 1]
      if (word !== undefined && isAt(text, { start, end }, word.written)) return word
    }
  }

  #add(written: string): KnownWord {
    const { pieces, whole } = splitWord(written)
    const parts = pieces.map(({ term }) => this.#numberOf(term))
    const all = whole === undefined ? parts : [...parts, this.#numberOf(whole)]
    const word = { written, parts, all }
    if (this.#words.length === WORDS_MAX) this.#words = []
    this.#words.push(word)
    const isFull = this.#words.length * 2 > this.#places.length
    if (isFull || this.#words.length === 1) this.#placeAll()
    else this.#place(word, this.#words.length)
    return word
  }

  #placeAll(): void {
    const wanted = Math.max(PLACES_MIN, 4 * this.#words.length)
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(wanted)))
    for (const [index, word] of this.#words.entries()) this.#place(word, index + 1)
  }

  #place({ written }: KnownWord, index: number): void {
    const last = this.#places.length - 1
    let place = spread(hashOf(written)) & last
    while (this.#places[place] !== 0) place = (place + 1) & last
    this.#places[place] = index
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    const number = this.terms.length
    this.terms.push(term)
    this.#numbers.set(term, number)
    return number
  }
}

const LETTER = 1
const JOINT = 2
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code)
  if (/[A-Za-z\d]/.test(sign)) return LETTER
  return /[_.'-]/.test(sign) ? JOINT : 0
})

const HASH_START = 7

type Stretch = { readonly start: number; readonly end: number; readonly hash: number }

function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}

function hashOf(word: string): number {
  let hash = HASH_START
  for (let at = 0; at < word.length; at += 1) hash = (Math.imul(hash, 31) + word.charCodeAt(at)) | 0
  return hash
}

function isAt(text: string, { start, end }: Omit<Stretch, 'hash'>, word: string): boolean {
  if (word.length !== end - start) return false
  for (let at = 0; at < word.length; at += 1) {
    if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false
  }
  return true
}
