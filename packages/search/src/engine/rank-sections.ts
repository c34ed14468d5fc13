/** Ranks the sections that contain words of a query. */
import {
  HEADING_WEIGHT,
  HEADING_WORDS_MAX,
  type Postings,
  type SearchRoot,
  TITLE_WEIGHT,
} from '../format/index-format.ts'

import type { QueryWord } from './parse-query.ts'

/** A word of the query, or several joined words, with all matching terms. */
export type Criterion = {
  /** Positions of the words in the query. */
  readonly covers: readonly number[]
  readonly matches: readonly { readonly postings: Postings; readonly quality: number }[]
}

/** The words of a query and their matching terms. */
type RankedQuery = {
  readonly words: readonly QueryWord[]
  readonly criteria: readonly Criterion[]
  /** Exponent of the penalty for sections that lack some of the words. */
  readonly strictness: number
}

export type RankedSection = { readonly section: number; readonly score: number }

/** Values of the stored weights: text in order of frequency, then headings, then titles. */
const WEIGHTS = [0.4, 0.8, 1.2, 1.7, 2.2, 2.8, 3.5, 3.9, 4.2, 4.6, 4.9, 4.9, 5.3, 5.6, 6, 6.3]
/**
 * A word in the page title counts for all sections of the page, but less than a word in the section
 * itself.
 */
const TITLE = { value: 0.5, covers: 1 } as const
/** A word in other sections of the page counts too, but less on a page with more sections. */
const PAGE = { value: 0.2, covers: 0.5, sections: 5 } as const
const FUNCTION_WORD_WEIGHT = 0.1
/** Factor for a page whose title equals the query. */
const EQUAL_TITLE = 2

export function rankSections(
  { criteria, words: asked, strictness }: RankedQuery,
  pages: PageTable,
  limit: number,
): readonly RankedSection[] {
  const count = pages.sectionCount
  const found = asked.map((_, word) => findWord(criteria, word, pages))
  const others = found.filter((_, word) => asked[word]?.isFunctionWord === false)
  // Function words are rare in some texts, but that must not make them significant.
  const least = FUNCTION_WORD_WEIGHT * Math.min(...others.map(({ weight }) => weight))
  const words = found.map((word, index) => {
    const { isFunctionWord = false, isSiteName = false } = asked[index] ?? {}
    if (!isFunctionWord) return word
    return { ...word, weight: isSiteName ? 0 : least, isFunctionWord, isSiteName }
  })
  const scorer = new SectionScorer(words, pages, strictness)
  const isSeen = new Uint8Array(count)
  const best = new BestSections(limit)
  for (const { sections } of words) {
    for (const section of sections) {
      if (isSeen[section] === 1) continue
      isSeen[section] = 1
      best.add(section, scorer.score(section))
    }
  }
  return best.ranked
}

/** A word of the query: the sections that contain it, with its value and stored weight in each. */
type FoundWord = {
  readonly weight: number
  /** True for a word that hardly counts. */
  readonly isFunctionWord?: boolean
  /** True for the site's name at the end of the query: no section is better because of it. */
  readonly isSiteName?: boolean
  readonly sections: number[]
  readonly values: Float32Array
  readonly kinds: Uint8Array
  /** The highest value of the word on each page. */
  readonly pageValues: Float32Array
}

function findWord(criteria: readonly Criterion[], word: number, pages: PageTable): FoundWord {
  const count = pages.sectionCount
  const pageValues = new Float32Array(pages.pageCount)
  const sections: number[] = []
  const values = new Float32Array(count)
  const kinds = new Uint8Array(count)
  for (const { covers, matches } of criteria) {
    if (!covers.includes(word)) continue
    for (const { postings, quality } of matches) {
      for (let index = 0; index < postings.sections.length; index += 1) {
        const section = postings.sections[index] ?? 0
        if (section >= count) continue
        const kind = postings.weights[index] ?? 0
        const value = (WEIGHTS[kind] ?? 1) * quality
        const before = values[section] ?? 0
        if (before === 0) sections.push(section)
        if (value <= before) continue
        values[section] = value
        kinds[section] = kind
        const page = pages.pageOf(section)
        pageValues[page] = Math.max(pageValues[page] ?? 0, value)
      }
    }
  }
  return { weight: wordWeight(criteria, word, count), sections, values, kinds, pageValues }
}

/** Returns a weight that is higher for rare words and lower for inexact matches. */
function wordWeight(criteria: readonly Criterion[], word: number, count: number): number {
  const own = criteria.find(({ covers }) => covers.length === 1 && covers[0] === word)
  const matches = own?.matches ?? []
  const total = matches.reduce((sum, { postings, quality }) => sum + postings.total * quality, 0)
  const inSections = Math.min(total, count)
  const nearest = own === undefined ? 1 : Math.max(...matches.map(({ quality }) => quality))
  return nearest * Math.log(1 + (count - inSections + 0.5) / (inSections + 0.5))
}

class SectionScorer {
  readonly #words: readonly FoundWord[]
  readonly #pages: PageTable
  readonly #total: number
  /** The total weight that a section with all words covers. */
  readonly #coverable: number
  readonly #strictness: number
  readonly #wordCount: number

  constructor(words: readonly FoundWord[], pages: PageTable, strictness: number) {
    this.#words = words
    this.#wordCount = words.filter(({ isSiteName }) => !isSiteName).length
    this.#strictness = strictness
    this.#pages = pages
    this.#total = words.reduce((sum, { weight }) => sum + weight, 0)
    this.#coverable = words.reduce((sum, word) => sum + coverOf(word), 0)
  }

  score(section: number): number {
    const page = this.#pages.pageOf(section)
    const top = this.#pages.firstOf(page)
    const nearness = Math.min(1, PAGE.sections / this.#pages.sectionsOf(page))
    let sum = 0
    let covered = 0
    let inHeading = 0
    let headingWeight = 0
    let headingWords = 1
    let asInTitle = 0
    for (const word of this.#words) {
      const { weight, isSiteName, values, kinds, pageValues } = word
      const value = values[section] ?? 0
      const kind = kinds[section] ?? 0
      if (kind >= HEADING_WEIGHT && !isSiteName) {
        inHeading += 1
        headingWeight += weight
        headingWords = wordsOf(kind)
        if (kind >= TITLE_WEIGHT && value >= (WEIGHTS[kind] ?? 0)) asInTitle += 1
      }
      const isTitle = section !== top && (kinds[top] ?? 0) >= TITLE_WEIGHT
      const onPage = pageValues[page] ?? 0
      const around = isTitle ? (values[top] ?? 0) * TITLE.value : onPage * PAGE.value * nearness
      sum += weight * Math.max(value, around + value * 0.9)
      const cover = coverOf(word)
      if (value > 0) covered += cover
      else if (isTitle) covered += cover * TITLE.covers
      else if (onPage > 0) covered += cover * PAGE.covers * nearness
    }
    const share = (covered / (this.#coverable || 1)) ** this.#strictness
    // The more words the query and a heading have in common, the better.
    const ofHeading = Math.min(1, inHeading / headingWords)
    const exactness = 1 + ofHeading * this.#shareOf(headingWeight)
    const wordCount = this.#wordCount
    const isTitle = asInTitle === wordCount && headingWords <= wordCount
    const equality = isTitle ? EQUAL_TITLE : 1
    return sum * share * exactness * equality * this.#pages.boostOf(page)
  }

  /** Returns the share of a weight in the query's total weight. */
  #shareOf(weight: number): number {
    return this.#total === 0 ? 1 : weight / this.#total
  }
}

/** Returns what a word counts for a section to have all words; `how do i` is in few of them. */
function coverOf({ weight, isFunctionWord }: FoundWord): number {
  return isFunctionWord ? weight * FUNCTION_WORD_WEIGHT : weight
}

/**
 * Keeps only the best sections, without sorting the rest. Among equal scores, the first section
 * wins.
 */
class BestSections {
  readonly ranked: RankedSection[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(section: number, score: number): void {
    const last = this.ranked.at(-1)
    const isFull = this.ranked.length === this.#limit
    if (isFull && last !== undefined && !isBefore({ section, score }, last)) return
    let low = 0
    let high = this.ranked.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.ranked[middle]
      if (other !== undefined && isBefore(other, { section, score })) low = middle + 1
      else high = middle
    }
    this.ranked.splice(low, 0, { section, score })
    if (isFull) this.ranked.pop()
  }
}

function isBefore(a: RankedSection, b: RankedSection): boolean {
  return a.score > b.score || (a.score === b.score && a.section < b.section)
}

/** Returns the number of words in a heading or title, which its stored weight encodes. */
function wordsOf(kind: number): number {
  const base = kind >= TITLE_WEIGHT ? TITLE_WEIGHT : HEADING_WEIGHT
  return HEADING_WORDS_MAX - (kind - base)
}

/** Maps sections to pages. */
export class PageTable {
  readonly sectionCount: number
  readonly pageCount: number
  /** The first section of each page. */
  readonly #firsts: Uint32Array
  /** The page of each section. */
  readonly #pages: Uint32Array
  readonly #boosts: ReadonlyMap<number, number>

  constructor({ sections, boosts }: Pick<SearchRoot, 'sections' | 'boosts'>) {
    this.sectionCount = sections.reduce((sum, count) => sum + count, 0)
    this.pageCount = sections.length
    this.#firsts = new Uint32Array(sections.length)
    this.#pages = new Uint32Array(this.sectionCount)
    let first = 0
    for (const [page, count] of sections.entries()) {
      this.#firsts[page] = first
      this.#pages.fill(page, first, first + count)
      first += count
    }
    this.#boosts = new Map(boosts)
  }

  pageOf(section: number): number {
    return this.#pages[section] ?? 0
  }

  firstOf(page: number): number {
    return this.#firsts[page] ?? 0
  }

  sectionsOf(page: number): number {
    return (this.#firsts[page + 1] ?? this.sectionCount) - this.firstOf(page)
  }

  /**
   * Limits the effect of an author's boost, which is only a hint: a much better match still comes
   * first.
   */
  boostOf(page: number): number {
    return Math.sqrt(this.#boosts.get(page) ?? 1)
  }
}
