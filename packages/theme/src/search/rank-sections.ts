/** Sections that have the words of a query → sections in the order of how well they answer it. */
import {
  HEADING_WEIGHT,
  HEADING_WORDS_MAX,
  type Postings,
  type SearchRoot,
  TITLE_WEIGHT,
} from './index-format.ts'

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
  const best = criteria.map(({ matches }) => bestOf(matches, count))
  const wordCount = Math.max(0, ...criteria.flatMap(({ covers }) => covers)) + 1
  const weights = wordWeights(criteria, wordCount, count)
  const touched = new Set(best.flatMap(({ sections }) => sections))
  const scorer = new SectionScorer({ criteria, best, weights, pages })
  const ranked: RankedSection[] = []
  for (const section of touched) ranked.push({ section, score: scorer.score(section) })
  ranked.sort((a, b) => b.score - a.score || a.section - b.section)
  return ranked.slice(0, limit)
}

/** For one criterion: how much each section says, and by which kind of place. */
type Found = {
  readonly sections: number[]
  readonly values: Float32Array
  readonly kinds: Uint8Array
}

function bestOf(matches: Criterion['matches'], count: number): Found {
  const found: Found = {
    sections: [],
    values: new Float32Array(count),
    kinds: new Uint8Array(count),
  }
  for (const { postings, quality } of matches) {
    for (const [index, section] of postings.sections.entries()) {
      if (section >= count) continue
      const weight = postings.weights[index] ?? 0
      const value = (WEIGHTS[weight] ?? 1) * quality
      const before = found.values[section] ?? 0
      if (before === 0) found.sections.push(section)
      if (value <= before) continue
      found.values[section] = value
      found.kinds[section] = weight
    }
  }
  return found
}

/** Rare words say more. */
function wordWeights(
  criteria: readonly Criterion[],
  wordCount: number,
  sectionCount: number,
): readonly number[] {
  return Array.from({ length: wordCount }, (_, word) => {
    const own = criteria.find(({ covers }) => covers.length === 1 && covers[0] === word)
    const total = own?.matches.reduce((sum, { postings }) => sum + postings.total, 0) ?? 0
    const inSections = Math.min(total, sectionCount)
    return Math.log(1 + (sectionCount - inSections + 0.5) / (inSections + 0.5))
  })
}

type ScorerInput = {
  readonly criteria: readonly Criterion[]
  readonly best: readonly Found[]
  readonly weights: readonly number[]
  readonly pages: PageTable
}

class SectionScorer {
  readonly #input: ScorerInput
  readonly #total: number

  constructor(input: ScorerInput) {
    this.#input = input
    this.#total = input.weights.reduce((sum, weight) => sum + weight, 0)
  }

  score(section: number): number {
    const { weights, pages } = this.#input
    const top = pages.topOf(section)
    let sum = 0
    let covered = 0
    let inHeading = 0
    let headingWords = 0
    for (const [word, weight] of weights.entries()) {
      const { value, kind } = this.#word(section, word)
      if (kind >= HEADING_WEIGHT) {
        inHeading += 1
        headingWords = wordsOf(kind)
      }
      const inTitle = section === top ? undefined : this.#word(top, word)
      const isTitle = inTitle !== undefined && inTitle.kind >= TITLE_WEIGHT
      const around = isTitle ? inTitle.value * TITLE_SHARE : 0
      sum += weight * Math.max(value, around + value * 0.9)
      if (value > 0) covered += weight
      else if (isTitle) covered += weight * 0.6
    }
    const share = this.#total === 0 ? 1 : covered / this.#total
    return sum * share * share * this.#exactness(inHeading, headingWords) * pages.boostOf(section)
  }

  /** The more of a heading the query is, and of the query the heading, the better. */
  #exactness(inHeading: number, headingWords: number): number {
    if (inHeading === 0) return 1
    const ofHeading = Math.min(1, inHeading / headingWords)
    const ofQuery = inHeading / this.#input.weights.length
    return 1 + ofHeading * ofQuery
  }

  #word(section: number, word: number): { readonly value: number; readonly kind: number } {
    let value = 0
    let kind = 0
    for (const [index, { covers }] of this.#input.criteria.entries()) {
      const found = this.#input.best[index]?.values[section] ?? 0
      if (found <= value || !covers.includes(word)) continue
      value = found
      kind = this.#input.best[index]?.kinds[section] ?? 0
    }
    return { value, kind }
  }
}

/** How many words a heading or title has. */
function wordsOf(kind: number): number {
  const base = kind >= TITLE_WEIGHT ? TITLE_WEIGHT : HEADING_WEIGHT
  return HEADING_WORDS_MAX - (kind - base)
}

/** Which section belongs to which page. */
export class PageTable {
  readonly sectionCount: number
  readonly #firsts: Uint32Array
  readonly #boosts: ReadonlyMap<number, number>

  constructor({ sections, boosts }: Pick<SearchRoot, 'sections' | 'boosts'>) {
    this.#firsts = new Uint32Array(sections.length)
    let first = 0
    for (const [page, count] of sections.entries()) {
      this.#firsts[page] = first
      first += count
    }
    this.sectionCount = first
    this.#boosts = new Map(boosts)
  }

  pageOf(section: number): number {
    let low = 0
    let high = this.#firsts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#firsts[middle] ?? 0) <= section) low = middle + 1
      else high = middle
    }
    return low - 1
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
