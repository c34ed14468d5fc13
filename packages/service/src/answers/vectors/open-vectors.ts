/**
 * Creates what is needed for vectors: the model, the job that computes them, and access to the
 * stored ones.
 */

import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import type { JobQueue, JobSender } from '../../platform/jobs/job-queue.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { BlobCache } from '../../reading/hosting/blob-cache.ts'
import type { AnswerParts } from '../assistant/open-assistant.ts'
import { createDeploymentVectors } from './deployment-vectors.ts'
import { createVectorJob, VECTORS_QUEUE, type VectorJobDeps } from './embed-deployments.ts'
import { createTextEmbedder, type VectorSettings } from './text-embedder.ts'

export type VectorsDeps = {
  readonly settings: {
    readonly vectors: VectorSettings
    readonly allowPrivateHosts: readonly string[]
  }
  readonly database: Database
  readonly blobs: BlobStore | undefined
  readonly jobSender: JobSender
  readonly log: Log
  readonly now: () => number
}

/**
 * Creates the parts for vectors. Returns undefined if vectors are disabled or the service stores no
 * sites.
 */
export function openVectors({ settings, database, blobs, jobSender, log, now }: VectorsDeps) {
  const embedder = createTextEmbedder(settings.vectors, settings)
  if (embedder === undefined || blobs === undefined) return undefined

  async function queue(tenant: Tenant): Promise<void> {
    await jobSender.start()
    const { transaction } = database.forProject(tenant)
    await transaction((query) => jobSender.send(VECTORS_QUEUE, tenant, query))
  }

  return {
    model: embedder.model,
    ofDeployments: createDeploymentVectors({ database, blobs, embedder, log, now }),
    /** Queues the job. Called after a site or a preview has changed to another deployment. */
    queue,
    findProblem: embedder.findProblem,
    close: embedder.close,

    async startWorker(jobs: JobQueue, deps: VectorWorkerDeps): Promise<void> {
      const { parts, ...rest } = deps
      const { libraries } = parts
      const job = createVectorJob({
        ...rest,
        libraries,
        database,
        blobs,
        embedder,
        queueAgain: queue,
        log,
        now,
      })
      // Run only one job at a time, because readers' questions use the same model process.
      await jobs.work(VECTORS_QUEUE, job, { atOnce: 1 })
    },
  }
}

type VectorWorkerDeps = Pick<VectorJobDeps, 'deploymentsOf' | 'onEmbedded'> & {
  readonly parts: AnswerParts
  readonly cache: BlobCache
}
