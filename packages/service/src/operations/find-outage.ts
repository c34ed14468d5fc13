import type { BlobStore } from '../blobs/blob-store.ts'
import type { Database } from '../database/database.ts'
import { inTime } from '../in-time.ts'

/** Shorter than the patience of those who probe. */
const PROBE_MS_MAX = 5_000

/** What `/readyz` tells: which part of the service is away. Nothing when all is well. */
export async function findOutage(
  database: Database,
  blobs: BlobStore | undefined,
): Promise<string | undefined> {
  const [isDatabaseUp, isStoreUp] = await Promise.all([
    succeeds(database.query('select 1')),
    blobs === undefined || succeeds(readFirst(blobs)),
  ])
  if (!isDatabaseUp) return 'the database cannot be reached'
  return isStoreUp ? undefined : 'the store of blobs cannot be reached'
}

function succeeds(probe: Promise<unknown>): Promise<boolean> {
  return inTime(probe, PROBE_MS_MAX).then(
    () => true,
    () => false,
  )
}

/** The first blob of the list, if there is one: a store that is away has no list. */
async function readFirst(blobs: BlobStore): Promise<void> {
  for await (const _ of blobs.list()) return
}
