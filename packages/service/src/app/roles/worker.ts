/** Runs background jobs. A worker can start only once, and `stop` also works during the start. */
import { createGapJob, GAPS_QUEUE } from '../../answers/gaps/run-gaps.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { type JobQueue, openJobQueue } from '../../platform/jobs/job-queue.ts'
import { DELIVERIES_AT_ONCE } from '../../projects/notifications/webhooks/deliver-webhook.ts'
import { createWebhookSender } from '../../projects/notifications/webhooks/send-webhook.ts'
import { API_CHANGES_QUEUE, createApiChangesJob } from '../../publishing/deployments/api-changes.ts'
import { startMaintenance } from './maintenance.ts'
import type { Parts } from './parts.ts'
import type { ServiceBase } from './service-base.ts'

export type Worker = {
  readonly start: () => Promise<void>
  /** Returns why this process runs no jobs now; undefined if it does. */
  readonly findProblem: () => string | undefined
  readonly stop: () => Promise<void>
}

type Stop = () => void | Promise<void>

export function createWorker(ground: ServiceBase, parts: Parts): Worker {
  /** Parts are stopped in the reverse order of their start. */
  const stops: Stop[] = []
  let starting: Promise<void> | undefined
  let running: JobQueue | undefined

  async function start(): Promise<void> {
    const jobs = await openJobQueue(ground)
    stops.unshift(jobs.stop)
    await startJobs(ground, parts, { jobs, onStop: (stop) => stops.unshift(stop) })
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

type Starting = { readonly jobs: JobQueue; readonly onStop: (stop: Stop) => void }

/** Starts all job handlers and periodic jobs. */
async function startJobs(
  ground: ServiceBase,
  parts: Parts,
  { jobs, onStop }: Starting,
): Promise<void> {
  const { blobs, cache, answers, gitBuilds, vectors, notices, deploymentsOf } = parts
  onStop(
    await startMaintenance(
      {
        ...ground,
        blobs,
        queueNotices: notices.queue,
        domainCheck: parts.domains.check,
        vectorModel: vectors?.model,
        ...gitBuilds.maintenance,
      },
      jobs,
    ),
  )
  await notices.startWorker(jobs)
  const { secretKeys, allowPrivateHosts } = ground.settings
  await jobs.work(
    'webhook',
    createWebhookSender({
      ...ground,
      secretKeys,
      allowPrivateHosts,
      deploymentsOf: blobs && deploymentsOf,
    }),
    { atOnce: DELIVERIES_AT_ONCE },
  )
  if (blobs !== undefined) {
    const notifyHost = (tenant: Tenant) => gitBuilds.notifyHost(tenant)
    const compare = createApiChangesJob({ apiChangesOf: parts.apiChangesOf, notifyHost })
    // Each comparison is a process of its own.
    await jobs.work(API_CHANGES_QUEUE, compare, { atOnce: 1 })
  }
  if (answers !== undefined && cache !== undefined) {
    await jobs.work(
      GAPS_QUEUE,
      createGapJob({
        ...ground,
        parts: answers,
        cache,
        notifyHost: (tenant) => gitBuilds.notifyHost(tenant),
      }),
    )
    const onEmbedded = parts.queueGapsOf
    await vectors?.startWorker(jobs, { parts: answers, cache, deploymentsOf, onEmbedded })
  }
  onStop(await gitBuilds.start(jobs))
}
