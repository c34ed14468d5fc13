/**
 * Looks after jobs for all workers of a process, with one small question a second. Every worker of
 * pg-boss would ask for itself, and a process has dozens of them: nearly all that an idle service did.
 * It needs no session, unlike LISTEN, so a pooler may stand in between, and it also sees jobs that
 * start later.
 */
import type { Query } from '../database/database.ts'

export type JobWatcher = {
  readonly add: (queue: string, workerIds: readonly string[]) => void
  /** False after a look that failed, and while none has ended for a long time. */
  readonly isLooking: () => boolean
  readonly stop: () => Promise<void>
}

type JobWatcherDeps = {
  readonly query: Query
  /** The schema of pg-boss. */
  readonly schema: string
  readonly wake: (workerId: string) => void
  /** Takes jobs from dead workers, and deletes old ones. */
  readonly supervise: () => Promise<void>
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/** The longest wait of a job while a worker is free. Users wait for it before each build. */
const WATCH_MS = 1_000
/** How often jobs of dead workers are looked for while some job runs. */
const SUPERVISE_MS = 10_000
/** The same while none does: then there are only old jobs to delete. */
const SUPERVISE_IDLE_MS = 5 * 60_000

/** Longer than the limit of a query: a look that takes this long will never end. */
const LOOK_MS_MAX = 60_000

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

  // `state`, `blocked` and `group_id` are as in the indexes of pg-boss.
  const text = `select array(
        select name from unnest($1::text[]) as queue(name) where exists (
          select from ${schema}.job j where j.name = queue.name
             and j.state < 'active' and not j.blocked and j.start_after <= now())) as ready,
      exists (select from ${schema}.job j where j.name = any($1::text[])
         and j.state = 'active' and j.group_id is not null) as is_active`

  async function look(): Promise<void> {
    const [counts] = await query<Counts>(text, [[...workers.keys()]])
    if (counts === undefined || isStopped) return
    // A worker that is busy asks again as soon as it is done.
    for (const name of counts.ready) for (const id of workers.get(name) ?? []) deps.wake(id)
    const everyMs = counts.is_active ? SUPERVISE_MS : SUPERVISE_IDLE_MS
    if (now() - supervisedAt < everyMs) return
    supervisedAt = now()
    await deps.supervise()
  }

  function waitAndLook(): void {
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
          if (!isStopped) waitAndLook()
        })
    }, WATCH_MS)
  }

  return {
    add(queue, workerIds) {
      workers.set(queue, [...(workers.get(queue) ?? []), ...workerIds])
      if (timer === undefined && !isStopped) waitAndLook()
    },
    isLooking: () => !isStopped && !hasFailed && now() - lookedAt < LOOK_MS_MAX,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
