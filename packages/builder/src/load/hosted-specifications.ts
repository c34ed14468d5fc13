/** What is known of the hosted specifications of a site, while it is being loaded. */
import type { SpecificationFetcher, SpecificationOutcome } from './specification-fetcher.ts'

/** A site that names more is refused the rest: each of them can take its 20 seconds. */
export const HOSTED_SPECIFICATIONS_MAX = 100

const TOO_MANY: SpecificationOutcome = {
  kind: 'refused',
  reason: `a site can fetch at most ${HOSTED_SPECIFICATIONS_MAX} specifications`,
  hint: 'Add specifications to the repository and use their paths.',
}

export class HostedSpecifications {
  readonly #known: ReadonlyMap<string, SpecificationOutcome>
  readonly #outcomes = new Map<string, SpecificationOutcome>()
  readonly #unfetched = new Set<string>()

  /** `known` are outcomes from before, for a site that is loaded again. */
  constructor(known: ReadonlyMap<string, SpecificationOutcome> = new Map()) {
    this.#known = known
  }

  /** Of those that were asked for. */
  get outcomes(): ReadonlyMap<string, SpecificationOutcome> {
    return this.#outcomes
  }

  /** Nothing for one that was not fetched yet; it is remembered as wanted. */
  outcome(url: string): SpecificationOutcome | undefined {
    const known = this.#outcomes.get(url) ?? this.#known.get(url)
    if (known === undefined) this.#unfetched.add(url)
    else this.#outcomes.set(url, known)
    return known
  }

  /** Those that were asked for and are not known. */
  get unfetched(): readonly string[] {
    return [...this.#unfetched]
  }

  /** Fetches what was asked for and is not known. */
  async fetch({ fetch }: SpecificationFetcher): Promise<void> {
    const urls = [...this.#unfetched]
    this.#unfetched.clear()
    const free = Math.max(0, HOSTED_SPECIFICATIONS_MAX - this.#outcomes.size)
    for (const url of urls.slice(free)) this.#outcomes.set(url, TOO_MANY)
    const fetched = await Promise.all(
      urls.slice(0, free).map(async (url) => [url, await fetch(url)] as const),
    )
    for (const [url, outcome] of fetched) this.#outcomes.set(url, outcome)
  }
}
