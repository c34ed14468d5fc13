/**
 * Background jobs, stored by pg-boss in the same database. Jobs carry ids, never content: a job
 * reads the newest state when it starts, so one waiting job per project is enough.
 *
 * A worker that dies stops sending its heartbeat, and another worker takes over its job. So a job
 * may start twice, but `finish` makes sure that it takes effect once.
 */
import { type ConstructorOptions, type Job, PgBoss } from 'pg-boss'
import type { Database, Query } from '../database/database.ts'
import type { Log } from '../telemetry/log.ts'
import type { Span, Traces } from '../telemetry/traces.ts'
import { createJobWatcher } from './job-watcher.ts'
import { QUEUES } from './queues.ts'
import { traceJob } from './trace-job.ts'

export const JOBS_SCHEMA = 'jobs'

/**
 * Contains only ids. The jobs of a project run one at a time, and the jobs of an organization a few
 * at a time.
 */
type JobData = {
  readonly organizationId?: string
  readonly projectId?: string
  /** The branch that a caller of a check wants to build; empty for the published branch. */
  readonly requestedBranch?: string
}

export type QueueSettings = {
  /** The time limit of a run. */
  readonly timeoutSeconds: number
  /** The number of retries after a failure. */
  readonly retries: number
  /** How long a finished job is kept in the list. */
  readonly keepSeconds: number
  /**
   * True if organizations take turns: the second job of an organization waits for the first jobs of
   * the others.
   */
  readonly isFair?: boolean
}

type JobContext = {
  readonly data: JobData
  /** Aborted when the time limit is reached or the worker stops. */
  readonly signal: AbortSignal
  /**
   * Does the work and completes the job in one transaction, which is bound to the job's project if
   * it has one. The work is committed only once, even if two workers have the same job.
   */
  readonly finish: (work: (query: Query) => Promise<unknown>) => Promise<void>
  /** Records a span for a part of the job; undefined if tracing is off. */
  readonly recordPart?: ((part: Omit<Span, 'kind' | 'context' | 'parent'>) => void) | undefined
}

export type JobHandler = (context: JobContext) => Promise<void>

export type JobQueue = {
  /** Queues a job, unless the project already has one that is waiting to start. */
  readonly send: (queue: string, data: JobData, options?: SendOptions) => Promise<void>
  readonly work: (queue: string, handler: JobHandler, options?: WorkOptions) => Promise<void>
  /** Returns why the worker cannot find jobs at the moment; undefined if it can. */
  readonly findProblem: () => string | undefined
  /**
   * Waits a limited time for running jobs. Another worker takes over the jobs that are not
   * finished.
   */
  readonly stop: () => Promise<void>
}

type WorkOptions = {
  /** The number of jobs that run concurrently in this process. */
  readonly atOnce?: number
}

type SendOptions = {
  /** Queues at most one job in this many seconds, across all senders. */
  readonly oncePerSeconds?: number
  readonly afterSeconds?: number
}

/** Queues jobs from a process that does not run any. */
export type JobSender = {
  /** Must be called before a transaction that queues a job, because it needs its own connection. */
  readonly start: () => Promise<void>
  /** Queues a job in the caller's transaction, so it exists only if the transaction commits. */
  readonly send: (queue: string, data: JobData, query: Query) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A worker without a heartbeat for this long is considered dead. */
const HEARTBEAT_SECONDS = 15
/**
 * The minimum time between two checks for jobs of dead workers, across all processes. The checks
 * are started by `createJobWatcher`.
 */
const MONITOR_SECONDS = 9
/**
 * How often a worker polls on its own. Normally `createJobWatcher` wakes it within a second after a
 * job is queued.
 */
const POLL_SECONDS = 10 * 60
/** The default number of jobs of one queue that a process runs concurrently. */
const JOB_CONCURRENCY = 2
/**
 * The maximum number of concurrent jobs of one queue for one organization, across all processes.
 */
const JOBS_PER_ORGANIZATION = 4
const REQUEUE_SECONDS = 2
const STOP_MS = 10_000

type JobQueueDeps = {
  readonly database: Database
  readonly log: Log
  readonly traces?: Pick<Traces, 'record'> | undefined
}

export async function openJobQueue(deps: JobQueueDeps): Promise<JobQueue> {
  const { database, log } = deps
  const boss = createBoss(deps, { reindex: false, monitorIntervalSeconds: MONITOR_SECONDS })
  boss.on('warning', ({ message }) => log.info('job queue', { warning: message }))
  await boss.start()
  const watcher = createJobWatcher({
    query: database.query,
    schema: JOBS_SCHEMA,
    wake: (workerId) => boss.notifyWorker(workerId),
    supervise: () => boss.supervise(),
    onError: (error) => log.error('checking for waiting jobs failed', { error }),
    now: Date.now,
  })
  return {
    send: (queue, data, options = {}) => sendWith(boss, database, { queue, data, options }),
    work: async (queue, handler, { atOnce = JOB_CONCURRENCY } = {}) => {
      const handleAll = async (jobs: readonly Job<JobData>[]) => {
        for (const job of jobs) {
          await run({ ...deps, boss, queue }, handler, job).catch((error: unknown) => {
            log.error('a job failed', { queue, job: job.id, error })
            throw error
          })
        }
      }
      const options = {
        pollingIntervalSeconds: POLL_SECONDS,
        groupConcurrency: JOBS_PER_ORGANIZATION,
      }
      // Creates workers one by one, because pg-boss returns only the first id of workers created
      // together.
      const workerIds: string[] = []
      for (let count = 0; count < atOnce; count += 1)
        workerIds.push(await boss.work<JobData>(queue, options, handleAll))
      watcher.add(queue, workerIds)
    },
    findProblem: () => (watcher.isPolling() ? undefined : 'the worker cannot read its jobs'),
    stop: async () => {
      await watcher.stop()
      await boss.stop({ timeout: STOP_MS })
    },
  }
}

function createBoss({ database, log }: JobQueueDeps, options: ConstructorOptions = {}): PgBoss {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => executeAlone(database, text, values) },
    schema: JOBS_SCHEMA,
    // The service's role cannot create tables; `octavo-service migrate` does that.
    migrate: false,
    schedule: false,
    // The job watcher calls `supervise` when it is needed.
    supervise: false,
    ...options,
  })
  boss.on('error', (error) => log.error('the job queue failed', { error }))
  return boss
}

type WorkedQueue = JobQueueDeps & { readonly boss: PgBoss; readonly queue: string }

async function run(worked: WorkedQueue, handler: JobHandler, job: Job<JobData>): Promise<void> {
  const { database, traces, queue } = worked
  const { id, data, signal } = job
  const transaction = transactionOf(database, data)
  if (await transaction((query) => putBack(worked, job, query))) return
  const finish: JobContext['finish'] = (work) =>
    transaction(async (query) => {
      await work(query)
      await end(worked, id, query)
    })
  if (traces === undefined) await handler({ data, signal, finish })
  else
    await traceJob(traces, { queue, id }, (recordPart) =>
      handler({ data, signal, finish, recordPart }),
    )
}

/**
 * Requeues the job for later if another job of its project, or too many jobs of its organization,
 * are running. Returns whether it was requeued.
 */
async function putBack(
  worked: WorkedQueue,
  { id, data }: Job<JobData>,
  query: Query,
): Promise<boolean> {
  const { boss, database, queue } = worked
  const active = await query<{ id: string; singleton_key: string }>(
    `select id, singleton_key from ${JOBS_SCHEMA}.job
      where name = $1 and state = 'active' and group_id = $2 order by started_on, id`,
    [queue, groupOf(data)],
  )
  const isAlone = active.every((one) => one.id === id || one.singleton_key !== keyOf(data))
  // Workers that fetch jobs at the same moment do not see each other's jobs, so the limit is
  // checked here again.
  const place = active.findIndex((one) => one.id === id)
  if (isAlone && place < JOBS_PER_ORGANIZATION) return false
  await end(worked, id, query)
  const options = { afterSeconds: REQUEUE_SECONDS }
  await sendWith(boss, database, { queue, data, options, query })
  return true
}

async function end({ boss, queue }: WorkedQueue, id: string, query: Query): Promise<void> {
  const done = await boss.complete(queue, id, null, { db: asBossDatabase(query) })
  // The result contains the number of completed jobs, although its type does not declare it.
  if ((done as { readonly affected?: number }).affected !== 1)
    throw new Error('another worker has finished this job')
}

export function createJobSender(deps: JobQueueDeps): JobSender {
  let started: Promise<PgBoss> | undefined

  const start = async () => {
    started ??= createBoss(deps)
      .start()
      .catch((error: unknown) => {
        // Allows the next caller to retry.
        started = undefined
        throw error
      })
    return started
  }
  return {
    start: async () => {
      await start()
    },
    send: async (queue, data, query) =>
      sendWith(await start(), deps.database, { queue, data, options: {}, query }),
    stop: async () => {
      const boss = await started?.catch(() => undefined)
      await boss?.stop({ graceful: false })
    },
  }
}

type Sending = {
  readonly queue: string
  readonly data: JobData
  readonly options: SendOptions
  readonly query?: Query | undefined
}

async function sendWith(
  boss: PgBoss,
  database: Database,
  { queue, data, options, query }: Sending,
): Promise<void> {
  const { oncePerSeconds, afterSeconds } = options
  const isFair = (QUEUES as Readonly<Record<string, QueueSettings>>)[queue]?.isFair === true
  await boss.send(queue, data, {
    singletonKey: keyOf(data),
    group: { id: groupOf(data) },
    ...(isFair && { priority: await fairPriority(queue, data, query ?? database.query) }),
    ...(oncePerSeconds !== undefined && { singletonSeconds: oncePerSeconds }),
    ...(afterSeconds !== undefined && { startAfter: afterSeconds }),
    ...(query !== undefined && { db: asBossDatabase(query) }),
  })
}

const OPEN_JOBS = `state in ('created', 'retry', 'active')`

/**
 * Returns a priority that decreases with each open job of the organization. Jobs are fetched by
 * priority, then by age.
 */
async function fairPriority(queue: string, data: JobData, query: Query): Promise<number> {
  const [row] = await query<{ count: number }>(
    `select count(*)::integer as count from ${JOBS_SCHEMA}.job
      where name = $1 and group_id = $2 and ${OPEN_JOBS}`,
    [queue, groupOf(data)],
  )
  return -(row?.count ?? 0)
}

/**
 * Recomputes the priorities of waiting jobs as if all of them were sent now, in the same order.
 * Jobs move up when earlier jobs of their organization are done, so no job waits indefinitely.
 */
export async function renewFairPriorities(query: Query, queue: string): Promise<void> {
  await query(
    `update ${JOBS_SCHEMA}.job j set priority = 1 - p.place
       from (select id, row_number() over (partition by group_id
                      order by (state = 'active') desc, priority desc, created_on, id)::integer as place
               from ${JOBS_SCHEMA}.job where name = $1 and ${OPEN_JOBS}) p
      where j.name = $1 and j.id = p.id and j.state in ('created', 'retry') and j.priority <> 1 - p.place`,
    [queue],
  )
}

/** Creates or updates the tables of pg-boss and our queues. Must run as the owner of the tables. */
export async function installJobs(
  query: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>,
  queues: Readonly<Record<string, QueueSettings>>,
): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: query },
    schema: JOBS_SCHEMA,
    supervise: false,
    schedule: false,
  })
  await boss.start()
  try {
    for (const [name, settings] of Object.entries(queues)) {
      const options = {
        expireInSeconds: settings.timeoutSeconds,
        retryLimit: settings.retries,
        retryDelay: 2,
        retryBackoff: true,
        retryDelayMax: 300,
        deleteAfterSeconds: settings.keepSeconds,
        heartbeatSeconds: HEARTBEAT_SECONDS,
      }
      // Allows one waiting job per key; `run` makes sure that only one is running.
      await boss.createQueue(name, { policy: 'short', ...options })
      await boss.updateQueue(name, options)
    }
  } finally {
    await boss.stop({ graceful: false })
  }
}

const keyOf = ({ projectId }: JobData) => projectId ?? 'all'
const groupOf = ({ organizationId }: JobData) => organizationId ?? 'all'

function transactionOf(database: Database, { organizationId, projectId }: JobData) {
  return organizationId === undefined || projectId === undefined
    ? database.transaction
    : database.forProject({ organizationId, projectId }).transaction
}

const asBossDatabase = (query: Query) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({
    rows: [...(await query<object>(text, values))],
  }),
})

/**
 * Runs SQL for pg-boss, which sends whole transactions as one string. A failed transaction is
 * rolled back, so that its connection does not return to the pool with the transaction open.
 */
async function executeAlone(database: Database, text: string, values: unknown[] = []) {
  const client = await database.pool.connect()
  let broken = false
  try {
    // PostgreSQL accepts several statements in one string only if there are no parameters.
    return await (values.length === 0 ? client.query(text) : client.query(text, values))
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}
