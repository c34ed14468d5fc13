import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { createReplicaReader } from '../../../platform/database/replica.ts'
import { reasonOf } from '../../../platform/reason-of.ts'
import { type Finding, failed, fine, warning } from './finding.ts'

const NO_TENANT = { organizationId: '0', projectId: '0' }

/**
 * Checks that the replica catches up with the primary, and waits for it as long as an export does.
 */
export async function checkReplica(primary: Database, url: string): Promise<Finding> {
  const replica = openDatabase({ url, connections: 1 })
  const errors: unknown[] = []
  try {
    const read = createReplicaReader(replica, Date.now, (error) => errors.push(error))(NO_TENANT)
    const [place] = await primary.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
    const state = await read(async () => readState(replica), place?.lsn)
    if (errors.length > 0) return unreachable(errors[0])
    // The replica responds but did not catch up in time.
    if (state === undefined) {
      const { behind_seconds: seconds } = await readState(replica)
      return warning('replica', {
        code: 'replica-behind',
        found: `The replica is behind${seconds === null ? '' : `: its last change is ${Math.round(seconds)} s old`}. Exports are read from the primary.`,
        hint: 'Check pg_stat_replication on the primary, and the log of the replica.',
      })
    }
    if (!state.is_replica)
      return warning('replica', {
        code: 'replica-promoted',
        found: 'DATABASE_REPLICA_URL points to a server that is not a replica.',
        hint: 'Set the variable to a streaming replica of the database in DATABASE_URL, or remove it.',
      })
    return fine('replica', 'is up to date with the primary')
  } catch (error) {
    return unreachable(error)
  } finally {
    await replica.end()
  }
}

type ReplicaState = { readonly is_replica: boolean; readonly behind_seconds: number | null }

async function readState(replica: Database): Promise<ReplicaState> {
  const [row] = await replica.query<ReplicaState>(
    `select pg_is_in_recovery() as is_replica,
            extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as behind_seconds`,
  )
  return row ?? { is_replica: false, behind_seconds: null }
}

function unreachable(error: unknown): Finding {
  return failed('replica', {
    code: 'replica-unreachable',
    found: `${reasonOf(error)}. Exports are read from the primary.`,
    hint: 'Check that the replica runs, and check DATABASE_REPLICA_URL.',
  })
}
