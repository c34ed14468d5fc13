/**
 * Imports an exported project into this cell. Files come first: files without a project are
 * harmless, and are collected a day later. Then all rows are inserted, read back and compared in
 * one transaction, so the import is complete or has no effect.
 */

import { insertAudit } from '../../platform/audit/store.ts'
import { type BlobStore, forEachLimited } from '../../platform/blobs/blob-store.ts'
import { bindingOf, type Database, type Query } from '../../platform/database/database.ts'
import { createKeyRing, type KeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { ulidMs } from '../../platform/ulid.ts'
import { digestLines, isKnownPepper, type Manifest, UnusableExport } from './export-manifest.ts'
import { checkSignature } from './export-signature.ts'
import { addPeople, checkValues, type PeopleIds, withIds } from './import-people.ts'
import { checkVersion, findImportProblem, removeDeleted } from './import-problems.ts'
import {
  CHANGED_TABLES,
  EXPORTED_FILES,
  fixTextFormats,
  insertLines,
  PEPPERED_TABLES,
  PROJECT_TABLES,
  type ProjectTable,
  quote,
  readLinesOf,
  readTableShape,
  selectLines,
} from './project-tables.ts'
import {
  type Archive,
  checkRows,
  openArchive,
  parseBlob,
  putBlob,
  type Row,
  readBatches,
  readRows,
} from './read-archive.ts'
import { opensCheck, resealRow } from './transfer-key.ts'

const ROWS_PER_BATCH = 500
const BLOBS_AT_ONCE = 8
const BLOBS_PER_BATCH = 1_000

export type ImportDeps = {
  /** Connected as the owner of the tables. */
  readonly database: Database
  readonly blobs: BlobStore
  readonly secretKeys: readonly SecretKey[]
  readonly pepper: PepperRing
  readonly transferKey: KeyRing | undefined
  /** Skips rows that depend on the pepper of the other cell. */
  readonly withoutKeys: boolean
}

export type Imported = {
  readonly manifest: Manifest
  readonly rows: number
  readonly blobs: number
  /** The number of rows skipped because of `withoutKeys`. */
  readonly skippedRows: number
}

export async function importProject(deps: ImportDeps, folder: string): Promise<Imported> {
  const archive = await openSigned(deps, folder)
  await checkFit(deps, archive.manifest)
  await makePartitions(deps.database, archive)
  const began = await putBlobs(deps, archive)
  try {
    return await deps.database.transaction((query) =>
      insertProject(deps, query, { archive, began }),
    )
  } catch (error) {
    throw explainUniqueViolation(error)
  }
}

/** Copies only the files, to shorten the time without writes during a move. */
export async function importBlobs(deps: ImportDeps, folder: string): Promise<number> {
  const archive = await openSigned(deps, folder)
  await putBlobs(deps, archive)
  return archive.manifest.blobs.count
}

/** Throws unless a trusted cell signed every file of the export. */
async function openSigned(deps: ImportDeps, folder: string): Promise<Archive> {
  const archive = await openArchive(folder)
  // Checked first, since other versions may sign differently.
  await checkVersion(deps.database, archive.manifest)
  await checkSignature(archive, deps)
  for (const name of EXPORTED_FILES) await checkRows(archive, name)
  return archive
}

/** Throws if there is a problem that can be found before the import writes anything. */
async function checkFit(deps: ImportDeps, manifest: Manifest): Promise<void> {
  const { database, pepper, withoutKeys, transferKey } = deps
  if (!withoutKeys && !isKnownPepper(pepper, manifest.pepper))
    throw new UnusableExport(
      'OCTAVO_KEY_PEPPER of this cell is different, so the API keys, invitations and reader sessions of the project would not work. Use the same pepper in all cells, or skip these rows with --without-keys.',
    )
  if (manifest.keyCheck !== null) {
    if (transferKey === undefined)
      throw new UnusableExport(
        'The project has secrets: pass the file of its transfer key with --key-file.',
      )
    if (!opensCheck(transferKey, manifest.project.id, manifest.keyCheck))
      throw new UnusableExport('--key-file: this is not the key that the export was made with.')
  }
  const problem = await findImportProblem(database.query, manifest)
  if (problem !== undefined) throw new UnusableExport(problem)
}

/** Creates the partitions that this cell lacks, for example because it is newer than the export. */
async function makePartitions(database: Database, archive: Archive): Promise<void> {
  for (const [table, column] of PARTITION_KEYS) {
    // The size of this set is bounded by the number of days, not by the number of rows.
    const days = new Set<string>()
    for await (const row of readRows(archive, table)) {
      const key = row[column] ?? ''
      days.add(column === 'id' ? dayOfId(key) : key.slice(0, DAY_LENGTH))
    }
    await database.query('select make_partitions_for($1, $2)', [table, [...days]])
  }
}

const DAY_LENGTH = 'YYYY-MM-DD'.length
const dayOfId = (id: string) => new Date(ulidMs(id)).toISOString().slice(0, DAY_LENGTH)

const PARTITION_KEYS = [
  ['conversation', 'id'],
  ['conversation_detail', 'id'],
  ['conversation_feedback', 'id'],
  ['question', 'id'],
  ['event_day', 'day'],
  ['event_hour', 'hour'],
] as const satisfies readonly (readonly [ProjectTable, string])[]

/** Stores the files, and returns the start time, since files may have been deleted after it. */
async function putBlobs({ database, blobs }: ImportDeps, archive: Archive): Promise<string> {
  const [row] = await database.query<{ at: string }>('select clock_timestamp()::text as at')
  for await (const rows of readBatches(archive, 'project_blob', BLOBS_PER_BATCH)) {
    const batch = rows.map(parseBlob)
    // Existing files need no upload: the signature proves that the project had their bytes.
    const known = await blobs.hasMany(batch.map(({ sha256 }) => sha256))
    await forEachLimited(
      batch.filter(({ sha256 }) => !known.has(sha256)),
      { atOnce: BLOBS_AT_ONCE, call: (blob) => putBlob(archive, blobs, blob) },
    )
  }
  return row?.at ?? ''
}

type Source = { readonly archive: Archive; readonly began: string }

async function insertProject(deps: ImportDeps, query: Query, source: Source): Promise<Imported> {
  const { manifest } = source.archive
  const { id: projectId, organizationId } = manifest.project
  await fixTextFormats(query)
  await query(`select pg_advisory_xact_lock(lock_class('conversations'), lock_key($1))`, [
    projectId,
  ])
  const problem = await findImportProblem(query, manifest)
  if (problem !== undefined) throw new UnusableExport(problem)
  // This runs before the tenant is bound. A project that moved to another cell may come back, so
  // some of its old rows may still exist.
  await removeDeleted(query, projectId)
  await query(bindingOf({ organizationId, projectId }))
  const people = await addPeople(query, source.archive)
  const left = deps.withoutKeys ? PEPPERED_TABLES : []
  const tables = PROJECT_TABLES.filter((table) => !left.includes(table))
  for (const table of tables) await insertTable(deps, query, { table, source, people })
  for (const table of tables) await compareTable(query, table, manifest)
  await advanceSequences(query, manifest)
  await query('update connection set next_check_at = now() where project_id = $1', [projectId])
  await query('select announce_project()')
  const rows = countRows(manifest, PROJECT_TABLES)
  const skippedRows = countRows(manifest, left)
  await insertAudit(query, {
    actor: 'operator',
    action: 'project.import',
    object: manifest.project.publicId,
    after: { exportedAt: manifest.exportedAt, rows: rows - skippedRows },
  })
  return { manifest, rows: rows - skippedRows, blobs: manifest.blobs.count, skippedRows }
}

function countRows({ files }: Manifest, tables: readonly string[]): number {
  return tables.reduce((sum, table) => sum + (files[table]?.rows ?? 0), 0)
}

type TableWork = {
  readonly table: ProjectTable
  readonly source: Source
  readonly people: PeopleIds
}

async function insertTable(
  { secretKeys, transferKey }: ImportDeps,
  query: Query,
  { table, source, people }: TableWork,
): Promise<void> {
  const { archive, began } = source
  const { id: projectId, organizationId } = archive.manifest.project
  const shape = await readTableShape(query, table)
  const tenant: Row = {
    project_id: projectId,
    ...(shape.columns.some(({ name }) => name === 'organization_id') && {
      organization_id: organizationId,
    }),
  }
  // Delete the rows that triggers wrote to this table when other tables were imported.
  await query(`delete from ${quote(table)} where project_id = $1`, [projectId])
  if (table === 'project_blob')
    await query(`select pg_advisory_xact_lock_shared(lock_class('collection'), 0)`)
  for await (const rows of readBatches(archive, table, ROWS_PER_BATCH)) {
    if (table === 'project_blob') await refuseDeletedBlobs(query, rows, began)
    const lines = rows.map((row) => {
      checkValues(row, table, tenant)
      if (table === 'secret' && transferKey !== undefined) {
        const rings = { from: transferKey, to: createKeyRing(secretKeys) }
        return JSON.stringify(resealRow(row, rings, projectId))
      }
      return JSON.stringify(CHANGED_TABLES.includes(table) ? withIds(row, people) : row)
    })
    await query(insertLines(shape), [lines])
  }
}

/** Throws if garbage collection deleted files that the import relied on. */
async function refuseDeletedBlobs(
  query: Query,
  rows: readonly Row[],
  began: string,
): Promise<void> {
  const digests = rows.map((row) => Buffer.from(parseBlob(row).sha256, 'hex'))
  const deleted = await query('select find_deleted_blobs($1, $2)', [digests, began])
  if (deleted.length > 0)
    throw new UnusableExport(
      'Files of the project were deleted as unused while it was imported. Run the import again.',
    )
}

/** Reads the rows back and compares them: by digest or, for tables whose rows change, by count. */
async function compareTable(query: Query, table: ProjectTable, manifest: Manifest): Promise<void> {
  const written = manifest.files[table]
  const condition = `project_id = ${manifest.project.id}`
  const isSame = CHANGED_TABLES.includes(table)
    ? (await countIn(query, table, condition)) === written?.rows
    : (await digestLines(
        readLinesOf(query, selectLines(await readTableShape(query, table), condition)),
      )) === written?.sha256
  if (!isSame)
    throw new Error(
      `${table}: the imported rows differ from the exported ones. Nothing was changed. Please report this problem.`,
    )
}

async function countIn(query: Query, table: string, condition: string): Promise<number> {
  const [row] = await query<{ count: string }>(
    `select count(*) as count from ${quote(table)} where ${condition}`,
  )
  return Number(row?.count)
}

/**
 * Advances sequences, so that new ids come after the imported ones and after the conversation
 * windows that were already exported.
 */
async function advanceSequences(query: Query, { project, exportedMs }: Manifest): Promise<void> {
  for (const table of PROJECT_TABLES) {
    const { columns } = await readTableShape(query, table)
    for (const { name } of columns.filter(({ isIdentity }) => isIdentity))
      await query(
        `select setval(s.name, greatest(nextval(s.name), (
                  select max(${quote(name)}) from ${quote(table)} where project_id = $3)))
           from (select pg_get_serial_sequence($1, $2) as name) s`,
        [table, name, project.id],
      )
  }
  await query(
    `update conversation_sequence set last_ms = $2, last_counter = 0 where project_id = $1 and last_ms < $2`,
    [project.id, exportedMs],
  )
}

/** Explains a unique violation: another project of this cell has the same name or token. */
function explainUniqueViolation(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return error
  const detail =
    'detail' in error && typeof error.detail === 'string' ? error.detail : error.message
  const table = 'table' in error && typeof error.table === 'string' ? ` (${error.table})` : ''
  return new UnusableExport(
    `Another project of this cell conflicts with this one${table}: ${detail} Nothing was changed.`,
  )
}
