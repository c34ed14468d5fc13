import type { ConversationStore } from '../conversations/store.ts'
import type { Database } from '../database/database.ts'
import type { Log } from './log.ts'

/** A turn that has no answer by then never gets one: the model's own deadline is far shorter. */
const STUCK_AFTER_MS = 10 * 60_000
const EVERY_MS = 60_000
const MONTHS_AHEAD = 3

export type MaintenanceDeps = {
  readonly database: Database
  readonly conversations: ConversationStore
  readonly log: Log
}

/** One round: publishes turns that nobody finished, and makes partitions ahead of time. */
export async function maintain({ database, conversations, log }: MaintenanceDeps): Promise<void> {
  try {
    const reaped = await conversations.reap(STUCK_AFTER_MS)
    const [row] = await database.query<{ made: number }>(
      'select ensure_conversation_partitions($1) as made',
      [MONTHS_AHEAD],
    )
    const made = row?.made ?? 0
    if (reaped > 0 || made > 0) log.info('maintenance', { reaped, partitions: made })
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
