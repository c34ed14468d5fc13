/** Sections that have the words of a query → sections in the order of how well they answer it. */
import {
  HEADING_WEIGHT,
  HEADING_WORDS_MAX,
  type Postings,
  type SearchRoot,
  TITLE_WEIGHT,
} from '../format/index-format.ts'

/** A word, or several written as one, with all terms that stand for it. */
export type Criterion = {
  /** Places of the words in the query. */
  readonly covers: readonly number[]
  readonly matches: readonly { readonly postings: Postings; readonly quality: number }[]
}

export type RankedSection = { readonly section: number; readonly score: number }

/** Title over heading over text. */
const WEIGHTS = [1, 1.3, 1.6, 2, 2.4, 2.8, 5, 5.5, 6, 6.5, 7, 7, 7.5, 8, 8.5, 9]
/** What the title of the page says counts for its sections too, less. */
const TITLE_SHARE = 0.3

export function rankSections(
  criteria: readonly Criterion[],
  pages: PageTable,
  limit: number,
): readonly RankedSection[] {
  const count = pages.sectionCount
  const wordCount = Math.max(-1, ...criteria.flatMap(({ covers }) => covers)) + 1
  const words = Array.from({ length: wordCount }, (_, word) => findWord(criteria, word, count))
  const scorer = new SectionScorer(words, pages)
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

/** A word of the query: in which sections it is, how much it says there, and by which kind of place. */
type FoundWord = {
  readonly weight: number
  readonly sections: number[]
  readonly values: Float32Array
  readonly kinds: Uint8Array
}

function findWord(criteria: readonly Criterion[], word: number, count: number): FoundWord {
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
      }
    }
  }
  return { weight: wordWeight(criteria, word, count), sections, values, kinds }
}

/** Rare words say more. */
function wordWeight(criteria: readonly Criterion[], word: number, count: number): number {
  const own = criteria.find(({ covers }) => covers.length === 1 && covers[0] === word)
  const total = own?.matches.reduce((sum, { postings }) => sum + postings.total, 0) ?? 0
  const inSections = Math.min(total, count)
  return Math.log(1 + (count - inSections + 0.5) / (inSections + 0.5))
}

class SectionScorer {
  readonly #words: readonly FoundWord[]
  readonly #pages: PageTable
  readonly #total: number

  constructor(words: readonly FoundWord[], pages: PageTable) {
    this.#words = words
    this.#pages = pages
    this.#total = words.reduce((sum, { weight }) => sum + weight, 0)
  }

  score(section: number): number {
    const top = this.#pages.topOf(section)
    let sum = 0
    let covered = 0
    let inHeading = 0
    let headingWords = 1
    for (const { weight, values, kinds } of this.#words) {
      const value = values[section] ?? 0
      const kind = kinds[section] ?? 0
      if (kind >= HEADING_WEIGHT) {
        inHeading += 1
        headingWords = wordsOf(kind)
      }
      const isTitle = section !== top && (kinds[top] ?? 0) >= TITLE_WEIGHT
      const around = isTitle ? (values[top] ?? 0) * TITLE_SHARE : 0
      sum += weight * Math.max(value, around + value * 0.9)
      if (value > 0) covered += weight
      else if (isTitle) covered += weight * 0.6
    }
    const share = this.#total === 0 ? 1 : covered / this.#total
    // The more of a heading the query is, and of the query the heading, the better.
    const ofHeading = Math.min(1, inHeading / headingWords)
    const exactness = 1 + (ofHeading * inHeading) / this.#words.length
    return sum * share * share * exactness * this.#pages.boostOf(section)
  }
}

/** The few best of many, without sorting the rest. Of equals the one that stands first. */
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

/** How many words a heading or title has. */
function wordsOf(kind: number): number {
  const base = kind >= TITLE_WEIGHT ? TITLE_WEIGHT : HEADING_WEIGHT
  return HEADING_WORDS_MAX - (kind - base)
}

/** Which section belongs to which page. */
export class PageTable {
  readonly sectionCount: number
  /** By page: its first section. */
  readonly #firsts: Uint32Array
  /** By section: its page. */
  readonly #pages: Uint32Array
  readonly #boosts: ReadonlyMap<number, number>

  constructor({ sections, boosts }: Pick<SearchRoot, 'sections' | 'boosts'>) {
    this.sectionCount = sections.reduce((sum, count) => sum + count, 0)
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

  /** The section at the top of the same page. */
  topOf(section: number): number {
    return this.firstOf(this.pageOf(section))
  }

  boostOf(section: number): number {
    if (this.#boosts.size === 0) return 1
    return this.#boosts.get(this.pageOf(section)) ?? 1
  }
}
