/**
 * Deletes files that no deployment needs. None of the three steps affects concurrent uploads:
 *
 * 1. Deployments that do not have to be kept expire.
 * 2. Blobs are removed from a project if no deployment of it needs them and it has not used them
 *    for a day. An upload that relies on an existing blob uses it when it asks for missing blobs
 *    and when it finishes.
 * 3. Blobs that no project has are deleted from the store. They are claimed first: an upload of
 *    the same bytes that began before the end of the claim has to send them again.
 */
import { parseManifestRoot } from '@octavo/model'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { forEachLimited } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { DEPLOYMENT_LIMITS, readRun } from './read-manifest.ts'
import { DeploymentStore, type KeptRoot } from './store.ts'

/**
 * Longer than the 24 hours in which an upload must finish, plus the hour within which a blob is not
 * renewed again.
 */
const GRACE_SECONDS = 25 * 3_600 + 600

const PROJECTS_PER_BATCH = 100
const CLAIMS_AT_A_TIME = 500
const DELETES_AT_ONCE = 16
/**
 * The time limit for deleting claimed blobs. Another process takes over a claim after ten minutes.
 * A process that was paused for that long must not delete any more blobs, since they may have been
 * uploaded again.
 */
const CLAIM_MS_MAX = 60_000

export type CollectDeps = {
  readonly database: Database
  readonly blobs: BlobStore
  readonly now: () => number
  readonly log: Log
}

export type Collected = {
  readonly expired: number
  /** The number of blobs that were removed from projects. */
  readonly dropped: number
  /** The number of blobs that were deleted from the store. */
  readonly deleted: number
}

export async function collectBlobs(
  deps: CollectDeps,
  signal: AbortSignal,
  graceSeconds: number = GRACE_SECONDS,
): Promise<Collected> {
  const { database, log } = deps
  const [retired] = await database.query<{ count: number }>('select retire_deployments() as count')
  const dropped = await dropFromProjects(deps, signal, graceSeconds)
  const taken = await database.query<ClaimedRow>('select take_over_claims() as sha256')
  let deleted = await deleteClaimed(deps, taken, deps.now())
  await deps.blobs.removeLeftovers(new Date(deps.now() - graceSeconds * 1_000))
  for await (const digests of oldBlobs(deps, graceSeconds)) {
    if (signal.aborted) break
    const claimedAt = deps.now()
    const claimed = await database.query<ClaimedRow>('select claim_blobs($1) as sha256', [digests])
    deleted += await deleteClaimed(deps, claimed, claimedAt)
  }
  const collected = { expired: retired?.count ?? 0, dropped, deleted }
  if (Object.values(collected).some((count) => count > 0)) log.info('collection', collected)
  return collected
}

type ClaimedRow = { readonly sha256: Buffer }

async function dropFromProjects(
  { database, blobs, log }: CollectDeps,
  signal: AbortSignal,
  graceSeconds: number,
): Promise<number> {
  const failed = new Set<string>()
  let dropped = 0
  for (;;) {
    const rows = await database.query<{ organization_id: string; project_id: string }>(
      'select * from find_uncollected_projects($1, $2)',
      [graceSeconds, PROJECTS_PER_BATCH + failed.size],
    )
    const projects = rows.filter(({ project_id }) => !failed.has(project_id))
    if (projects.length === 0 || signal.aborted) return dropped
    for (const { organization_id, project_id } of projects) {
      const tenant = { organizationId: organization_id, projectId: project_id }
      const store = new DeploymentStore(database.forProject(tenant))
      try {
        dropped += await store.dropBlobs(await neededBlobs(store, blobs), graceSeconds)
      } catch (error) {
        // Keep all blobs of this project, and continue with other projects.
        failed.add(project_id)
        log.error('a project was not collected', { projectId: project_id, error })
      }
    }
  }
}

/**
 * Returns the digests of all blobs that a project's deployments need, including vectors and compile
 * caches. Throws an error if a finished deployment cannot be read.
 */
export async function neededBlobs(
  store: DeploymentStore,
  blobs: BlobStore,
): Promise<ReadonlySet<string>> {
  const needed = new Set<string>()
  for (const kept of await store.keptRoots()) {
    if (needed.has(kept.root)) continue
    needed.add(kept.root)
    await addRuns(kept, blobs, needed)
  }
  for (const sha256 of await store.keptCaches()) needed.add(sha256)
  for (const sha256 of await store.keptVectors()) needed.add(sha256)
  return needed
}

async function addRuns(kept: KeptRoot, blobs: BlobStore, needed: Set<string>): Promise<void> {
  const bytes = await readBlob(blobs, kept.root, DEPLOYMENT_LIMITS.manifestBytes)
  // `readRoot` is too strict here: blobs of older deployments must be kept, even if their roots
  // would be rejected today.
  const parsed = bytes && parseManifestRoot(bytes.toString('utf8'))
  if (parsed?.kind !== 'root') throw new Error(`the root ${kept.root} cannot be read`)
  for (const [index, { sha256 }] of parsed.root.runs.entries()) {
    // Another deployment has the same run.
    if (needed.has(sha256)) continue
    const run = await readRun(blobs, parsed.root, index)
    if (run.kind === 'run') {
      needed.add(sha256)
      for (const entry of run.entries) needed.add(entry.sha256)
    } else if (kept.isComplete) throw new Error(`${kept.root}: ${run.reason}`)
  }
}

/** Yields batches of blobs that are older than the grace period. */
async function* oldBlobs(
  { blobs, now }: CollectDeps,
  graceSeconds: number,
): AsyncGenerator<readonly Buffer[]> {
  let digests: Buffer[] = []
  for await (const { sha256, storedAt } of blobs.list()) {
    if (storedAt.getTime() > now() - graceSeconds * 1_000) continue
    digests.push(Buffer.from(sha256, 'hex'))
    if (digests.length < CLAIMS_AT_A_TIME) continue
    yield digests
    digests = []
  }
  if (digests.length > 0) yield digests
}

async function deleteClaimed(
  { database, blobs, now }: CollectDeps,
  claimed: readonly ClaimedRow[],
  claimedAt: number,
): Promise<number> {
  if (claimed.length === 0) return 0
  await forEachLimited(claimed, {
    atOnce: DELETES_AT_ONCE,
    call: async ({ sha256 }) => {
      if (now() - claimedAt > CLAIM_MS_MAX) throw new Error('the claim on the blobs is too old')
      await blobs.delete(sha256.toString('hex'))
    },
  })
  await database.query('select release_blobs($1)', [claimed.map(({ sha256 }) => sha256)])
  return claimed.length
}
