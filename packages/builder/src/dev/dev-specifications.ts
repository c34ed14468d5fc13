/**
 * The hosted specifications of a site while it is being written. Loading never waits for them: a site
 * begins with the copies of earlier runs, and is loaded again when the network has answered.
 */
import { isDeepStrictEqual } from 'node:util'
import { copyFetcher } from '../load/fetch-specifications.ts'
import { HostedSpecifications } from '../load/hosted-specifications.ts'
import type { SpecificationFetcher, SpecificationOutcome } from '../load/specification-fetcher.ts'

export type DevSpecificationsOptions = {
  readonly cacheFolder: string
  /** Brings hosted specifications, anew for each time. Without it copies are all there is. */
  readonly createFetcher?: () => SpecificationFetcher
}

export class DevSpecifications {
  readonly #options: DevSpecificationsOptions
  /** Also of those that the site does not name at the moment. */
  readonly #known = new Map<string, SpecificationOutcome>()
  #hosted = new HostedSpecifications()

  constructor(options: DevSpecificationsOptions) {
    this.#options = options
  }

  /** Of those that the site named when it was last loaded. */
  get outcomes(): ReadonlyMap<string, SpecificationOutcome> {
    return this.#hosted.outcomes
  }

  /** How many the site names. */
  get count(): number {
    return this.outcomes.size + this.#hosted.unfetched.length
  }

  /** True when the site names one that nobody has tried to fetch. */
  get hasUnfetched(): boolean {
    return this.#hosted.unfetched.length > 0
  }

  /** For one load of the site. */
  startLoad(): HostedSpecifications {
    this.#hosted = new HostedSpecifications(this.#known)
    return this.#hosted
  }

  /** The copies of earlier runs, until the network has answered. */
  async useCopies(load: () => void): Promise<void> {
    const copies = copyFetcher(this.#options.cacheFolder)
    const urls = this.#hosted.unfetched
    for (const url of urls) {
      const outcome = await copies.fetch(url)
      this.#known.set(url, outcome.kind === 'loaded' ? outcome : { kind: 'pending' })
    }
    if (urls.length > 0) load()
  }

  /** Fetches all that the site names. True when it was loaded again, since they are others now. */
  async fetch(load: () => void): Promise<boolean> {
    const { createFetcher, cacheFolder } = this.#options
    const fetcher = createFetcher?.() ?? copyFetcher(cacheFolder)
    let hasLoaded = false
    let wanted = [...this.outcomes.keys(), ...this.#hosted.unfetched]
    while (wanted.length > 0) {
      const fetched = new HostedSpecifications()
      for (const url of wanted) fetched.outcome(url)
      await fetched.fetch(fetcher)
      const changed = [...fetched.outcomes].filter(
        ([url, outcome]) => !isDeepStrictEqual(outcome, this.#known.get(url)),
      )
      for (const [url, outcome] of changed) this.#known.set(url, outcome)
      if (changed.length > 0) load()
      hasLoaded ||= changed.length > 0
      // Files may have been saved meanwhile, and a document may show that another one is needed.
      wanted = [...this.#hosted.unfetched]
    }
    return hasLoaded
  }
}
