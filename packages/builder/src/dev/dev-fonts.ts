/** Fonts that docs.json names by URL, for the development server. */
import type { Config } from '@octavo/model'
import { copyFetcher } from '../load/fetch-specifications.ts'
import { hostedFonts } from '../load/fonts/load-fonts.ts'
import { fetchFonts } from '../load/open-site.ts'
import type { FontOutcome, SpecificationFetcher } from '../load/specification-fetcher.ts'

export class DevFonts {
  readonly outcomes = new Map<string, FontOutcome>()

  /** True if a font was requested that was not loaded before. */
  async fetch(config: Config | undefined, fetcher: SpecificationFetcher): Promise<boolean> {
    const named = config === undefined ? [] : hostedFonts(config)
    const wanted = named.filter((url) => this.outcomes.get(url)?.kind !== 'loaded')
    await fetchFonts(wanted, fetcher, this.outcomes)
    return wanted.length > 0
  }

  /** Uses the copies of earlier runs. A missing copy is pending until the network was tried. */
  useCopies(config: Config | undefined, cacheFolder: string): Promise<boolean> {
    const copies = copyFetcher(cacheFolder)
    const fetchFont = async (url: string): Promise<FontOutcome> => {
      const outcome = await copies.fetchFont?.(url)
      return outcome?.kind === 'loaded' ? outcome : { kind: 'pending' }
    }
    return this.fetch(config, { ...copies, fetchFont })
  }
}
