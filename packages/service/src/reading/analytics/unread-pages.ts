/** Finds all pages of the live site that have no views, sorted by path. */
import type { Tenant } from '../../platform/database/database.ts'
import { CountStore, type Period } from './count-store.ts'
import { findLivePages, type LivePagesDeps } from './live-pages.ts'

/** The number of pages in one query. */
const CHUNK = 1_000

export async function findUnreadPages(
  deps: LivePagesDeps,
  tenant: Tenant,
  period: Period,
): Promise<readonly string[]> {
  const counts = new CountStore(deps.database.forProject(tenant))
  const unread: string[] = []
  const pages = await findLivePages(deps, tenant)
  for (let start = 0; start < pages.length; start += CHUNK) {
    const some = pages.slice(start, start + CHUNK)
    const viewed = await counts.viewed(period, some)
    unread.push(...some.filter((page) => !viewed.has(page)))
  }
  return unread
}
