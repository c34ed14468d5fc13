/** The fonts that docs.json names at web addresses, while a site is being written. */
import type { Config } from '@octavo/model'
import { copyFetcher } from '../load/fetch-specifications.ts'
import { hostedFonts } from '../load/fonts/load-fonts.ts'
import { fetchFonts } from '../load/open-site.ts'
import type { FontOutcome, SpecificationFetcher } from '../load/specification-fetcher.ts'

export class DevFonts {
  readonly outcomes = new Map<string, FontOutcome>()

  /** True when there is one that was not there before. */
  async fetch(config: Config | undefined, fetcher: SpecificationFetcher): Promise<boolean> {
    const named = config === undefined ? [] : hostedFonts(config)
    const wanted = named.filter((url) => this.outcomes.get(url)?.kind !== 'loaded')
    await fetchFonts(wanted, fetcher, this.outcomes)
    return wanted.length > 0
  }

  /** The copies of earlier runs. One that is missing is no mistake before the network was asked. */
  useCopies(config: Config | undefined, cacheFolder: string): Promise<boolean> {
    const copies = copyFetcher(cacheFolder)
    const fetchFont = async (url: string): Promise<FontOutcome> => {
      const outcome = await copies.fetchFont?.(url)
      return outcome?.kind === 'loaded' ? outcome : { kind: 'pending' }
    }
    return this.fetch(config, { ...copies, fetchFont })
  }
}
