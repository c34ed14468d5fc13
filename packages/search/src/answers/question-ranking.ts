/**
 * Finds and ranks sections for a question. Lexical scores come from the search index of the site.
 * Semantic scores, if there are vectors, come from comparing the question with all of them.
 */
import { type LanguageWords, languageWords } from '../words/language-words.ts'
import type { AnswerWeights } from './answer-likelihood.ts'
import { cutChunks } from './cut-chunks.ts'
import type { ScopeView, Shelf } from './load-shelves.ts'
import { Pace, type Pause } from './pace.ts'
import { preselectCandidates } from './preselect-candidates.ts'
import { SiteWords, WORDS_UNPAUSED_LENGTH } from './question-words.ts'
import { type RankedCandidate, rankCandidates } from './rank-candidates.ts'
import { MEANING_WEIGHTS, WORDS_WEIGHTS } from './ranking-weights.ts'
import {
  type AskedQuestion,
  askedQuestion,
  type Candidate,
  measureCandidates,
} from './section-signals.ts'
import type { FoundSection, LibrarySection } from './site-library.ts'
import { VectorTable } from './vector-table.ts'

export type QuestionVectors = {
  /**
   * Returns the vector of a chunk, or undefined if none was computed. A section without vectors can
   * only be found by its words.
   */
  readonly of: (chunk: string) => Int8Array | undefined
  /** Returns undefined if the model is unavailable; sections are then found by words alone. */
  readonly embed: (question: string) => Promise<Int8Array | undefined>
  /**
   * Set if the vectors are not from all-MiniLM-L6-v2, the calibrated model, which only supports
   * English. The cosine range of another model is unknown, so cosines are scaled relative to each
   * other.
   */
  readonly isOtherModel?: boolean
  /** Weight of the lexical score relative to the semantic one; 0 for semantic search only. */
  readonly lexicalShare?: number
}

export type LibraryView = ScopeView & {
  /** Enables semantic search, if the model supports the language. */
  readonly vectors?: QuestionVectors | undefined
}

/** Checks whether a language has vectors: the calibrated model only supports English. */
export function embedsLanguage(
  { code }: Pick<LanguageWords, 'code'>,
  { isOtherModel = false }: Pick<QuestionVectors, 'isOtherModel'>,
): boolean {
  return isOtherModel || code === 'en'
}

/** Maximum results of the lexical search. */
const LEXICAL_MAX = 40
/**
 * Maximum lexical results when combined with semantic search; all other sections have a lexical
 * score of 0.
 */
const FUSED_LEXICAL_MAX = 100
/** Maximum sections after combining both scores. */
const NEAR_MAX = 300
/** Weight of the lexical score; results hardly change between 0.15 and 0.35. */
const LEXICAL_SHARE = 0.25
/** Weight of the lexical score if cosines are scaled; with gte-small, 0.3 to 0.7 work well. */
const SCALED_LEXICAL_SHARE = 0.43
/**
 * How much the other sections of a page add to its score: a share of the part of their score above
 * `from`, which nearly every section reaches.
 */
const MORE = { share: 0.2, from: 0.2, sections: 2 } as const
const SECTIONS_PER_PAGE_MAX = 3
/** Maximum pages whose sections are all considered as matches, and maximum sections per page. */
const PAGES_MAX = 15
const SECTIONS_OF_PAGE_MAX = 60

export type RankedQuestion = {
  readonly question: AskedQuestion
  readonly found: readonly FoundSection[]
  readonly ranked: readonly RankedCandidate[]
  /** The weights that decide whether an excerpt is an answer. */
  readonly answerWeights: AnswerWeights
}

type NearSections = {
  /** The URL of the page that the reader views. */
  readonly page: string | undefined
  /** The cosine of each section; undefined without vectors. */
  readonly cosines: Float64Array | undefined
}

type Ranked = { readonly section: number; readonly score: number }

export class QuestionRanking {
  readonly #shelves: readonly Shelf[]
  readonly #sections: readonly LibrarySection[]
  readonly #words: SiteWords
  /** The vectors without `of`, which may keep the vectors of all readers in memory. */
  readonly #vectors: Omit<QuestionVectors, 'of'> | undefined
  readonly #table: VectorTable | undefined
  readonly #pause: Pause | undefined
  /** The numbers of the sections of each page. */
  #byPage: ReadonlyMap<string | undefined, readonly number[]> | undefined

  constructor(
    shelves: readonly Shelf[],
    { vectors, pause }: Pick<LibraryView, 'vectors' | 'pause'>,
  ) {
    this.#pause = pause
    this.#shelves = shelves
    this.#sections = shelves.flatMap(({ sections }) => sections)
    const language = shelves[0]?.language ?? languageWords('')
    this.#words = new SiteWords(this.#sections, language)
    if (vectors === undefined || !embedsLanguage(language, vectors)) return
    const { of, ...rest } = vectors
    this.#vectors = rest
    this.#table = createTable(this.#sections, of)
  }

  get vectorBytes(): number {
    return this.#table?.bytes ?? 0
  }

  /** Estimated memory of the index, the words and the vectors. */
  get cacheBytes(): number {
    const files = this.#shelves.reduce((sum, { kept }) => sum + kept.heldBytes, 0)
    return this.vectorBytes + this.#words.cacheBytes + files
  }

  /**
   * Returns sections, best first. With vectors, they are in the order of the combined scores, which
   * finds more pages than the order by signals.
   */
  async search(text: string): Promise<readonly FoundSection[]> {
    const { found, ranked } = await this.rankSections(text)
    if (this.#table !== undefined) return found
    const known = new Set(ranked.map(({ section }) => section))
    const least = Math.min(0, ...ranked.map(({ score }) => score))
    const rest = found
      .filter(({ section }) => !known.has(section))
      .map(({ section }, place) => ({ section, score: least - place - 1 }))
    return [...ranked.map(({ section, score }) => ({ section, score })), ...rest]
  }

  /** Returns the sections that the index and the vectors find, grouped by page. */
  async #find(
    question: string,
    cosines: Float64Array | undefined,
  ): Promise<readonly FoundSection[]> {
    const ranked =
      cosines === undefined
        ? await this.#lexical(question, LEXICAL_MAX)
        : this.#fuse(await this.#lexical(question, FUSED_LEXICAL_MAX), cosines)
    return ranked.flatMap(({ section: number, score }) => {
      const section = this.#sections[number]
      return section === undefined ? [] : [{ section, score }]
    })
  }

  /** Returns all sections of the best pages, starting with the most likely answer. */
  async rankSections(text: string, page?: string): Promise<RankedQuestion> {
    await this.#words.count(this.#pause)
    const cosines = await this.#cosines(text)
    const found = await this.#find(text, cosines)
    const question = askedQuestion(text, this.#words)
    const near = this.#candidates(found, { page, cosines })
    const candidates = preselectCandidates(near, question.words)
    const pace = new Pace(this.#pause, WORDS_UNPAUSED_LENGTH)
    const measured = await measureCandidates(candidates, question, pace)
    const weights = cosines === undefined ? WORDS_WEIGHTS : MEANING_WEIGHTS
    const ranked = rankCandidates(measured, weights.sections, page)
    return { question, found, ranked, answerWeights: weights.answers }
  }

  /** Returns the sections of the best pages, and always those of the page that the reader views. */
  #candidates(
    found: readonly FoundSection[],
    { page, cosines }: NearSections,
  ): readonly Candidate[] {
    this.#byPage ??= Map.groupBy(
      this.#sections.keys(),
      (number) => this.#sections[number]?.page.url,
    )
    const best = Math.max(...found.map(({ score }) => score), Number.MIN_VALUE)
    const scores = new Map(found.map(({ section, score }) => [section, score / best]))
    const pages = [...new Set(found.map(({ section }) => section.page.url))].slice(0, PAGES_MAX)
    if (page !== undefined && !pages.includes(page)) pages.push(page)
    return pages.flatMap((url, pagePlace) => {
      const numbers = this.#byPage?.get(url)?.slice(0, SECTIONS_OF_PAGE_MAX) ?? []
      return numbers.flatMap((number) => {
        const section = this.#sections[number]
        if (section === undefined) return []
        const indexed = scores.get(section) ?? 0
        return [{ section, pagePlace, indexed, cosine: cosines?.[number] }]
      })
    })
  }

  /**
   * Returns sections that match by words: the best page first, and for each page its best sections.
   */
  async #lexical(question: string, limit: number): Promise<readonly Ranked[]> {
    let first = 0
    const searches = this.#shelves.map(async ({ engine, sections }) => {
      const start = first
      first += sections.length
      // A trailing space marks the last word as complete.
      const { pages } = await engine.find(`${question} `, limit)
      return pages.flat().map(({ section, score }) => ({ section: start + section, score }))
    })
    const found = (await Promise.all(searches)).flat()
    // Within one index, the order takes whole pages into account. Across several indexes, only
    // scores are comparable.
    return this.#shelves.length > 1 ? found.sort((a, b) => b.score - a.score) : found
  }

  async #cosines(question: string): Promise<Float64Array | undefined> {
    if (this.#table === undefined || this.#vectors === undefined) return undefined
    const vector = await this.#vectors.embed(question)
    if (vector?.length !== this.#table.size) return undefined
    return this.#table.compare(vector, { sections: this.#sections.length, none: 0 })
  }

  #fuse(lexical: readonly Ranked[], cosines: Float64Array): readonly Ranked[] {
    const most = Math.max(...lexical.map(({ score }) => score), Number.MIN_VALUE)
    const { isOtherModel = false, lexicalShare } = this.#vectors ?? {}
    const scores = isOtherModel ? scaled(cosines) : cosines.slice()
    const share = lexicalShare ?? (isOtherModel ? SCALED_LEXICAL_SHARE : LEXICAL_SHARE)
    for (const { section, score } of lexical)
      scores[section] = (scores[section] ?? 0) + (share * score) / most
    const near = nearest(scores, NEAR_MAX)
    const byPage = Map.groupBy(near, ({ section }) => this.#sections[section]?.page)
    return [...byPage.values()]
      .map((own) => ({ own, score: pageScore(own) }))
      .sort((a, b) => b.score - a.score)
      .flatMap(({ own }) => own.slice(0, SECTIONS_PER_PAGE_MAX))
  }
}

function createTable(
  sections: readonly LibrarySection[],
  vectorOf: QuestionVectors['of'],
): VectorTable {
  const rows = sections.flatMap((section, number) =>
    cutChunks(section).flatMap((chunk) => {
      const vector = vectorOf(chunk)
      return vector === undefined ? [] : [{ section: number, vector }]
    }),
  )
  return new VectorTable(rows)
}

/**
 * Returns the sections with the highest scores, best first. Sorting all of them would take longer
 * than comparing their vectors.
 */
function nearest(scores: Float64Array, limit: number): readonly Ranked[] {
  const best = (ranked: readonly Ranked[]) =>
    ranked.toSorted((a, b) => b.score - a.score).slice(0, limit)
  let found: Ranked[] = []
  let least = Number.NEGATIVE_INFINITY
  for (const [section, score] of scores.entries()) {
    if (score <= least) continue
    found.push({ section, score })
    if (found.length < limit * 2) continue
    found = best(found)
    least = found.at(-1)?.score ?? least
  }
  return best(found)
}

/** Scales cosines to 0 for the farthest section and 1 for the nearest. */
function scaled(cosines: Float64Array): Float64Array {
  const [least, most] = cosines.reduce(
    ([low, high], cosine) => [Math.min(low, cosine), Math.max(high, cosine)] as const,
    [1, -1] as readonly [number, number],
  )
  return cosines.map((cosine) => (cosine - least) / (most - least || 1))
}

function pageScore(ranked: readonly Ranked[]): number {
  const [first = 0, ...rest] = ranked.map(({ score }) => score)
  const more = rest.slice(0, MORE.sections).map((score) => Math.max(0, score - MORE.from))
  return first + MORE.share * more.reduce((sum, score) => sum + score, 0)
}
