/** The outcomes of a site's hosted specifications while it is being loaded. */
import type { SpecificationFetcher, SpecificationOutcome } from './specification-fetcher.ts'

/** A site may not fetch more than this: each can take 20 seconds. */
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

  /** `known` are earlier outcomes, for a site that is loaded again. */
  constructor(known: ReadonlyMap<string, SpecificationOutcome> = new Map()) {
    this.#known = known
  }

  /** Outcomes of the requested specifications. */
  get outcomes(): ReadonlyMap<string, SpecificationOutcome> {
    return this.#outcomes
  }

  /** Undefined if it was not fetched yet; it is then added to `unfetched`. */
  outcome(url: string): SpecificationOutcome | undefined {
    const known = this.#outcomes.get(url) ?? this.#known.get(url)
    if (known === undefined) this.#unfetched.add(url)
    else this.#outcomes.set(url, known)
    return known
  }

  /** Requested specifications without an outcome. */
  get unfetched(): readonly string[] {
    return [...this.#unfetched]
  }

  /** Fetches the requested specifications without an outcome. */
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
