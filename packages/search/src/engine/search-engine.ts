/**
 * Runs queries on the files of an index. This code needs neither network nor DOM, so the search
 * dialog, other programs and tests can share it; the caller passes a function that loads files.
 */

import {
  decodeShard,
  decodeVocabulary,
  type IndexedPage,
  PageFiles,
  type SearchRoot,
  type Shard,
  type Vocabulary,
} from '../format/index-format.ts'
import { indexOfTerm } from '../format/term-list.ts'
import { addSynonyms } from './add-synonyms.ts'
import { findTerms, type TermMatch } from './find-terms.ts'
import { parseQuery, type QueryWord } from './parse-query.ts'
import { type Criterion, PageTable, type RankedSection, rankSections } from './rank-sections.ts'

/** Loads and decompresses a file of the index. */
export type LoadFile = (file: string) => Promise<Uint8Array>

/** Adds related terms to the matches of a word; `find` returns the matches of another word. */
export type AddRelated = (
  word: QueryWord,
  matches: readonly TermMatch[],
  find: (word: QueryWord) => Promise<readonly TermMatch[]>,
) => Promise<readonly TermMatch[]>

export type SearchEngineOptions = {
  /** Maximum decoded files in the cache. */
  readonly filesMax?: number
  /**
   * The cache of files. A caller that measures memory can pass its own caches of files and words.
   */
  readonly files?: Map<string, Promise<unknown>>
  readonly words?: Map<string, readonly TermMatch[]>
  /** Adds terms with the same meaning to the matches; by default, only synonyms of the site. */
  readonly addRelated?: AddRelated
  /** Exponent of the penalty for sections that lack some of the words. */
  readonly strictness?: number
}

export type SearchHit = {
  readonly page: IndexedPage
  /** The index of the section within its page. */
  readonly section: number
  readonly score: number
}

/** Results of a query, before their texts are loaded. */
export type FoundPages = {
  /** The pages, best first, and for each page its best sections. */
  readonly pages: readonly (readonly RankedSection[])[]
  /** The terms that matched the query, for highlighting. */
  readonly terms: ReadonlySet<string>
}

export type SearchResult = {
  readonly hits: readonly SearchHit[]
  readonly terms: ReadonlySet<string>
}

/** Maximum sections of one page in the results. */
const SECTIONS_PER_PAGE_MAX = 3
/**
 * Minimum score of a section relative to the page's best section. Worse sections would only push
 * other pages down in the results.
 */
const SECTION_SHARE_MIN = 0.55
/**
 * Shares of the scores of a page's second and third sections that are added to the page's score.
 */
const MORE_SHARES = [0.5, 0.4] as const
const USUAL_SECTIONS = 15
/** Typical number of words in a question, without function words. */
const USUAL_WORDS = 6
/** Maximum decoded files per engine. A server has one engine for each searched site. */
const FILES_MAX = 500
/** Maximum words per engine whose matches are cached. */
const WORDS_MAX = 1_000
/**
 * Strictness of a search. It is higher than for questions, because a reader who types a few words
 * wants all of them.
 */
const STRICTNESS = 2
/** The author of a site knows which words mean the same there. */
const SITE_SYNONYM_QUALITY = 0.9
/** Number of ranked sections per requested result. */
const CANDIDATES = 8

export class SearchEngine {
  readonly #root: SearchRoot
  readonly #load: LoadFile
  readonly #files: Map<string, Promise<unknown>>
  readonly #filesMax: number
  readonly #terms: Map<string, readonly TermMatch[]>
  readonly #pages: PageTable
  readonly #pageFiles: PageFiles
  readonly #functionWords: ReadonlySet<string>
  readonly #addRelated: AddRelated | undefined
  readonly #strictness: number

  constructor(root: SearchRoot, load: LoadFile, options: SearchEngineOptions = {}) {
    const { filesMax = FILES_MAX, strictness = STRICTNESS } = options
    const { endings, synonyms: groups } = root.language
    this.#addRelated =
      options.addRelated ??
      (groups && addSynonyms({ groups, endings, quality: SITE_SYNONYM_QUALITY }))
    this.#strictness = strictness
    this.#root = root
    this.#load = load
    this.#filesMax = filesMax
    this.#files = options.files ?? new Map()
    this.#terms = options.words ?? new Map()
    this.#pages = new PageTable(root)
    this.#pageFiles = new PageFiles(root)
    this.#functionWords = new Set(root.language.functionWords)
  }

  /** The tabs whose pages the index contains, in their order; empty if there is only one. */
  get tabs(): readonly string[] {
    return [...new Set(this.#root.tabs?.map(([label]) => label))].filter((label) => label !== '')
  }

  /** Returns the tab that lists a found page; empty if no tab lists it. */
  tabOf([section]: FoundPages['pages'][number]): string {
    let before = section === undefined ? 0 : this.#pages.pageOf(section.section)
    for (const [label, count] of this.#root.tabs ?? []) {
      if (before < count) return label
      before -= count
    }
    return ''
  }

  /** Preloads the data that every query needs, while the reader is still typing. */
  async warm(): Promise<void> {
    await this.#vocabulary()
  }

  async search(text: string, limit = 20): Promise<SearchResult> {
    const { pages, terms } = await this.find(text, limit)
    return { hits: await this.load(pages), terms }
  }

  /** Loads the texts of found pages. */
  load(pages: FoundPages['pages']): Promise<readonly SearchHit[]> {
    return Promise.all(pages.flat().map((one) => this.#hit(one)))
  }

  /** Returns at most `limit` sections. */
  async find(text: string, limit: number): Promise<FoundPages> {
    const { words, joined } = parseQuery(text, this.#functionWords, this.#root.language.siteName)
    if (words.length === 0 || this.#pages.sectionCount === 0) return { pages: [], terms: new Set() }
    const criteria: Criterion[] = []
    const terms = new Set<string>()
    const add = async (covers: readonly number[], matches: readonly TermMatch[]) => {
      const found = await this.#postings(matches)
      if (found.length > 0) criteria.push({ covers, matches: found })
      for (const { term } of found) terms.add(term)
    }
    await Promise.all([
      ...words.map(async (word, index) => add([index], await this.#allTerms(word))),
      ...joined.map(async ({ term, covers, isWritten }) =>
        add(covers, await this.#joined(term, isWritten ? 1.1 : 0.65)),
      ),
    ])
    // The order in which files arrive must not affect the ranking.
    criteria.sort((a, b) => a.covers.length - b.covers.length || first(a) - first(b))
    const ranked = rankSections(
      { criteria, words, strictness: this.#strictness },
      this.#pages,
      limit * CANDIDATES,
    )
    return {
      pages: this.#choose(ranked, {
        limit,
        words: words.filter((word) => !word.isFunctionWord).length,
      }),
      terms,
    }
  }

  /**
   * Picks a few sections per page. Pages with several good sections come before pages with only
   * one.
   */
  #choose(
    ranked: readonly RankedSection[],
    { limit, words }: { readonly limit: number; readonly words: number },
  ): FoundPages['pages'] {
    const byPage = Map.groupBy(ranked, ({ section }) => this.#pages.pageOf(section))
    const pages = [...byPage].map(([page, sections]) => ({
      sections,
      score: pageScore(sections, {
        words,
        sections: this.#pages.sectionsOf(page),
      }),
    }))
    let rest = limit
    return pages
      .sort((a, b) => b.score - a.score)
      .map(({ sections }) => {
        const least = (sections[0]?.score ?? 0) * SECTION_SHARE_MIN
        const few = sections.slice(0, Math.min(SECTIONS_PER_PAGE_MAX, rest))
        const chosen = few.filter(({ score }) => score >= least)
        rest -= chosen.length
        return chosen
      })
      .filter(({ length }) => length > 0)
  }

  async #allTerms(word: QueryWord): Promise<readonly TermMatch[]> {
    const own = await this.#ownTerms(word)
    return this.#addRelated?.(word, own, (other) => this.#ownTerms(other)) ?? own
  }

  /**
   * Returns the matching terms of a word. They are cached, because readers search for the same
   * words and each keystroke repeats the previous words of the query.
   */
  async #ownTerms(word: QueryWord): Promise<readonly TermMatch[]> {
    const key = JSON.stringify(word)
    const known = this.#terms.get(key)
    if (known !== undefined) return known
    const found = await this.#findTerms(word)
    if (this.#terms.size >= WORDS_MAX) this.#terms.clear()
    this.#terms.set(key, found)
    return found
  }

  async #findTerms(word: QueryWord): Promise<readonly TermMatch[]> {
    const { endings } = this.#root.language
    const known = findTerms(await this.#vocabulary(), word, endings)
    if (this.#root.vocabulary.isComplete) return known
    // The vocabulary lacks rare terms; they are only in shards. A word with a typo usually starts
    // correctly, so the shard for its first letters is the right one.
    const { terms } = await this.#shard(this.#shardOf(word.term))
    const more = findTerms({ terms, sizes: new Uint8Array(terms.length) }, word, endings)
    const isKnown = new Set(known.map(({ term }) => term))
    return [...known, ...more.filter(({ term }) => !isKnown.has(term))]
  }

  /** Returns only exact matches: joined words have no completions and are not checked for typos. */
  async #joined(term: string, quality: number): Promise<readonly TermMatch[]> {
    const { terms } = await this.#vocabulary()
    return terms[indexOfTerm(terms, term)] === term ? [{ term, quality }] : []
  }

  async #postings(
    matches: readonly TermMatch[],
  ): Promise<readonly (Criterion['matches'][number] & { readonly term: string })[]> {
    const found = await Promise.all(
      matches.map(async ({ term, quality }) => {
        const shard = await this.#shard(this.#shardOf(term))
        const place = indexOfTerm(shard.terms, term)
        if (shard.terms[place] !== term) return []
        return [{ term, quality, postings: shard.postings(place) }]
      }),
    )
    return found.flat()
  }

  #shardOf(term: string): number {
    const { shards } = this.#root
    let low = 0
    let high = shards.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((shards[middle]?.[0] ?? '') <= term) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  async #hit({ section, score }: RankedSection): Promise<SearchHit> {
    const index = this.#pages.pageOf(section)
    const page = await this.#once(this.#pageFiles.of(index), parsePage)
    return { page, section: section - this.#pages.firstOf(index), score }
  }

  #vocabulary(): Promise<Vocabulary> {
    return this.#once(this.#root.vocabulary.file, decodeVocabulary)
  }

  #shard(index: number): Promise<Shard> {
    return this.#once(this.#root.shards[index]?.[1] ?? '', decodeShard)
  }

  /** Loads a file unless it is cached. A failed load is not cached. */
  #once<Content>(file: string, decode: (bytes: Uint8Array) => Content): Promise<Content> {
    const cached = this.#files.get(file) as Promise<Content> | undefined
    const content = cached ?? this.#load(file).then(decode)
    // The file is moved to the end of the map, whose first entry is then the least recently used
    // one.
    this.#files.delete(file)
    this.#files.set(file, content)
    if (cached !== undefined) return cached
    content.catch(() => this.#files.delete(file))
    const [oldest] = this.#files.keys()
    if (this.#files.size > this.#filesMax && oldest !== undefined) this.#files.delete(oldest)
    return content
  }
}

/**
 * Scores a page. A short query is the name of a thing, but a question is about a thing: the longer
 * the query, the more the second and third sections count. They count less on a page with many
 * sections, since some of these match by chance.
 */
function pageScore(
  ranked: readonly RankedSection[],
  { words, sections }: { readonly words: number; readonly sections: number },
): number {
  const [first = 0, second = 0, third = 0] = ranked.map(({ score }) => score)
  const share = Math.min(1, (words / USUAL_WORDS) ** 1.5) * Math.min(1, USUAL_SECTIONS / sections)
  return first + share * (second * MORE_SHARES[0] + third * MORE_SHARES[1])
}

function first({ covers }: Criterion): number {
  return covers[0] ?? 0
}

function parsePage(bytes: Uint8Array): IndexedPage {
  return JSON.parse(new TextDecoder().decode(bytes)) as IndexedPage
}
