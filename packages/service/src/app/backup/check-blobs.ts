/**
 * Walks the manifests of all kept deployments (root → runs → files) and all other blobs of projects
 * (vectors, compile caches, uploads in progress), and checks that each blob is in the store.
 */
import { parseManifestRoot } from '@octavo/model'
import type { BlobName, BlobStore } from '../../platform/blobs/blob-store.ts'
import { DamagedBlobError, readBlob } from '../../platform/blobs/read-blob.ts'
import type { Query } from '../../platform/database/database.ts'
import { DEPLOYMENT_LIMITS, readRun } from '../../publishing/deployments/read-manifest.ts'
import type { BackupFault } from './backup-fault.ts'
import { type BadBlob, findBadBlobs } from './copy-blobs.ts'

export type BlobsCheck = {
  readonly projects: number
  readonly deployments: number
  readonly blobs: number
  readonly faults: readonly BackupFault[]
}

type KeptDeployment = { readonly id: string; readonly root: string }

type ProjectState = {
  readonly names: readonly BlobName[]
  readonly deployments: readonly KeptDeployment[]
}

type Reported = {
  readonly code: BackupFault['code']
  readonly place: string
  readonly sha256: string
}

/** The state while the manifests of one project are walked. */
type Walk = {
  readonly store: BlobStore
  readonly sizes: ReadonlyMap<string, number>
  readonly known: ReadonlyMap<string, BadBlob | undefined>
  readonly report: (code: Reported['code'], place: string, sha256: string) => void
  /** Manifest parts that were already walked, since several deployments can share a part. */
  readonly done: Set<string>
}

const REASONS = {
  'blob-missing': 'is not in the store',
  'blob-damaged': 'does not match its digest',
  'manifest-damaged':
    'is not a valid part of a manifest, or names files that the project does not have',
}

/**
 * Checks the blobs of all projects. `query` has to run as the owner of the tables, and may be part
 * of a transaction.
 */
export async function checkBlobs(
  query: Query,
  store: BlobStore,
  options: { readonly readsBytes: boolean },
): Promise<BlobsCheck> {
  const faults: BackupFault[] = []
  const projects = await query<{ id: string; slug: string }>(
    'select id, slug from project order by id',
  )
  const known = new Map<string, BadBlob | undefined>()
  let deployments = 0
  for (const { id, slug } of projects) {
    const project = await readProject(query, id)
    const fresh = project.names.filter(({ sha256 }) => !known.has(sha256))
    const found = await findBadBlobs(fresh, store, options.readsBytes)
    for (const { sha256 } of fresh) known.set(sha256, found.get(sha256))
    const reported = await walkProject(project, store, known)
    deployments += project.deployments.length
    if (reported.length === 0) continue
    // Garbage collection may have deleted a blob since the walk began. In that case, its row was
    // deleted too.
    const kept = new Set((await readBlobNames(query, id)).map(({ sha256 }) => sha256))
    const had = new Set(project.names.map(({ sha256 }) => sha256))
    for (const { code, place, sha256 } of reported)
      if (kept.has(sha256) || !had.has(sha256))
        faults.push(faultOf(code, `${slug} ${place}`.trim(), sha256))
  }
  return { projects: projects.length, deployments, blobs: known.size, faults }
}

/** Returns the blobs of all projects, or of one. */
export async function readBlobNames(query: Query, project?: string): Promise<readonly BlobName[]> {
  const rows = await query<{ sha256: string; size: string }>(
    `select distinct encode(sha256, 'hex') as sha256, size from project_blob
      where $1::bigint is null or project_id = $1 order by 1`,
    [project ?? null],
  )
  return rows.map(({ sha256, size }) => ({ sha256, size: Number(size) }))
}

/** Reads a project's blobs and deployments in one statement, so that both are consistent. */
async function readProject(query: Query, id: string): Promise<ProjectState> {
  const rows = await query<{ id: string | null; sha256: string; size: string }>(
    `select null as id, encode(sha256, 'hex') as sha256, size from project_blob where project_id = $1
     union all
     select id, encode(root, 'hex'), 0 from deployment where project_id = $1 and state = 'ready'`,
    [id],
  )
  return {
    names: rows.flatMap(({ id, sha256, size }) =>
      id === null ? [{ sha256, size: Number(size) }] : [],
    ),
    deployments: rows.flatMap(({ id, sha256 }) => (id === null ? [] : [{ id, root: sha256 }])),
  }
}

async function walkProject(
  { names, deployments }: ProjectState,
  store: BlobStore,
  known: ReadonlyMap<string, BadBlob | undefined>,
): Promise<readonly Reported[]> {
  const reported = new Map<string, Reported>()
  const walk: Walk = {
    store,
    sizes: new Map(names.map(({ sha256, size }) => [sha256, size])),
    known,
    done: new Set(),
    report(code, place, sha256) {
      if (!reported.has(sha256)) reported.set(sha256, { code, place, sha256 })
    },
  }
  for (const deployment of deployments) await walkDeployment(walk, deployment)
  for (const { sha256 } of names) {
    const code = known.get(sha256)
    if (code !== undefined) walk.report(code, '', sha256)
  }
  return [...reported.values()]
}

async function walkDeployment(walk: Walk, { id, root }: KeptDeployment): Promise<void> {
  if (!expectBlob(walk, `${id} root`, root)) return
  const bytes = await readBlob(walk.store, root, DEPLOYMENT_LIMITS.manifestBytes).catch(
    (error: unknown) => {
      if (error instanceof DamagedBlobError) return undefined
      throw error
    },
  )
  const parsed = parseManifestRoot(bytes?.toString('utf8') ?? '')
  if (parsed.kind !== 'root') return walk.report('manifest-damaged', `${id} root`, root)
  for (const [index, { sha256 }] of parsed.root.runs.entries()) {
    if (walk.done.has(sha256)) continue
    walk.done.add(sha256)
    const place = `${id} run ${index}`
    if (!expectBlob(walk, place, sha256)) continue
    const run = await readRun(walk.store, parsed.root, index)
    if (run.kind === 'run')
      for (const entry of run.entries)
        expectBlob(walk, `${id} ${entry.path}`, entry.sha256, entry.size)
    else walk.report('manifest-damaged', place, sha256)
  }
}

function expectBlob(walk: Walk, place: string, sha256: string, size?: number): boolean {
  const bad = walk.known.get(sha256)
  const stored = walk.sizes.get(sha256)
  const isOther = stored === undefined || (size !== undefined && stored !== size)
  if (bad === undefined && !isOther) return true
  walk.report(bad ?? 'manifest-damaged', place, sha256)
  return false
}

function faultOf(code: BackupFault['code'], place: string, sha256: string): BackupFault {
  return {
    code,
    place,
    reason: `The blob ${sha256} ${REASONS[code as keyof typeof REASONS]}.`,
    hint: `Copy the file blobs/${sha256.slice(0, 2)}/${sha256.slice(2)} from a backup into the store.`,
  }
}
