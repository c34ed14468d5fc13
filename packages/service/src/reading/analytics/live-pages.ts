/** Lists the pages of the live site, and suggests pages for missing paths. */
import { mayRead, nearest } from '@octavo/model'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import type { BlobCache } from '../hosting/blob-cache.ts'
import { pageOfFile } from '../hosting/counted-file.ts'
import { findShown } from '../libraries/shown-deployments.ts'

/** The maximum number of names that are compared with each missing path. */
const COMPARED_MAX = 5_000

export type LivePagesDeps = { readonly database: Database; readonly cache: BlobCache }

/** Returns the sorted paths of all pages; empty if no site is live. */
export async function findLivePages(
  { database, cache }: LivePagesDeps,
  tenant: Tenant,
): Promise<readonly string[]> {
  const { slug } = await new DeploymentStore(database.forProject(tenant)).project()
  const live = await findShown(database, slug)
  if (live === undefined) return []
  const root = await cache.root(live.digest)
  // Excludes the small redirect pages for other hosts, which no reader of this site may see.
  const everyReader = { hasSiteAccess: true, groups: new Set([...root.labels.values()].flat()) }
  const pages: string[] = []
  for (const index of root.runs.keys()) {
    const run = await cache.run(root, index)
    for (const { path, access } of run.all()) {
      const isPage = path.endsWith('.html') && mayRead(everyReader, access)
      const page = isPage ? pageOfFile(path) : undefined
      if (page !== undefined) pages.push(page)
    }
  }
  return pages.toSorted((a, b) => (a < b ? -1 : 1))
}

/**
 * Returns a function that finds the page with the name most similar to that of a missing page,
 * which may have been moved or mistyped.
 */
export function createSuggestPage(
  pages: readonly string[],
): (missing: string) => string | undefined {
  const byName = new Map(pages.map((page) => [nameOf(page), page]))
  byName.delete('')
  const names = [...byName.keys()].slice(0, COMPARED_MAX)
  return (missing) => {
    const name = nameOf(missing.replace(/\.(?:md|html|txt)$/, ''))
    return byName.get(name) ?? byName.get(nearest(name, names) ?? '')
  }
}

const nameOf = (page: string) => page.replace(/\/+$/, '').split('/').at(-1) ?? ''
