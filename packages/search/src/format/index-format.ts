/**
 * The files of a search index, one index for each language and version.
 *
 *   root        what there is: the pages, the names of the other files; small, always fetched anew
 *   vocabulary  terms of the index, to complete words and to forgive typing errors
 *   shard       a range of terms with the sections that have them
 *   page        title, headings and words of one page, to show what was found
 *
 * All but the root are named by their content: what a browser has once it may keep forever, and
 * files of two builds never mix. All are compressed (raw deflate), since plain hosts do not.
 */

import type { LanguageWords } from '../words/language-words.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import type { SearchWords } from './search-words.ts'
import { readTerms, writeTerms } from './term-list.ts'

export const INDEX_FORMAT = 1

/**
 * Pages whose files share a folder. Results are rarely neighbours, so each page has a file of its own;
 * but a hash for each of them would be most of the root.
 */
export const PAGES_PER_FOLDER = 16

export type SearchRoot = {
  readonly format: typeof INDEX_FORMAT
  /** Folder of the other files. */
  readonly folder: string
  readonly vocabulary: { readonly file: string; readonly isComplete: boolean }
  /** Where each shard begins, and its file: its first term and all before the next begin there. */
  readonly shards: readonly (readonly [start: string, file: string])[]
  /** Number of sections of each page. */
  readonly sections: readonly number[]
  /** Runs of pages that follow one another in the folders of pages: first page, how many. */
  readonly runs: readonly (readonly [first: number, count: number])[]
  /** Hashes of the folders of pages that the runs touch, in their order. */
  readonly pageFolders: readonly string[]
  /** Pages that weigh more or less than others. */
  readonly boosts: readonly (readonly [page: number, factor: number])[]
  /** Words of the interface in the language of the pages. */
  readonly words: SearchWords
  /** What is known of that language. */
  readonly language: LanguageWords
}

/** A folder by its number; the hash says what its pages hold. */
export function pageFolder(number: number, hash: string): string {
  return `pages/${number}-${hash}`
}

/** Where each page of an index stands. There are many, so no name is made before it is asked for. */
export class PageFiles {
  /** By page: its place among the pages of all indexes. */
  readonly #places: Uint32Array
  readonly #folders = new Map<number, string>()

  constructor({ runs, pageFolders }: Pick<SearchRoot, 'runs' | 'pageFolders'>) {
    this.#places = new Uint32Array(runs.reduce((sum, [, count]) => sum + count, 0))
    let page = 0
    for (const [first, count] of runs) {
      for (let place = first; place < first + count; place += 1) {
        const number = Math.floor(place / PAGES_PER_FOLDER)
        if (!this.#folders.has(number)) {
          const hash = pageFolders[this.#folders.size] ?? ''
          this.#folders.set(number, pageFolder(number, hash))
        }
        this.#places[page] = place
        page += 1
      }
    }
  }

  of(page: number): string {
    const place = this.#places[page] ?? 0
    const folder = this.#folders.get(Math.floor(place / PAGES_PER_FOLDER)) ?? ''
    return `${folder}/${place % PAGES_PER_FOLDER}`
  }
}

/** A page as results show it. */
export type IndexedPage = {
  readonly url: string
  readonly title: string
  /** The way to it. */
  readonly crumbs: readonly string[]
  /** `GET`, for an operation. */
  readonly method?: string
  readonly sections: readonly IndexedSection[]
}

/** The first section of a page has neither id nor heading. */
type IndexedSection = readonly [id: string, heading: string, text: string]

/**
 * How much a term says about a section, in 16 steps. Text: how often, for its length. Heading and
 * title: how many words there are, five and more to one, so that a query that is a whole heading is
 * known as one.
 */
export const HEADING_WEIGHT = 6
export const TITLE_WEIGHT = 11
export const HEADING_WORDS_MAX = 5

export function headingWeight(base: number, words: number): number {
  return base + HEADING_WORDS_MAX - Math.min(Math.max(words, 1), HEADING_WORDS_MAX)
}

/** Of a term that is in more sections only the weightiest are kept. */
export const SECTIONS_PER_TERM_MAX = 3_000

export type Postings = {
  /** In how many sections the term is, also those that are not listed. */
  readonly total: number
  /** Ascending. */
  readonly sections: Uint32Array
  readonly weights: Uint8Array
}

export type ShardTerm = Postings & { readonly term: string }

/** Terms must be sorted. */
export function encodeShard(terms: readonly ShardTerm[]): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter()
  out.number(terms.length)
  writeTerms(
    terms.map(({ term }) => term),
    out,
  )
  const lists = new ByteWriter()
  for (const term of terms) {
    const start = lists.length
    writePostings(term, lists)
    out.number(lists.length - start)
  }
  out.bytes(lists.take())
  return out.take()
}

function writePostings({ total, sections, weights }: Postings, out: ByteWriter): void {
  out.number(total)
  out.number(sections.length)
  let before = 0
  for (let index = 0; index < sections.length; index += 1) {
    const section = sections[index] ?? 0
    out.number(section - before)
    before = section
  }
  for (let index = 0; index < weights.length; index += 2) {
    out.byte((weights[index] ?? 0) | ((weights[index + 1] ?? 0) << 4))
  }
}

export type Shard = {
  readonly terms: readonly string[]
  readonly postings: (index: number) => Postings
}

export function decodeShard(bytes: Uint8Array): Shard {
  const from = new ByteReader(bytes)
  const terms = readTerms(from.number(), from)
  const ends: number[] = []
  let end = 0
  for (let index = 0; index < terms.length; index += 1) {
    end += from.number()
    ends.push(end)
  }
  const start = from.at
  return {
    terms,
    postings: (index) => readPostings(new ByteReader(bytes, start + (ends[index - 1] ?? 0))),
  }
}

function readPostings(from: ByteReader): Postings {
  const total = from.number()
  const sections = new Uint32Array(Math.min(from.number(), SECTIONS_PER_TERM_MAX))
  const weights = new Uint8Array(sections.length)
  let section = 0
  for (let index = 0; index < sections.length; index += 1) {
    section += from.number()
    sections[index] = section
  }
  for (let index = 0; index < weights.length; index += 2) {
    const pair = from.byte()
    weights[index] = pair & 15
    if (index + 1 < weights.length) weights[index + 1] = pair >> 4
  }
  return { total, sections, weights }
}

export type Vocabulary = {
  readonly terms: readonly string[]
  /** Logarithm to base 2 of the number of sections, rounded down. */
  readonly sizes: Uint8Array
}

export function encodeVocabulary({ terms, sizes }: Vocabulary): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter()
  out.number(terms.length)
  writeTerms(terms, out)
  out.bytes(sizes)
  return out.take()
}

export function decodeVocabulary(bytes: Uint8Array): Vocabulary {
  const from = new ByteReader(bytes)
  const count = from.number()
  return { terms: readTerms(count, from), sizes: from.bytes(count) }
}
