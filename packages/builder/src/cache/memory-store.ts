import type { CompiledPage } from '../compile/compile-page.ts'
import type { PageFacts } from '../compile/page-facts.ts'
import type { ArtifactStore, PageEntries } from './artifact-store.ts'

/**
 * Maximum number of compiled pages that a server keeps. Each edit adds one, so the oldest are
 * dropped first.
 */
const PAGES_MAX = 2_000

/** Stores compiled pages in memory, in addition to those of an earlier build, and never on disk. */
export class MemoryStore implements ArtifactStore {
  readonly entries: PageEntries
  readonly #earlier: ArtifactStore | undefined
  readonly #pages = new Map<string, CompiledPage>()
  readonly #data = new Map<string, unknown>()

  constructor(earlier?: ArtifactStore) {
    this.#earlier = earlier
    this.entries = earlier?.entries ?? {}
  }

  readonly has = (key: string): boolean => {
    return this.#pages.has(key) || this.#data.has(key) || (this.#earlier?.has(key) ?? false)
  }

  readonly facts = (key: string): PageFacts | undefined =>
    this.#pages.get(key) ?? this.#earlier?.facts(key)

  readonly load = (key: string): CompiledPage | undefined =>
    this.#pages.get(key) ?? this.#earlier?.load(key)

  readonly put = (key: string, page: CompiledPage): void => {
    this.#pages.set(key, page)
    dropOldest(this.#pages)
  }

  readonly loadData = (key: string): unknown => this.#data.get(key) ?? this.#earlier?.loadData(key)

  readonly putData = (key: string, data: unknown): void => {
    this.#data.set(key, data)
    dropOldest(this.#data)
  }

  readonly finish = (): void => {}
}

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys()
  if (map.size > PAGES_MAX && oldest !== undefined) map.delete(oldest)
}
