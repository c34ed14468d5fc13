/** A source tree → a loaded site, with the hosted specifications that it names. */
import type { SourceTree } from '../source/source-tree.ts'
import { HostedSpecifications } from './hosted-specifications.ts'
import { type PageHead, readPageHead } from './load-pages.ts'
import { type LoadResult, loadSite } from './load-site.ts'
import type { SpecificationFetcher } from './specification-fetcher.ts'

/**
 * What a site needs is known only when it is loaded, and a document that is there now may show that
 * another one is needed. So the site is loaded until it asks for nothing new; the limit of
 * `HostedSpecifications` ends that for certain.
 */
export async function openSite(
  tree: SourceTree,
  fetcher: SpecificationFetcher,
): Promise<LoadResult> {
  const hosted = new HostedSpecifications()
  const headOf = rememberHeads(tree)
  for (;;) {
    const result = loadSite(tree, { hosted, headOf })
    if (hosted.unfetched.length === 0) return result
    await hosted.fetch(fetcher)
  }
}

/** Reading the heads of all pages takes most of the time, and they are the same each time. */
function rememberHeads(tree: SourceTree): (file: string) => PageHead {
  const heads = new Map<string, PageHead>()
  return (file) => {
    const head = heads.get(file) ?? readPageHead(tree, file)
    heads.set(file, head)
    return head
  }
}
