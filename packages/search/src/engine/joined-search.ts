/**
 * Searches several indexes as if they were one. Pages with different access are in different
 * indexes, and a reader searches all those that they may read.
 */
import type { RankedSection } from './rank-sections.ts'
import type { FoundPages, SearchEngine, SearchHit } from './search-engine.ts'

type Engine = Pick<SearchEngine, 'tabs' | 'tabOf' | 'warm' | 'find' | 'load'>
type FoundPage = readonly RankedSection[]

export class JoinedSearch implements Engine {
  readonly #engines: readonly Engine[]
  /** Maps each found page to its index. */
  readonly #engineOf = new WeakMap<FoundPage, Engine>()

  constructor(engines: readonly Engine[]) {
    this.#engines = engines
  }

  get tabs(): readonly string[] {
    return [...new Set(this.#engines.flatMap(({ tabs }) => tabs))]
  }

  tabOf(page: FoundPage): string {
    return this.#engineOf.get(page)?.tabOf(page) ?? ''
  }

  /** Preloads the data that every query needs. */
  async warm(): Promise<void> {
    await Promise.all(this.#engines.map((engine) => engine.warm()))
  }

  /** Returns at most `limit` sections. Scores of different indexes are compared directly. */
  async find(text: string, limit: number): Promise<FoundPages> {
    const found = await Promise.all(
      this.#engines.map(async (engine) => {
        const answer = await engine.find(text, limit)
        for (const page of answer.pages) this.#engineOf.set(page, engine)
        return answer
      }),
    )
    const best = found.flatMap(({ pages }) => pages).sort((a, b) => scoreOf(b) - scoreOf(a))
    let count = 0
    const pages = best.filter(({ length }) => {
      count += length
      return count <= limit
    })
    return { pages, terms: new Set(found.flatMap(({ terms }) => [...terms])) }
  }

  /** Loads the texts of found pages. */
  async load(pages: readonly FoundPage[]): Promise<readonly SearchHit[]> {
    const hits = await Promise.all(pages.map((page) => this.#engineOf.get(page)?.load([page])))
    return hits.flatMap((own) => own ?? [])
  }
}

function scoreOf([best]: FoundPage): number {
  return best?.score ?? 0
}
