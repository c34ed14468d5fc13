/**
 * Ranks sections for a question and estimates whether any of them answers it. Lexical scores come
 * from the readers' search index; semantic scores, if there are vectors, from comparing all of
 * them.
 */
import { type LanguageWords, languageWords } from '../words/language-words.ts'
import { cutChunks } from './cut-chunks.ts'
import type { ScopeView, Shelf } from './load-shelves.ts'
import { Pace, type Pause } from './pace.ts'
import { likelihoodOf } from './question-likelihood.ts'
import { type QuestionWords, SiteWords, WORDS_UNPAUSED_LENGTH } from './question-words.ts'
import type { FoundSection, LibrarySection, QuestionSupport } from './site-library.ts'
import { VectorTable } from './vector-table.ts'

export type QuestionVectors = {
  /**
   * The vector of a chunk, if it was computed. A section without vectors is found only by its
   * words.
   */
  readonly of: (chunk: string) => Int8Array | undefined
  /** Undefined if the model is unavailable; then words alone decide. */
  readonly embed: (question: string) => Promise<Int8Array | undefined>
  /**
   * Set if the vectors are not from all-MiniLM-L6-v2, the calibrated model, which only supports
   * English. The cosine range of another model is unknown: cosines are scaled relative to each
   * other, and words alone decide whether there is an answer.
   */
  readonly isOtherModel?: boolean
  /** Weight of the lexical score relative to the semantic one; 0 for semantic search only. */
  readonly lexicalShare?: number
}

export type LibraryView = ScopeView & {
  /** Enables semantic search, if the model supports the language. */
  readonly vectors?: QuestionVectors | undefined
}

/** The calibrated model only supports English. */
export function embedsLanguage(
  { code }: Pick<LanguageWords, 'code'>,
  { isOtherModel = false }: Pick<QuestionVectors, 'isOtherModel'>,
): boolean {
  return isOtherModel || code === 'en'
}

/** Maximum results of the lexical search. */
const LEXICAL_MAX = 40
/** Maximum lexical results when combined with semantic search: sections beyond it get a lexical score of 0. */
const FUSED_LEXICAL_MAX = 100
/** Maximum sections after combining both scores. */
const NEAR_MAX = 300
/** Weight of the lexical score; results hardly change between 0.15 and 0.35. */
const LEXICAL_SHARE = 0.25
/** The weight with scaled cosines: with gte-small, 0.3 to 0.7 work well. */
const SCALED_LEXICAL_SHARE = 0.43
/** How much further sections add to a page's score, above a base score that any section has. */
const MORE = { share: 0.2, from: 0.2, sections: 2 } as const
const SECTIONS_PER_PAGE_MAX = 3
/** Sections and pages considered to decide whether there is an answer. */
const DECIDING = { sections: 5, pages: 8 } as const

type Ranked = { readonly section: number; readonly score: number }

export class QuestionRanking {
  readonly #shelves: readonly Shelf[]
  readonly #sections: readonly LibrarySection[]
  readonly #words: SiteWords
  /** Without `of`, which may hold the vectors of all readers. */
  readonly #vectors: Omit<QuestionVectors, 'of'> | undefined
  readonly #table: VectorTable | undefined
  readonly #pause: Pause | undefined

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

  async rank(question: string): Promise<readonly FoundSection[]> {
    const cosines = await this.#cosines(question)
    const ranked =
      cosines === undefined
        ? await this.#lexical(question, LEXICAL_MAX)
        : this.#fuse(await this.#lexical(question, FUSED_LEXICAL_MAX), cosines)
    return ranked.flatMap(({ section: number, score }) => {
      const section = this.#sections[number]
      return section === undefined ? [] : [{ section, score }]
    })
  }

  async support(question: string): Promise<QuestionSupport> {
    await this.#words.count(this.#pause)
    const words = this.#words.parse(question)
    const lexical = await this.#lexical(question, LEXICAL_MAX)
    const signals = [...(await this.#lexicalSignals(words, lexical))]
    const cosines = await this.#cosines(question)
    if (cosines !== undefined && !this.#vectors?.isOtherModel)
      signals.push(...this.#vectorSignals(lexical, cosines))
    return { likelihood: likelihoodOf(signals), signals }
  }

  /** Returns the best page first, and for each page its best sections. */
  async #lexical(question: string, limit: number): Promise<readonly Ranked[]> {
    let first = 0
    const asked = this.#shelves.map(async ({ engine, sections }) => {
      const start = first
      first += sections.length
      // The space marks the last word as complete.
      const { pages } = await engine.find(`${question} `, limit)
      return pages.flat().map(({ section, score }) => ({ section: start + section, score }))
    })
    const found = (await Promise.all(asked)).flat()
    // The order of one index takes whole pages into account; across several, only scores are
    // comparable.
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

  async #lexicalSignals(
    words: QuestionWords,
    lexical: readonly Ranked[],
  ): Promise<readonly number[]> {
    const pace = new Pace(this.#pause, WORDS_UNPAUSED_LENGTH)
    const best = lexical.slice(0, DECIDING.pages).flatMap(({ section }) => {
      return this.#sections[section] ?? []
    })
    const inSection: number[] = []
    for (const section of best.slice(0, DECIDING.sections)) {
      const terms = this.#words.termsOf(section)
      inSection.push(this.#words.share(words, (term) => terms.has(term)))
      await pace.after(section.text.length)
    }
    const pages = new Map(best.map(({ page }) => [page, new Set<string>()]))
    const wanted = new Set(words.words.flatMap(({ term, others }) => [term, ...others]))
    for (const section of this.#sections) {
      const found = pages.get(section.page)
      if (found === undefined) continue
      for (const term of this.#words.termsOf(section)) if (wanted.has(term)) found.add(term)
      await pace.after(section.text.length)
    }
    const inPage = [...pages.values()].map((found) => {
      return this.#words.share(words, (term) => found.has(term))
    })
    const known = this.#words.share(words, (term) => this.#words.knows(term))
    return [
      known,
      inSection[0] ?? 0,
      Math.max(0, ...inSection),
      inPage[0] ?? 0,
      Math.max(0, ...inPage),
      words.unknownName,
    ]
  }

  #vectorSignals(lexical: readonly Ranked[], cosines: Float64Array): readonly number[] {
    const near = nearest(cosines, DECIDING.sections)
    const [first] = near
    const pages = [...new Set(lexical.map(({ section }) => this.#sections[section]?.page))]
    const place = pages.indexOf(this.#sections[first?.section ?? -1]?.page)
    const best = lexical[0]?.section
    return [
      first?.score ?? 0,
      place < 0 ? 0 : 1 / (1 + place),
      best === undefined ? 0 : (cosines[best] ?? 0),
      near.at(-1)?.score ?? 0,
    ]
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

/** Returns the best first. Sorting all sections would take longer than comparing them. */
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
