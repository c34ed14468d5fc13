import { expireConversations, publishOpenTurns } from '../../answers/conversations/store.ts'
import { queueGapWork } from '../../answers/gaps/queue-gap-work.ts'
import { queueVectorWork } from '../../answers/vectors/queue-vector-work.ts'
import { IDLE_HOURS } from '../../people/sessions/store.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { JobHandler, JobQueue } from '../../platform/jobs/job-queue.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { eraseProjects } from '../../projects/projects/erase-projects.ts'
import { queueDueChecks } from '../../publishing/connections/check-repository.ts'
import { collectBlobs } from '../../publishing/deployments/collect-blobs.ts'
import type { DomainCheck } from '../../publishing/domains/check-domain.ts'
import { recheckDomains } from '../../publishing/domains/recheck-domains.ts'
import { requeueLostNotifications } from '../../publishing/providers/requeue-lost-notifications.ts'

/** A turn that has no lease and no answer after this time counts as abandoned. */
const STUCK_AFTER_MS = 10 * 60_000
const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600
/** The interval for finding due domain checks; each domain has its own schedule. */
const DOMAINS_SECONDS = 5 * 60
const DAY_SECONDS = 86_400

export type MaintenanceDeps = {
  readonly database: Database
  readonly blobs?: BlobStore | undefined
  /** True if this worker can read repositories. Only then does it queue repository checks. */
  readonly checksRepositories?: boolean | undefined
  /** Queues jobs for builds that have no job; returns the number of these builds. */
  readonly queueBuilds?: (() => Promise<number>) | undefined
  /** Queues notifications for owners; returns the number of projects. */
  readonly queueNotices?: (() => Promise<number>) | undefined
  /** Checks custom domains of projects. */
  readonly domainCheck?: DomainCheck | undefined
  /** The embedding model, if vectors are enabled. */
  readonly vectorModel?: string | undefined
  readonly now: () => number
  readonly log: Log
}

/**
 * Runs one round of maintenance: publishes abandoned turns, creates partitions ahead of time and
 * drops old ones, expires uploads and previews, deletes old tokens, sessions and counts, and queues
 * lost builds.
 */
export async function maintain({
  database,
  queueBuilds,
  now,
  log,
}: MaintenanceDeps): Promise<void> {
  const reaped = await publishOpenTurns(database, now() - STUCK_AFTER_MS)
  const [made] = await database.query<{ count: number }>('select ensure_partitions() as count')
  const [gone] = await database.query<{ count: number }>('select drop_partitions() as count')
  const [late] = await database.query<{ count: number }>('select expire_uploads() as count')
  const [over] = await database.query<{ count: number }>('select expire_previews() as count')
  const [old] = await database.query<{ count: number }>('select forget_job_tokens() as count')
  const [heard] = await database.query<{ count: number }>(
    'select forget_webhook_deliveries() as count',
  )
  const [acts] = await database.query<{ count: number }>('select forget_action_counts() as count')
  const [left] = await database.query<{ count: number }>(
    'select forget_sessions(make_interval(hours => $1)) as count',
    [IDLE_HOURS],
  )
  const [tried] = await database.query<{ count: number }>('select forget_sign_ins() as count')
  const [readers] = await database.query<{ count: number }>('select forget_readers() as count')
  const [visitors] = await database.query<{ count: number }>('select forget_visitors() as count')
  const facts = {
    reaped,
    partitions: made?.count ?? 0,
    dropped: gone?.count ?? 0,
    uploadsExpired: late?.count ?? 0,
    previewsExpired: over?.count ?? 0,
    jobTokensForgotten: old?.count ?? 0,
    hooksForgotten: heard?.count ?? 0,
    countsForgotten: acts?.count ?? 0,
    sessionsForgotten: left?.count ?? 0,
    signInsForgotten: tried?.count ?? 0,
    readersForgotten: readers?.count ?? 0,
    visitorsForgotten: visitors?.count ?? 0,
    buildsQueued: (await queueBuilds?.()) ?? 0,
  }
  if (Object.values(facts).some((count) => count > 0)) log.info('maintenance', facts)
}

/** Deletes conversations that are older than their project's retention. */
export async function expire(
  { database, log }: MaintenanceDeps,
  signal: AbortSignal,
): Promise<void> {
  const expired = await expireConversations(database, signal)
  if (expired > 0) log.info('retention', { expired })
}

/**
 * Starts the periodic jobs. Every worker sends each job once a minute, and the queue accepts it
 * once per interval, so the number of workers does not matter. Returns a function that stops the
 * sending.
 */
export async function startMaintenance(deps: MaintenanceDeps, jobs: JobQueue): Promise<() => void> {
  const { blobs, domainCheck } = deps
  const handlers: Readonly<Record<string, JobHandler>> = {
    maintenance: async () => {
      try {
        await maintain(deps)
      } finally {
        if (deps.checksRepositories) await queueDueChecks(deps.database, jobs)
        await requeueLostNotifications(deps.database, jobs)
        await deps.queueNotices?.()
        if (blobs !== undefined) await queueGapWork(deps.database, jobs)
        if (blobs !== undefined && deps.vectorModel !== undefined)
          await queueVectorWork(deps.database, jobs, deps.vectorModel)
      }
    },
    retention: ({ signal }) => expire(deps, signal),
    deletion: async ({ signal }) => {
      await eraseProjects(deps, signal)
    },
    ...(domainCheck !== undefined && {
      domains: async ({ signal }) => {
        const checked = await recheckDomains({ ...deps, domainCheck }, signal)
        if (checked > 0) deps.log.info('domains', { checked })
      },
    }),
    ...(blobs !== undefined && {
      collection: async ({ signal }) => {
        await collectBlobs({ ...deps, blobs }, signal)
      },
    }),
  }
  for (const [queue, handler] of Object.entries(handlers)) await jobs.work(queue, handler)
  const ask = async () => {
    await jobs.send('maintenance', {}, { oncePerSeconds: MINUTE_SECONDS })
    await jobs.send('retention', {}, { oncePerSeconds: DAY_SECONDS })
    await jobs.send('deletion', {}, { oncePerSeconds: HOUR_SECONDS })
    if (domainCheck !== undefined)
      await jobs.send('domains', {}, { oncePerSeconds: DOMAINS_SECONDS })
    if (blobs !== undefined) await jobs.send('collection', {}, { oncePerSeconds: HOUR_SECONDS })
  }
  const askSafely = () =>
    void ask().catch((error: unknown) => {
      // This is retried a minute later. An unreachable database must not end the process.
      deps.log.error('maintenance was not queued', { error })
    })
  askSafely()
  const timer = setInterval(askSafely, MINUTE_SECONDS * 1_000)
  return () => clearInterval(timer)
}
