/** Loads a site from a source tree, with its hosted specifications and fonts. */
import type { SourceTree } from '../source/source-tree.ts'
import { hostedFonts } from './fonts/load-fonts.ts'
import { HostedSpecifications } from './hosted-specifications.ts'
import { type PageHead, readPageHead } from './load-pages.ts'
import { type LoadResult, loadSite } from './load-site.ts'
import type { FontOutcome, SpecificationFetcher } from './specification-fetcher.ts'

/**
 * Loads the site until it needs nothing new: only a loaded site shows what it needs, and a fetched
 * document may require another one. The limit of `HostedSpecifications` guarantees an end.
 */
export async function openSite(
  tree: SourceTree,
  fetcher: SpecificationFetcher,
): Promise<LoadResult> {
  const hosted = new HostedSpecifications()
  const headOf = cacheHeads(tree)
  const fonts = new Map<string, FontOutcome>()
  for (;;) {
    const result = loadSite(tree, { hosted, headOf, fonts })
    const named = result.site === undefined ? [] : hostedFonts(result.site.config)
    const wanted = named.filter((url) => !fonts.has(url))
    if (hosted.unfetched.length === 0 && wanted.length === 0) return result
    await Promise.all([hosted.fetch(fetcher), fetchFonts(wanted, fetcher, fonts)])
  }
}

/** Fetches fonts and adds their outcomes to `fonts`. */
export async function fetchFonts(
  urls: readonly string[],
  { fetchFont }: SpecificationFetcher,
  fonts: Map<string, FontOutcome>,
): Promise<void> {
  const fetching = urls.map(async (url) => {
    fonts.set(url, (await fetchFont?.(url)) ?? { kind: 'pending' })
  })
  await Promise.all(fetching)
}

/** Caches page heads between loads, since reading them takes most of the time. */
function cacheHeads(tree: SourceTree): (file: string) => PageHead {
  const heads = new Map<string, PageHead>()
  return (file) => {
    const head = heads.get(file) ?? readPageHead(tree, file)
    heads.set(file, head)
    return head
  }
}
