/**
 * Reads from a streaming replica, so that exports cost the primary nothing but the fence. Whatever
 * goes wrong with the replica, the primary answers instead.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, ProjectDatabase, Tenant } from './database.ts'

/**
 * Reads from the replica; with a place in the log, once the replica has come so far: what was
 * committed before that place is seen then. Nothing when it is down or too far behind.
 */
export type ReplicaReader = <Result>(
  read: (replica: ProjectDatabase) => Promise<Result>,
  lsn?: string,
) => Promise<Result | undefined>

const WAIT_MS_MAX = 1_000
const LOOK_MS = 5
/** After an error the replica is left alone for so long. */
const REST_MS = 5_000

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
        // A server that is no replica any more, since it was promoted, has everything.
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
      restUntil = now() + REST_MS
      onError(error)
      return undefined
    }
  }
}
