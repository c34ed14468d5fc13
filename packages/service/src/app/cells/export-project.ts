/**
 * Exports a project as a folder that another cell can import: its rows from one snapshot, its files
 * by digest, and a manifest that is written last. Memory use does not depend on the project's size.
 */

import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  type BlobName,
  type BlobStore,
  blobPath,
  forEachLimited,
  verifyBody,
} from '../../platform/blobs/blob-store.ts'
import {
  bindingOf,
  type Database,
  joinTransaction,
  type Query,
  type Tenant,
} from '../../platform/database/database.ts'
import { createKeyRing, type KeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { neededBlobs } from '../../publishing/deployments/collect-blobs.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import {
  blobsPath,
  EXPORT_FORMAT,
  MANIFEST_FILE,
  type Manifest,
  OWNER_ONLY,
  pepperCheck,
  readMigration,
  rowsPath,
  SIGNATURE_FILE,
  UnusableExport,
  type WrittenFile,
  writeLines,
} from './export-manifest.ts'
import { signManifest } from './export-signature.ts'
import {
  fixTextFormats,
  PROJECT_TABLES,
  readLinesOf,
  readTableShape,
  selectLines,
} from './project-tables.ts'
import { parseBlob, type Row } from './read-archive.ts'
import { resealRow, sealCheck } from './transfer-key.ts'

const BLOBS_AT_ONCE = 8
const BLOBS_PER_BATCH = 1_000
const OWNER_ONLY_FOLDER = 0o700

export type ExportDeps = {
  /** Connected as the owner of the tables. */
  readonly database: Database
  readonly blobs: BlobStore
  readonly secretKeys: readonly SecretKey[]
  readonly pepper: PepperRing
  readonly transferKey: KeyRing | undefined
}

export type ExportedProject = {
  readonly tenant: Tenant
  readonly publicId: string
  readonly slug: string
}

export type Exported = {
  readonly rows: number
  readonly blobs: number
  readonly bytes: number
  /** The number of files that are missing from the store and that no deployment needs. */
  readonly absent: number
}

/**
 * Exports the project into a folder. Files of an earlier export in the folder are not copied again.
 */
export async function exportProject(
  deps: ExportDeps,
  project: ExportedProject,
  folder: string,
): Promise<Exported> {
  await mkdir(join(folder, 'rows'), { recursive: true, mode: OWNER_ONLY_FOLDER })
  await mkdir(blobsPath(folder), { recursive: true, mode: OWNER_ONLY_FOLDER })
  // Remove an earlier manifest, so that an unfinished folder is not mistaken for an export.
  await rm(join(folder, MANIFEST_FILE), { force: true })
  return deps.database.transaction(async (query) => {
    await query('set transaction isolation level repeatable read, read only')
    await query(bindingOf(project.tenant))
    await fixTextFormats(query)
    // Makes the export fail, instead of skipping rows, if row-level security applies to the role.
    await query('set local row_security = off')
    const [clock] = await query<{ ms: string }>('select now_ms() as ms')
    const written = await writeRows(deps, query, { project, folder })
    const copied = await copyBlobs(deps, query, { project, folder })
    const files = { ...written.files, project_blob: copied.file }
    const manifest: Manifest = {
      format: EXPORT_FORMAT,
      exportedAt: new Date(Number(clock?.ms)).toISOString(),
      exportedMs: Number(clock?.ms),
      migration: await readMigration(query),
      project: {
        id: project.tenant.projectId,
        organizationId: project.tenant.organizationId,
        publicId: project.publicId,
        slug: project.slug,
      },
      pepper: pepperCheck(deps.pepper),
      keyCheck: written.keyCheck,
      files,
      blobs: { count: copied.file.rows, bytes: copied.bytes },
    }
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
    await writeAtomically(folder, SIGNATURE_FILE, JSON.stringify(signManifest(text, deps)))
    await writeAtomically(folder, MANIFEST_FILE, text)
    const rows = Object.values(files).reduce((sum, file) => sum + file.rows, 0)
    return { rows, blobs: copied.file.rows, bytes: copied.bytes, absent: copied.absent }
  })
}

type Place = { readonly project: ExportedProject; readonly folder: string }

/** Writes all row files except the list of blobs. */
async function writeRows(deps: ExportDeps, query: Query, { project, folder }: Place) {
  const { organizationId, projectId } = project.tenant
  const ofProject = `project_id = ${projectId}`
  // Organization-wide roles. `people` selects all users to whom the exported rows refer.
  const ofOrganization = `organization_id = ${organizationId} and project_id is null`
  const people = `id in (select user_id from membership where ${ofProject} or ${ofOrganization}
    union select user_id from reader_session where ${ofProject})`
  const files: Record<string, WrittenFile> = {}
  const write = async (table: string, condition: string, name = table) => {
    const lines = readLinesOf(query, selectLines(await readTableShape(query, table), condition))
    files[name] = await writeLines(
      rowsPath(folder, name),
      table === 'secret' ? resealed(deps, lines, projectId) : lines,
    )
  }
  await write('organization', `id = ${organizationId}`)
  await write('project', `id = ${projectId}`)
  await write('app_user', people)
  await write('membership', ofOrganization, 'organization_membership')
  for (const table of PROJECT_TABLES) if (table !== 'project_blob') await write(table, ofProject)
  const hasSecrets = (files.secret?.rows ?? 0) > 0
  const keyCheck =
    hasSecrets && deps.transferKey !== undefined ? sealCheck(deps.transferKey, projectId) : null
  return { files, keyCheck }
}

async function* resealed(
  { secretKeys, transferKey }: ExportDeps,
  lines: AsyncIterable<string>,
  projectId: string,
): AsyncGenerator<string> {
  for await (const line of lines) {
    if (transferKey === undefined)
      throw new UnusableExport(
        'The project has secrets, so a transfer key is needed. Generate one with `openssl rand -base64 32` and pass its file with --key-file.',
      )
    const rings = { from: createKeyRing(secretKeys), to: transferKey }
    yield JSON.stringify(resealRow(JSON.parse(line) as Row, rings, projectId))
  }
}

/**
 * Copies the project's files and writes a list of them. Throws if a file that a deployment needs is
 * missing.
 */
async function copyBlobs(
  { database, blobs }: ExportDeps,
  query: Query,
  { project, folder }: Place,
) {
  const store = new DeploymentStore(joinTransaction(database.forProject(project.tenant), query))
  const missing = new Set(await neededBlobs(store, blobs))
  let bytes = 0
  let absent = 0
  async function* copied(): AsyncGenerator<string> {
    const shape = await readTableShape(query, 'project_blob')
    const all = readLinesOf(query, selectLines(shape, `project_id = ${project.tenant.projectId}`))
    for await (const lines of inBatches(all)) {
      const found = await copyBatch(blobs, folder, lines.map(parseLine))
      for (const [index, line] of lines.entries()) {
        const { sha256, size } = parseLine(line)
        if (found.has(index)) {
          missing.delete(sha256)
          bytes += size
          yield line
        } else absent += 1
      }
    }
  }
  const file = await writeLines(rowsPath(folder, 'project_blob'), copied())
  const [first] = missing
  if (first !== undefined)
    throw new UnusableExport(
      `${missing.size} files that deployments of the project need are missing from the store, such as ${first}. Repair the store, or remove the deployment.`,
    )
  return { file, bytes, absent }
}

async function* inBatches(lines: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let batch: string[] = []
  for await (const line of lines) {
    batch.push(line)
    if (batch.length < BLOBS_PER_BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const parseLine = (line: string): BlobName => parseBlob(JSON.parse(line) as Row)

/** Returns the indexes of the blobs that the store has. */
async function copyBatch(
  store: BlobStore,
  folder: string,
  batch: readonly BlobName[],
): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  await forEachLimited([...batch.entries()], {
    atOnce: BLOBS_AT_ONCE,
    call: async ([index, blob]) => {
      const target = join(blobsPath(folder), blobPath(blob.sha256))
      const earlier = await stat(target).catch(() => undefined)
      if (earlier?.size === blob.size) {
        found.add(index)
        return
      }
      const stored = await store.get(blob.sha256)
      if (stored === undefined) return
      await mkdir(dirname(target), { recursive: true, mode: OWNER_ONLY_FOLDER })
      const part = `${target}.part`
      await pipeline(verifyBody(blob, stored.body), createWriteStream(part, { mode: OWNER_ONLY }))
      await rename(part, target)
      found.add(index)
    },
  })
  return found
}

async function writeAtomically(folder: string, name: string, text: string | Buffer): Promise<void> {
  const path = join(folder, name)
  const file = await open(`${path}.part`, 'w', OWNER_ONLY)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
}
