/**
 * The files of a search index. There is one index per language and version.
 *
 *   root        pages and names of the other files; small, always fetched again
 *   vocabulary  terms of the index, for completions and typo tolerance
 *   shard       a range of terms with the sections that contain them
 *   page        title, headings and text of one page, to show results
 *
 * All but the root are named by their content, so browsers may cache them forever, and files of two
 * builds never mix. All are compressed (raw deflate), since simple hosts do not compress.
 */

import type { LanguageWords } from '../words/language-words.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import type { SearchWords } from './search-words.ts'
import { readTerms, writeTerms } from './term-list.ts'

export const INDEX_FORMAT = 1

/**
 * Number of pages whose files share a folder. Each page has its own file, because results are
 * rarely on adjacent pages, but the root stores one hash per folder: hashes of all pages would make
 * up most of the root.
 */
export const PAGES_PER_FOLDER = 16

export type SearchRoot = {
  readonly format: typeof INDEX_FORMAT
  /** The folder of all other index files. */
  readonly folder: string
  readonly vocabulary: { readonly file: string; readonly isComplete: boolean }
  /**
   * The first term prefix and the file of each shard. A shard holds all terms up to the next
   * prefix.
   */
  readonly shards: readonly (readonly [start: string, file: string])[]
  /** The number of sections of each page. */
  readonly sections: readonly number[]
  /**
   * Ranges of consecutive pages in the page folders, each with its first page and number of pages.
   */
  readonly runs: readonly (readonly [first: number, count: number])[]
  /** Hashes of the page folders that contain these ranges, in order. */
  readonly pageFolders: readonly string[]
  /** Pages that their author ranks higher or lower. */
  readonly boosts: readonly (readonly [page: number, factor: number])[]
  /**
   * Runs of consecutive pages with the tab that lists them; empty if not several tabs have pages. An
   * empty label means that no tab lists the pages.
   */
  readonly tabs?: readonly (readonly [label: string, pages: number])[]
  /** Interface texts in the pages' language. */
  readonly words: SearchWords
  /** Function words and endings of the pages' language. */
  readonly language: LanguageWords
}

/** Returns the folder with a given number. The hash covers the contents of the folder's pages. */
export function pageFolder(number: number, hash: string): string {
  return `pages/${number}-${hash}`
}

/** Returns the file of each page. Names are created on demand, because there are many pages. */
export class PageFiles {
  /** The position of each page among the pages of all indexes. */
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

/** A page as shown in search results. */
export type IndexedPage = {
  readonly url: string
  readonly title: string
  /** The breadcrumbs of the page. */
  readonly crumbs: readonly string[]
  /** The HTTP method of an operation, such as `GET`. */
  readonly method?: string
  /** The path of an operation, such as `/users/{id}`. */
  readonly path?: string
  readonly sections: readonly IndexedSection[]
}

/** A section: its id, heading and text. The first section of a page has neither id nor heading. */
type IndexedSection = readonly [id: string, heading: string, text: string]

/**
 * Weights of a term in a section are stored in 16 steps. The lower ones are for text, by the term's
 * frequency relative to the text's length. The steps that start at these two constants are for
 * headings and titles, by their number of words (one to five or more), so that a query that equals
 * a whole heading is recognized.
 */
export const HEADING_WEIGHT = 6
export const TITLE_WEIGHT = 11
export const HEADING_WORDS_MAX = 5

export function headingWeight(base: number, words: number): number {
  return base + HEADING_WORDS_MAX - Math.min(Math.max(words, 1), HEADING_WORDS_MAX)
}

/**
 * Maximum sections to store for a term. If there are more, those with the highest weights are
 * stored.
 */
export const SECTIONS_PER_TERM_MAX = 3_000

export type Postings = {
  /** The number of sections that contain the term, including those not stored. */
  readonly total: number
  /** Section numbers in ascending order. */
  readonly sections: Uint32Array
  readonly weights: Uint8Array
}

export type ShardTerm = Postings & { readonly term: string }

/** Encodes a shard. Its terms must be sorted. */
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
  /** The number of sections that contain each term, as a base-2 logarithm rounded down. */
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
