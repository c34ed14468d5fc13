/** The part of a process that runs background jobs: it starts once, and `stop` also ends one that started halfway. */
import type { AnswerParts } from '../../answers/assistant/open-assistant.ts'
import { createGapJob, GAPS_QUEUE } from '../../answers/gaps/run-gaps.ts'
import type { openVectors } from '../../answers/vectors/open-vectors.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { type JobQueue, openJobQueue } from '../../platform/jobs/job-queue.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { Traces } from '../../platform/telemetry/traces.ts'
import type { openNotices } from '../../projects/notifications/open-notices.ts'
import { DELIVERIES_AT_ONCE } from '../../projects/notifications/webhooks/deliver-webhook.ts'
import { createWebhookSender } from '../../projects/notifications/webhooks/send-webhook.ts'
import type { GitBuilds } from '../../publishing/builds/git-builds.ts'
import type { DeploymentService } from '../../publishing/deployments/deployment-service.ts'
import type { openDomains } from '../../publishing/domains/open-domains.ts'
import type { BlobCache } from '../../reading/hosting/blob-cache.ts'
import type { Settings } from '../settings/env.ts'
import { startMaintenance } from './maintenance.ts'

export type Worker = {
  readonly start: () => Promise<void>
  /** Why this process runs no jobs now; undefined when it does. */
  readonly findProblem: () => string | undefined
  readonly stop: () => Promise<void>
}

export type WorkerDeps = {
  readonly settings: Settings
  readonly database: Database
  readonly blobs: BlobStore | undefined
  readonly cache: BlobCache | undefined
  readonly parts: AnswerParts | undefined
  readonly gitBuilds: GitBuilds
  readonly notices: ReturnType<typeof openNotices>
  readonly domains: ReturnType<typeof openDomains>
  readonly vectors: ReturnType<typeof openVectors>
  readonly deploymentsOf: (tenant: Tenant) => DeploymentService
  readonly siteUrlOf: (slug: string) => string | undefined
  readonly queueGapsOf: (tenant: Tenant) => Promise<void>
  readonly traces: Traces | undefined
  readonly log: Log
  readonly now: () => number
}

type Stop = () => void | Promise<void>

export function createWorker(deps: WorkerDeps): Worker {
  /** The last part that was started is stopped first. */
  const stops: Stop[] = []
  let starting: Promise<void> | undefined
  let running: JobQueue | undefined

  async function start(): Promise<void> {
    const { database, log, traces } = deps
    const jobs = await openJobQueue({ database, log, traces })
    stops.unshift(jobs.stop)
    await startParts(deps, jobs, (stop) => stops.unshift(stop))
    running = jobs
  }

  return {
    start: () => {
      starting ??= start()
      return starting
    },
    findProblem: () =>
      running === undefined ? 'the worker has not started' : running.findProblem(),
    stop: async () => {
      await starting?.catch(() => {})
      for (const stop of stops.splice(0)) await stop()
    },
  }
}

/** Starts everything that takes jobs or sends them by the clock. */
async function startParts(
  deps: WorkerDeps,
  jobs: JobQueue,
  onStop: (stop: Stop) => void,
): Promise<void> {
  const { settings, database, blobs, cache, parts, gitBuilds, vectors, now, log } = deps
  onStop(
    await startMaintenance(
      {
        database,
        blobs,
        queueNotices: deps.notices.queue,
        domainCheck: deps.domains.check,
        vectorModel: vectors?.model,
        now,
        log,
        ...gitBuilds.maintenance,
      },
      jobs,
    ),
  )
  await deps.notices.startWorker(jobs)
  const { secretKeys, allowPrivateHosts } = settings
  await jobs.work(
    'webhook',
    createWebhookSender({
      database,
      secretKeys,
      allowPrivateHosts,
      deploymentsOf: blobs && deps.deploymentsOf,
      siteUrlOf: deps.siteUrlOf,
      now,
      log,
    }),
    { atOnce: DELIVERIES_AT_ONCE },
  )
  if (parts !== undefined && cache !== undefined) {
    const { deploymentsOf, queueGapsOf } = deps
    await jobs.work(
      GAPS_QUEUE,
      createGapJob({
        database,
        parts,
        cache,
        tellHost: (tenant) => gitBuilds.tellHost(tenant),
        now,
        log,
      }),
    )
    await vectors?.startWorker(jobs, { parts, cache, deploymentsOf, onEmbedded: queueGapsOf })
  }
  onStop(await gitBuilds.start(jobs))
}
