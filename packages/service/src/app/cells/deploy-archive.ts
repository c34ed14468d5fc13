/**
 * Deploys the live site of an untrusted archive. Uses only its file contents, not its rows.
 */
import type { ManifestEntry, ManifestRoot } from '@octavo/model'
import { type BlobName, type BlobStore, forEachLimited } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import type { Database, ProjectDatabase } from '../../platform/database/database.ts'
import { Problem } from '../../platform/problem.ts'
import { DeploymentService } from '../../publishing/deployments/deployment-service.ts'
import { PreviewStore } from '../../publishing/deployments/preview-store.ts'
import { DEPLOYMENT_LIMITS, readRoot, readRun } from '../../publishing/deployments/read-manifest.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { UnusableExport } from './export-manifest.ts'
import { type Archive, putBlob, readRows, sizeOfBlob } from './read-archive.ts'

const BLOBS_AT_ONCE = 8
const BLOBS_PER_BATCH = 1_000
const NAMED_MAX = 5
const ROOT = /^\\x([\da-f]{64})$/

type Deps = { readonly database: Database; readonly blobs: BlobStore }

export type StoredSite = {
  readonly root: string
  readonly files: readonly BlobName[]
  /** The time when storing began: garbage collection may have deleted files since then. */
  readonly began: string
}

/**
 * Stores all files of the live site from the bytes in the archive, even files that the store
 * already has: an archive that names a digest does not prove that its author has the file. Returns
 * undefined for a project without a live site.
 */
export async function storeSite(
  archive: Archive,
  { database, blobs }: Deps,
): Promise<StoredSite | undefined> {
  const sha256 = await findLiveRoot(archive)
  if (sha256 === undefined) return undefined
  const [clock] = await database.query<{ at: string }>('select clock_timestamp()::text as at')
  const files = new Map<string, BlobName>()
  const put = async (blob: BlobName) => {
    if (files.has(blob.sha256)) return
    files.set(blob.sha256, blob)
    await putBlob(archive, blobs, blob)
  }
  const putPart = async (digest: string) => {
    const size = await sizeOfBlob(archive, digest)
    if (size > DEPLOYMENT_LIMITS.manifestBytes)
      throw new UnusableExport(`The manifest of the site is too large: ${digest}.`)
    await put({ sha256: digest, size })
  }
  await putPart(sha256)
  const text = (await readBlob(blobs, sha256, DEPLOYMENT_LIMITS.manifestBytes))?.toString('utf8')
  const parsed = readRoot(text ?? '')
  if (parsed.kind === 'malformed') throw badSite(parsed.reason)
  const { root } = parsed
  const count = root.runs.reduce((sum, run) => sum + run.count, 0)
  if (count > DEPLOYMENT_LIMITS.files) throw badSite(`it has ${count} files`)
  let bytes = 0
  for (const [index, run] of root.runs.entries()) {
    await putPart(run.sha256)
    const entries = await readEntries(blobs, root, index)
    bytes += entries.reduce((sum, { size }) => sum + size, 0)
    if (bytes > DEPLOYMENT_LIMITS.bytes)
      throw badSite(`it has more than ${DEPLOYMENT_LIMITS.bytes} bytes`)
    await forEachLimited(entries, { atOnce: BLOBS_AT_ONCE, call: put })
  }
  return { root: text ?? '', files: [...files.values()], began: clock?.at ?? '' }
}

/** Publishes the site as a deployment of the project, in the transaction of `bound`. */
export async function deploySite(
  { blobs, bound, now }: Deps & { readonly bound: ProjectDatabase; readonly now: () => number },
  site: StoredSite,
): Promise<void> {
  const store = new DeploymentStore(bound)
  const { room } = await store.beginUpload()
  const bytes = site.files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > room)
    throw new UnusableExport(
      `The site has ${bytes} bytes, and the organization can store ${Math.max(0, room)} more.`,
    )
  for (let start = 0; start < site.files.length; start += BLOBS_PER_BATCH) {
    const deleted = await store.addBlobs(site.files.slice(start, start + BLOBS_PER_BATCH), site)
    if (deleted.length > 0)
      throw new UnusableExport(
        'Files of the site were deleted as unused while it was imported. Run the import again.',
      )
  }
  const service = new DeploymentService({
    store,
    previews: new PreviewStore(bound),
    blobs,
    siteUrlOf: () => undefined,
    previewUrlOf: () => undefined,
    prepareWebhook: async () => undefined,
    onReleased: async () => {},
    now,
  })
  try {
    const { id } = await service.create({
      root: site.root,
      target: 'production',
      draft: false,
      by: 'operator',
      idempotencyKey: undefined,
      // Only a site that was public before is imported as public.
      acceptPublic: true,
    })
    await service.finish(id)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const named = (error.errors ?? []).slice(0, NAMED_MAX)
    throw badSite(
      [error.message, ...named.map(({ path, reason }) => `${path}: ${reason}`)].join(' '),
    )
  }
}

/** Returns the manifest digest of the live deployment. */
async function findLiveRoot(archive: Archive): Promise<string | undefined> {
  let live: string | null | undefined
  for await (const row of readRows(archive, 'publication')) live = row.deployment_id
  if (live === null || live === undefined) return undefined
  let root: string | undefined
  for await (const row of readRows(archive, 'deployment'))
    if (row.id === live) root = ROOT.exec(row.root ?? '')?.[1]
  if (root === undefined) throw badSite('its deployment is missing')
  return root
}

async function readEntries(
  blobs: BlobStore,
  root: ManifestRoot,
  index: number,
): Promise<readonly ManifestEntry[]> {
  const run = await readRun(blobs, root, index)
  if (run.kind === 'malformed') throw badSite(run.reason)
  return run.entries
}

const badSite = (reason: string) => new UnusableExport(`The site cannot be deployed: ${reason}`)
