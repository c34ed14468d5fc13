/** Loads a site from a source tree, and fetches its hosted specifications and fonts. */
import type { SourceTree } from '../source/source-tree.ts'
import { HostedFonts } from './fonts/hosted-fonts.ts'
import { HostedSpecifications } from './hosted-specifications.ts'
import { type PageHead, readPageHead } from './load-pages.ts'
import { type LoadResult, loadSite } from './load-site.ts'
import type { SpecificationFetcher } from './specification-fetcher.ts'

/**
 * Loads the site repeatedly until it needs no further documents. Only loading the site shows which
 * documents it needs, and a fetched document may refer to another one. The limit in
 * `HostedSpecifications` guarantees that this ends.
 */
export async function openSite(
  tree: SourceTree,
  fetcher: SpecificationFetcher,
): Promise<LoadResult> {
  const hosted = new HostedSpecifications()
  const headOf = cacheHeads(tree)
  const fonts = new HostedFonts()
  for (;;) {
    const result = loadSite(tree, { hosted, headOf, fonts })
    if (hosted.unfetched.length === 0 && fonts.unfetched.length === 0) return result
    await Promise.all([hosted.fetch(fetcher), fonts.fetch(fonts.unfetched, fetcher)])
  }
}

/**
 * Returns a function that caches page heads between loads, since reading them takes most of the
 * time.
 */
function cacheHeads(tree: SourceTree): (file: string) => PageHead {
  const heads = new Map<string, PageHead>()
  const readHead = (file: string) => readPageHead(tree, file)
  return (file) => {
    const head = heads.get(file) ?? tree.headOf?.(file, () => readHead(file)) ?? readHead(file)
    heads.set(file, head)
    return head
  }
}
