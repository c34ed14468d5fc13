/**
 * Watches for jobs on behalf of all workers of a process, with one small query a second. Without
 * it, every pg-boss worker would poll on its own, which would be nearly all the work of an idle
 * service with dozens of workers. Unlike LISTEN, polling needs no session, so it works through a
 * pooler, and it also finds jobs that are scheduled for later.
 */
import type { Query } from '../database/database.ts'

export type JobWatcher = {
  readonly add: (queue: string, workerIds: readonly string[]) => void
  /** False if the last check failed, or if no check has ended for a long time. */
  readonly isPolling: () => boolean
  readonly stop: () => Promise<void>
}

type JobWatcherDeps = {
  readonly query: Query
  /** The database schema of pg-boss. */
  readonly schema: string
  readonly wake: (workerId: string) => void
  /** Takes jobs from dead workers and deletes old jobs. */
  readonly supervise: () => Promise<void>
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/**
 * The interval of checks for waiting jobs. A job waits at most this long for a free worker, and
 * users notice the wait before each build.
 */
const WATCH_MS = 1_000
/** The interval of checks for jobs of dead workers while any job is running. */
const SUPERVISE_MS = 10_000
/** The interval of the same checks while no job is running and only old jobs have to be deleted. */
const SUPERVISE_IDLE_MS = 5 * 60_000

/**
 * After this time without a finished check, the watcher counts as not polling. It is longer than
 * the query timeout.
 */
const POLL_MS_MAX = 60_000

type Counts = { readonly ready: readonly string[]; readonly is_active: boolean }

export function createJobWatcher(deps: JobWatcherDeps): JobWatcher {
  const { query, schema, onError, now } = deps
  const workers = new Map<string, string[]>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStopped = false
  let supervisedAt = 0
  let lookedAt = now()
  let hasFailed = false

  // Filters by `state`, `blocked` and `group_id` so that PostgreSQL can use the indexes of pg-boss.
  const text = `select array(
        select name from unnest($1::text[]) as queue(name) where exists (
          select from ${schema}.job j where j.name = queue.name
             and j.state < 'active' and not j.blocked and j.start_after <= now())) as ready,
      exists (select from ${schema}.job j where j.name = any($1::text[])
         and j.state = 'active' and j.group_id is not null) as is_active`

  async function look(): Promise<void> {
    const [counts] = await query<Counts>(text, [[...workers.keys()]])
    if (counts === undefined || isStopped) return
    // Waking a busy worker makes it poll again as soon as its job is done.
    for (const name of counts.ready) for (const id of workers.get(name) ?? []) deps.wake(id)
    const everyMs = counts.is_active ? SUPERVISE_MS : SUPERVISE_IDLE_MS
    if (now() - supervisedAt < everyMs) return
    supervisedAt = now()
    await deps.supervise()
  }

  function scheduleCheck(): void {
    timer = setTimeout(() => {
      running = look()
        .then(
          () => {
            hasFailed = false
          },
          (error: unknown) => {
            hasFailed = true
            onError(error)
          },
        )
        .then(() => {
          lookedAt = now()
          if (!isStopped) scheduleCheck()
        })
    }, WATCH_MS)
  }

  return {
    add(queue, workerIds) {
      workers.set(queue, [...(workers.get(queue) ?? []), ...workerIds])
      if (timer === undefined && !isStopped) scheduleCheck()
    },
    isPolling: () => !isStopped && !hasFailed && now() - lookedAt < POLL_MS_MAX,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
