/**
 * Reads exports from a streaming replica, so that the primary only has to run the export's fence.
 * If the replica fails, the caller reads from the primary.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, ProjectDatabase, Tenant } from './database.ts'

/**
 * Reads from the replica. With an `lsn`, waits until the replica has replayed the write-ahead log
 * up to that position, so that everything committed before is visible. Returns undefined if the
 * replica is down or too far behind.
 */
export type ReplicaReader = <Result>(
  read: (replica: ProjectDatabase) => Promise<Result>,
  lsn?: string,
) => Promise<Result | undefined>

const WAIT_MS_MAX = 1_000
const LOOK_MS = 5
/** After an error, the replica is not used for this long. */
const COOLDOWN_MS = 5_000

export function createReplicaReader(
  replica: Database,
  now: () => number,
  onError: (error: unknown) => void,
): (tenant: Tenant) => ReplicaReader {
  let restUntil = 0

  async function hasReached(lsn: string): Promise<boolean> {
    const waitUntil = now() + WAIT_MS_MAX
    for (;;) {
      const [row] = await replica.query<{ reached: boolean | null }>(
        // A replica that was promoted to the primary has all data.
        'select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn as reached',
        [lsn],
      )
      if (row?.reached === true) return true
      if (now() >= waitUntil) return false
      await sleep(LOOK_MS)
    }
  }

  return (tenant) => async (read, lsn) => {
    if (now() < restUntil) return undefined
    try {
      if (lsn !== undefined && !(await hasReached(lsn))) return undefined
      return await read(replica.forProject(tenant))
    } catch (error) {
      restUntil = now() + COOLDOWN_MS
      onError(error)
      return undefined
    }
  }
}
