/**
 * Provides the vectors of deployments for search. Without vectors, or while the model is not
 * available, search compares words only.
 */
import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import type { DeploymentVectors } from '../../reading/libraries/deployment-libraries.ts'
import { VectorStore } from './store.ts'
import type { TextEmbedder } from './text-embedder.ts'
import { VECTOR_LIMITS } from './vector-limits.ts'

export type VectorDeps = {
  readonly database: Database
  readonly blobs: BlobStore
  readonly embedder: TextEmbedder
  readonly log: Log
  readonly now: () => number
}

const DIGESTS_MAX = 10_000
/**
 * The number of cached vectors of questions. One answer searches several times with the same
 * question.
 */
const QUESTIONS_MAX = 200
const QUESTION_KEPT_MS = 60_000
/** The maximum time that a reader waits for a question to be embedded. */
const QUESTION_MS_MAX = 4_000
/** The time after a failure during which the model is not called and search compares words only. */
const COOLDOWN_MS = 15_000

export function createDeploymentVectors({
  database,
  blobs,
  embedder,
  log,
  now,
}: VectorDeps): DeploymentVectors {
  const { model, isOtherModel } = embedder
  const digests = new LRUCache<string, string>({ max: DIGESTS_MAX })
  const questions = new LRUCache<string, Promise<Int8Array | undefined>>({
    max: QUESTIONS_MAX,
    ttl: QUESTION_KEPT_MS,
  })
  let restsUntil = 0

  async function askModel(question: string): Promise<Int8Array | undefined> {
    if (now() < restsUntil) return undefined
    const signal = AbortSignal.timeout(QUESTION_MS_MAX)
    try {
      const [vector] = await withTimeout(embedder.embed([question], signal), QUESTION_MS_MAX)
      return vector
    } catch (error) {
      restsUntil = now() + COOLDOWN_MS
      log.error('a question was not embedded', { error })
      return undefined
    }
  }

  async function embed(question: string): Promise<Int8Array | undefined> {
    const known = questions.get(question) ?? askModel(question)
    questions.set(question, known)
    const vector = await known
    // A failure is not cached.
    if (vector === undefined) questions.delete(question)
    return vector
  }

  return {
    async find(tenant: Tenant, deploymentId: string): Promise<string | undefined> {
      const key = `${tenant.projectId} ${deploymentId}`
      const known = digests.get(key)
      if (known !== undefined) return known
      const found = await new VectorStore(database.forProject(tenant)).find(deploymentId, model)
      if (found !== undefined) digests.set(key, found)
      return found
    },

    async awaited(tenant: Tenant): Promise<ReadonlySet<string>> {
      const pending = await new VectorStore(database.forProject(tenant)).pending(model)
      const recent = pending.filter(({ isRecent }) => isRecent)
      return new Set(recent.map(({ deploymentId }) => deploymentId))
    },

    read: (sha256: string): Promise<Buffer | undefined> =>
      readBlob(blobs, sha256, VECTOR_LIMITS.bytes).catch((error: unknown) => {
        log.error('vectors could not be read', { error })
        return undefined
      }),

    embed,
    isOtherModel,
  }
}
