/** Collects the outcomes of a site's hosted specifications while the site is being loaded. */
import type { SpecificationFetcher, SpecificationOutcome } from './specification-fetcher.ts'

/** Maximum number of hosted documents: fetching each of them may take 20 seconds. */
export const HOSTED_SPECIFICATIONS_MAX = 100

const TOO_MANY: SpecificationOutcome = {
  kind: 'refused',
  reason: `a site can fetch at most ${HOSTED_SPECIFICATIONS_MAX} specifications and parts of them`,
  hint: 'Add some of the specifications to the repository, and use their paths instead of URLs.',
}

export class HostedSpecifications {
  readonly #known: ReadonlyMap<string, SpecificationOutcome>
  readonly #outcomes = new Map<string, SpecificationOutcome>()
  readonly #unfetched = new Set<string>()
  readonly #parts = new Set<string>()

  /** `known` are the outcomes of an earlier load of the site. */
  constructor(known: ReadonlyMap<string, SpecificationOutcome> = new Map()) {
    this.#known = known
  }

  /** Outcomes of the specifications that the site requested. */
  get outcomes(): ReadonlyMap<string, SpecificationOutcome> {
    return this.#outcomes
  }

  /**
   * Returns the outcome for a URL. Returns undefined if the URL was not fetched yet, and adds it to
   * `unfetched`. A part is a document that a specification refers to.
   */
  outcome(url: string, isPart = false): SpecificationOutcome | undefined {
    if (isPart) this.#parts.add(url)
    const known = this.#outcomes.get(url) ?? this.#known.get(url)
    if (known === undefined) this.#unfetched.add(url)
    else this.#outcomes.set(url, known)
    return known
  }

  /** Requested specifications that have no outcome yet. */
  get unfetched(): readonly string[] {
    return [...this.#unfetched]
  }

  isPart(url: string): boolean {
    return this.#parts.has(url)
  }

  /** Fetches the requested specifications that have no outcome yet. */
  async fetch({ fetch }: SpecificationFetcher): Promise<void> {
    const urls = [...this.#unfetched]
    this.#unfetched.clear()
    const free = Math.max(0, HOSTED_SPECIFICATIONS_MAX - this.#outcomes.size)
    for (const url of urls.slice(free)) this.#outcomes.set(url, TOO_MANY)
    const fetched = await Promise.all(
      urls.slice(0, free).map(async (url) => [url, await fetch(url, this.isPart(url))] as const),
    )
    for (const [url, outcome] of fetched) this.#outcomes.set(url, outcome)
  }
}
