import { publishOpenTurns } from '../conversations/store.ts'
import type { Database } from '../database/database.ts'
import type { Log } from './log.ts'

/** A turn that has no answer by then never gets one: the model's own deadline is far shorter. */
const STUCK_AFTER_MS = 10 * 60_000
const EVERY_MS = 60_000

export type MaintenanceDeps = {
  readonly database: Database
  readonly now: () => number
  readonly log: Log
}

/** One round: publishes turns that nobody finished, makes partitions ahead of time, drops old ones. */
export async function maintain({ database, now, log }: MaintenanceDeps): Promise<void> {
  try {
    const reaped = await publishOpenTurns(database, now() - STUCK_AFTER_MS)
    const [made] = await database.query<{ count: number }>('select ensure_partitions() as count')
    const [gone] = await database.query<{ count: number }>('select drop_partitions() as count')
    const facts = { reaped, partitions: made?.count ?? 0, dropped: gone?.count ?? 0 }
    if (Object.values(facts).some((count) => count > 0)) log.info('maintenance', facts)
  } catch (error) {
    // The next round tries again; a database that is down is no reason to end the process.
    log.error('maintenance failed', { error })
  }
}

/** Maintains now and every minute, one round at a time. Gives the function that ends it. */
export function startMaintenance(deps: MaintenanceDeps): () => void {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const round = async () => {
    await maintain(deps)
    if (!isStopped) timer = setTimeout(round, EVERY_MS)
  }
  void round()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
