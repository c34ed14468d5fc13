/**
 * Watches jobs for all workers of a process, with one small query a second. Otherwise every worker
 * of pg-boss would poll on its own, and with dozens of workers per process that was nearly all the
 * work of an idle service. Unlike LISTEN, it needs no session, so it works through a pooler, and it
 * also finds jobs that start later.
 */
import type { Query } from '../database/database.ts'

export type JobWatcher = {
  readonly add: (queue: string, workerIds: readonly string[]) => void
  /** False after a check that failed, or if no check has ended for a long time. */
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

/** The longest a job waits while a worker is free. Users wait for it before each build. */
const WATCH_MS = 1_000
/** The interval of checks for jobs of dead workers while any job is running. */
const SUPERVISE_MS = 10_000
/** The interval while no job is running, when there are only old jobs to delete. */
const SUPERVISE_IDLE_MS = 5 * 60_000

/** Longer than the query timeout: a check that takes this long will never end. */
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

  // Uses `state`, `blocked` and `group_id` so that the indexes of pg-boss apply.
  const text = `select array(
        select name from unnest($1::text[]) as queue(name) where exists (
          select from ${schema}.job j where j.name = queue.name
             and j.state < 'active' and not j.blocked and j.start_after <= now())) as ready,
      exists (select from ${schema}.job j where j.name = any($1::text[])
         and j.state = 'active' and j.group_id is not null) as is_active`

  async function look(): Promise<void> {
    const [counts] = await query<Counts>(text, [[...workers.keys()]])
    if (counts === undefined || isStopped) return
    // A busy worker polls again as soon as it is done.
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
