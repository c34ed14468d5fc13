/** Pages of the live site that nobody reads. */
import type { Database, Tenant } from '../database/database.ts'
import { createDeploymentStore } from '../deployments/store.ts'
import { findShown } from '../gaps/gap-deployments.ts'
import type { BlobCache } from '../hosting/blob-cache.ts'
import { type CountStore, createCountStore, type Period } from './count-store.ts'
import { pageOfFile } from './counted-file.ts'

/** Pages that are looked up at once. */
const CHUNK = 1_000

export async function findUnreadPages(
  { database, cache }: { readonly database: Database; readonly cache: BlobCache },
  tenant: Tenant,
  { period, after, limit }: { period: Period; after: string | undefined; limit: number },
): Promise<readonly string[]> {
  const bound = database.forProject(tenant)
  const { slug } = await createDeploymentStore(bound).project()
  const live = await findShown(database, slug)
  if (live === undefined) return []
  const counts: CountStore = createCountStore(bound)
  const unread: string[] = []
  const pages = (await pagesOf(cache, live.digest)).filter((page) => page > (after ?? ''))
  for (let start = 0; start < pages.length && unread.length < limit; start += CHUNK) {
    const some = pages.slice(start, start + CHUNK)
    const viewed = await counts.viewed(period, some)
    unread.push(...some.filter((page) => !viewed.has(page)))
  }
  return unread.slice(0, limit)
}

/** In order. */
async function pagesOf(cache: BlobCache, digest: string): Promise<readonly string[]> {
  const root = await cache.root(digest)
  const pages: string[] = []
  for (const index of root.runs.keys()) {
    const run = await cache.run(root, index)
    for (const path of run.keys()) {
      const page = path.endsWith('.html') ? pageOfFile(path) : undefined
      if (page !== undefined) pages.push(page)
    }
  }
  return pages.toSorted((a, b) => (a < b ? -1 : 1))
}
