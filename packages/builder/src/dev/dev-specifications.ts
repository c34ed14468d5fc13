/**
 * Manages hosted specifications for the development server. The server never waits for them: a site
 * starts with the copies of earlier runs and is loaded again after they have been fetched.
 */
import { isDeepStrictEqual } from 'node:util'
import { copyFetcher } from '../load/fetchers.ts'
import { HostedSpecifications } from '../load/hosted-specifications.ts'
import type { SpecificationFetcher, SpecificationOutcome } from '../load/specification-fetcher.ts'

export type DevSpecificationsOptions = {
  readonly cacheFolder: string
  /** Creates a fetcher for each run. If it is undefined, only the copies are used. */
  readonly createFetcher?: () => SpecificationFetcher
}

export class DevSpecifications {
  readonly #options: DevSpecificationsOptions
  /**
   * Outcomes by URL, including those of specifications that the site does not use at the moment.
   */
  readonly #known = new Map<string, SpecificationOutcome>()
  #hosted = new HostedSpecifications()

  constructor(options: DevSpecificationsOptions) {
    this.#options = options
  }

  /** Returns the outcomes of the specifications that the last load of the site used. */
  get outcomes(): ReadonlyMap<string, SpecificationOutcome> {
    return this.#hosted.outcomes
  }

  /** Returns the number of hosted specifications that the site uses. */
  get count(): number {
    return this.outcomes.size + this.#hosted.unfetched.length
  }

  /** Returns true if the site uses a specification that was never fetched. */
  get hasUnfetched(): boolean {
    return this.#hosted.unfetched.length > 0
  }

  /** Returns the hosted specifications for the next load of the site. */
  startLoad(): HostedSpecifications {
    this.#hosted = new HostedSpecifications(this.#known)
    return this.#hosted
  }

  /** Uses the copies of earlier runs until the network has responded. */
  async useCopies(load: () => void): Promise<void> {
    const copies = copyFetcher(this.#options.cacheFolder)
    const urls = this.#hosted.unfetched
    for (const url of urls) {
      const outcome = await copies.fetch(url)
      this.#known.set(url, outcome.kind === 'loaded' ? outcome : { kind: 'pending' })
    }
    if (urls.length > 0) load()
  }

  /**
   * Fetches all specifications that the site uses. Returns true if they changed and the site was
   * loaded again.
   */
  async fetch(load: () => void): Promise<boolean> {
    const { createFetcher, cacheFolder } = this.#options
    const fetcher = createFetcher?.() ?? copyFetcher(cacheFolder)
    let hasLoaded = false
    let wanted = [...this.outcomes.keys(), ...this.#hosted.unfetched]
    while (wanted.length > 0) {
      const fetched = new HostedSpecifications()
      for (const url of wanted) fetched.outcome(url, this.#hosted.isPart(url))
      await fetched.fetch(fetcher)
      const changed = [...fetched.outcomes].filter(
        ([url, outcome]) => !isDeepStrictEqual(outcome, this.#known.get(url)),
      )
      for (const [url, outcome] of changed) this.#known.set(url, outcome)
      if (changed.length > 0) load()
      hasLoaded ||= changed.length > 0
      // Files may have changed in the meantime, and a new document may require another one.
      wanted = [...this.#hosted.unfetched]
    }
    return hasLoaded
  }
}
