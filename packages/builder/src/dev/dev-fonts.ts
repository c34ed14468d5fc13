/** Loads fonts that docs.json names by URL or family, for the development server. */
import { copyFetcher } from '../load/fetchers.ts'
import { HostedFonts } from '../load/fonts/hosted-fonts.ts'
import type { FontOutcome, SpecificationFetcher } from '../load/specification-fetcher.ts'

export class DevFonts {
  readonly #hosted = new HostedFonts()

  startLoad(): HostedFonts {
    return this.#hosted.startLoad()
  }

  /** Returns true if a font was requested that was not loaded before. */
  async fetch(fetcher: Pick<SpecificationFetcher, 'fetchFont'>): Promise<boolean> {
    const { missing } = this.#hosted
    await this.#hosted.fetch(missing, fetcher)
    return missing.length > 0
  }

  /**
   * Uses the copies of earlier runs. A font without a copy is pending until it has been requested
   * from the network.
   */
  useCopies(cacheFolder: string): Promise<boolean> {
    const copies = copyFetcher(cacheFolder)
    const fetchFont = async (source: string): Promise<FontOutcome> => {
      const outcome = await copies.fetchFont(source)
      return outcome.kind === 'failed' ? { kind: 'pending' } : outcome
    }
    return this.fetch({ fetchFont })
  }
}
