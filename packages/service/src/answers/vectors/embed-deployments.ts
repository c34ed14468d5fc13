/**
 * The job that computes vectors for the deployments of one project that readers use. Passages that
 * were already embedded for an earlier deployment are not embedded again. Each round stores its
 * vectors at the end, so a crash loses at most one round.
 */
import { createHash } from 'node:crypto'
import { VectorSet } from '@octavo/embeddings'
import { UnreadableIndex } from '@octavo/search'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import type { JobHandler } from '../../platform/jobs/job-queue.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { DeploymentService } from '../../publishing/deployments/deployment-service.ts'
import { singleChunk } from '../../publishing/deployments/uploads.ts'
import type { BlobCache } from '../../reading/hosting/blob-cache.ts'
import type {
  DeploymentFacts,
  DeploymentLibraries,
} from '../../reading/libraries/deployment-libraries.ts'
import { AssistantSettingsStore } from '../assistant/settings-store.ts'
import { type PendingVectors, VectorStore, type VectorsOfDeployment } from './store.ts'
import type { TextEmbedder } from './text-embedder.ts'
import { VECTOR_LIMITS } from './vector-limits.ts'

export const VECTORS_QUEUE = 'vectors'

/**
 * The number of earlier vector blobs to reuse: enough for the live deployment, the previous one,
 * and a few branches.
 */
const EARLIER_MAX = 4

export type VectorJobDeps = {
  readonly database: Database
  readonly blobs: BlobStore
  readonly cache: BlobCache
  readonly libraries: DeploymentLibraries
  readonly embedder: TextEmbedder
  readonly deploymentsOf: (tenant: Tenant) => Pick<DeploymentService, 'put'>
  /** Queues the job again for another round. */
  readonly queueAgain: (tenant: Tenant) => Promise<void>
  /** Called when no deployment is left to embed for now. */
  readonly onEmbedded: (tenant: Tenant) => Promise<void>
  readonly now: () => number
  readonly log: Log
}

type Round = {
  readonly store: VectorStore
  readonly tenant: Tenant
  readonly signal: AbortSignal
  readonly isOver: () => boolean
}

export function createVectorJob(deps: VectorJobDeps): JobHandler {
  const { database, embedder, now, log } = deps
  return async ({ data: { organizationId, projectId }, signal }) => {
    if (organizationId === undefined || projectId === undefined) return
    const tenant = { organizationId, projectId }
    const store = new VectorStore(database.forProject(tenant))
    const end = now() + VECTOR_LIMITS.roundMs
    const round = { store, tenant, signal, isOver: () => signal.aborted || now() > end }
    for (const pending of await store.pending(embedder.model)) {
      if (round.isOver()) break
      try {
        await store.save(await embedDeployment(deps, round, pending))
      } catch (error) {
        log.error('vectors were not computed', { projectId, error })
        await store.save({
          ...emptyVectorsOf(deps, pending),
          tryAfterSeconds: VECTOR_LIMITS.retrySeconds,
        })
      }
    }
    if (signal.aborted) return
    if ((await store.pending(embedder.model)).length > 0) await deps.queueAgain(tenant)
    else await deps.onEmbedded(tenant)
  }
}

/** Computes as many vectors of a deployment as fit into the round. */
async function embedDeployment(
  deps: VectorJobDeps,
  round: Round,
  pending: PendingVectors,
): Promise<VectorsOfDeployment> {
  const { embedder, log } = deps
  const { tenant } = round
  const nothing = emptyVectorsOf(deps, pending)
  const { deploymentId, root: digest } = pending
  const facts = { tenant, deploymentId, digest, root: await deps.cache.root(digest) }
  if (!(await isWanted(deps, facts)))
    return { ...nothing, tryAfterSeconds: VECTOR_LIMITS.unwantedSeconds }
  const texts = await readPassages(deps, facts)
  if (texts === 'unreadable') return nothing
  if (texts === undefined) {
    log.info('a deployment has too many passages for vectors', { deployment: pending.deploymentId })
    return nothing
  }
  const { vectors, missing } = await reuseVectors(deps, round, texts)
  const { embedded, error } = await embedMissing({ embedder, round, texts }, missing, vectors)
  if (error !== undefined)
    log.error('passages were not embedded', { projectId: round.tenant.projectId, error })
  const isDone = embedded === missing.length
  const counts = { passages: texts.length, embedded: pending.embedded + embedded }
  log.info('vectors', { deployment: pending.deploymentId, ...counts, isDone })
  return {
    ...nothing,
    ...counts,
    sha256: vectors.count === 0 ? undefined : await putBlob(deps, round, vectors.print()),
    tryAfterSeconds: isDone ? undefined : error === undefined ? 0 : VECTOR_LIMITS.retrySeconds,
  }
}

function emptyVectorsOf({ embedder }: VectorJobDeps, pending: PendingVectors): VectorsOfDeployment {
  const { deploymentId, embedded } = pending
  const { model } = embedder
  return {
    deploymentId,
    model,
    embedded,
    sha256: undefined,
    passages: 0,
    tryAfterSeconds: undefined,
  }
}

/** Returns true if a deployment needs vectors, which requires a search index and an assistant. */
async function isWanted(
  { database, libraries }: VectorJobDeps,
  facts: DeploymentFacts,
): Promise<boolean> {
  if (facts.root.search.length === 0 || !(await libraries.settings(facts)).enabled) return false
  return (await new AssistantSettingsStore(database.forProject(facts.tenant)).read()).isOn
}

/** Returns the distinct passages for all readers and scopes; undefined if there are too many. */
async function readPassages(
  { libraries }: VectorJobDeps,
  facts: DeploymentFacts & { readonly deploymentId: string },
): Promise<readonly string[] | 'unreadable' | undefined> {
  const texts = new Set<string>()
  try {
    for await (const part of libraries.texts(facts)) {
      for (const text of part) texts.add(text)
      if (texts.size > VECTOR_LIMITS.passages) return undefined
    }
  } catch (error) {
    // The unreadable index was already reported. A retry would not help.
    if (error instanceof UnreadableIndex) return 'unreadable'
    throw error
  }
  return [...texts]
}

/**
 * Returns vectors that earlier rounds or deployments have already computed, and the texts without
 * vectors.
 */
async function reuseVectors(
  { blobs, embedder }: VectorJobDeps,
  { store }: Round,
  texts: readonly string[],
): Promise<{ readonly vectors: VectorSet; readonly missing: readonly string[] }> {
  const vectors = new VectorSet()
  let missing = texts
  for (const sha256 of await store.newest(embedder.model, EARLIER_MAX)) {
    if (missing.length === 0) break
    const bytes = await readBlob(blobs, sha256, VECTOR_LIMITS.bytes)
    if (bytes === undefined) continue
    const known = VectorSet.parse(bytes)
    missing = missing.filter((text) => {
      const vector = known.of(text)
      if (vector !== undefined) vectors.add(text, vector)
      return vector === undefined
    })
  }
  return { vectors, missing }
}

/**
 * Embeds texts until the round is over or the model fails. Returns how many texts were embedded.
 */
async function embedMissing(
  { embedder, round, texts }: EmbedContext,
  missing: readonly string[],
  vectors: VectorSet,
): Promise<{ readonly embedded: number; readonly error?: unknown }> {
  let embedded = 0
  while (embedded < missing.length && (embedded === 0 || !round.isOver())) {
    const part = missing.slice(embedded, embedded + VECTOR_LIMITS.batch)
    try {
      const found = await embedder.embed(part, round.signal)
      for (const [index, text] of part.entries()) vectors.add(text, found[index] ?? new Int8Array())
    } catch (error) {
      // If the worker is stopping, this is not a failure of the model.
      return round.signal.aborted ? { embedded } : { embedded, error }
    }
    if (vectors.bytesFor(texts.length) > VECTOR_LIMITS.bytes)
      throw new Error('The vectors of this deployment would be too large.')
    embedded += part.length
  }
  return { embedded }
}

type EmbedContext = {
  readonly embedder: TextEmbedder
  readonly round: Round
  readonly texts: readonly string[]
}

/** Stores bytes as a blob of the project. It counts toward the storage of the organization. */
async function putBlob(
  { deploymentsOf }: VectorJobDeps,
  { tenant }: Round,
  bytes: Buffer,
): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const outcome = await deploymentsOf(tenant).put(
    { sha256, size: bytes.length },
    singleChunk(bytes),
  )
  if (outcome !== 'stored') throw new Error(`Vectors were not stored: ${outcome}.`)
  return sha256
}
