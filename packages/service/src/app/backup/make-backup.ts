/**
 * Makes a backup while the service runs. The dump shows one moment, and every file that it relies
 * on has to be in the backup although files are stored and deleted all the time. So the order is:
 *
 * 1. Copy the blobs that projects have now.
 * 2. Take a snapshot of the database, and dump it.
 * 3. Copy the blobs that projects had in the snapshot and that are not in the backup yet.
 *
 * A blob is stored before its row is written. Its file is deleted only after its row is gone, and a
 * row stays for at least 25 hours after it was written (`collect-blobs.ts`). A row of the snapshot
 * either existed at step 1, so its blob was copied then, even if garbage collection deletes it
 * right after the snapshot; or it was written since, so step 3 finds its blob if the backup takes
 * less than 25 hours. If the dump came first, a deployment that expires after it would lose files;
 * if all blobs came first, the dump would name files that were stored later.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { BlobName, BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import type { Query } from '../../platform/database/database.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import type { BackupFault } from './backup-fault.ts'
import {
  type BackupManifest,
  BLOBS_FILE,
  backupName,
  blobsFolderOf,
  DUMP_FILE,
  printBlobList,
  writeManifest,
  writeSynced,
} from './backup-folder.ts'
import { checkBlobs, readBlobNames } from './check-blobs.ts'
import { copyBlobs, findBadBlobs } from './copy-blobs.ts'
import { checkTool, runTool } from './postgres-tools.ts'

export type BackupDeps = {
  readonly ownerUrl: string
  readonly pepper: PepperRing
  /** Undefined if the service hosts no sites and therefore has no blob store. */
  readonly blobs: BlobStore | undefined
  readonly now: () => number
  readonly print: (line: string) => void
}

export type MadeBackup = {
  readonly folder: string
  /** Files that are missing from the store; all others were backed up. */
  readonly faults: readonly BackupFault[]
}

export async function makeBackup(path: string, deps: BackupDeps): Promise<MadeBackup> {
  const client = new pg.Client(deps.ownerUrl)
  // If the connection is lost, the running query fails and reports the error.
  client.on('error', () => {})
  await client.connect()
  try {
    return await backUp(path, deps, client)
  } finally {
    await client.end()
  }
}

async function backUp(path: string, deps: BackupDeps, client: pg.Client): Promise<MadeBackup> {
  const { print, now } = deps
  const query: Query = async (text, values = []) => (await client.query(text, [...values])).rows
  const server = await serverMajor(query)
  const pgDump = await checkTool('pg_dump', { major: server, because: 'the server is PostgreSQL' })
  const createdAt = now()
  const folder = join(path, backupName(createdAt))
  await mkdir(path, { recursive: true, mode: 0o700 })
  await mkdir(folder, { mode: 0o700 })
  const target = await openFolderStore(blobsFolderOf(path))
  await copyNew(deps, target, await readBlobNames(query))

  // The role may have a timeout that is meant for short requests.
  await query('set idle_in_transaction_session_timeout = 0')
  await query('begin isolation level repeatable read read only')
  const [row] = await query<{ id: string }>('select pg_export_snapshot() as id')
  const names = await readBlobNames(query)
  const facts = await readFacts(query)
  const dump = await writeSynced(join(folder, DUMP_FILE), (write) =>
    runTool('pg_dump', {
      url: deps.ownerUrl,
      args: ['--format=custom', `--snapshot=${row?.id}`],
      read: async (output) => {
        for await (const piece of output) await write(piece)
      },
    }),
  )
  print(`Dumped the database: ${dump.size} bytes.`)
  await copyNew(deps, target, names)
  // The check runs in the snapshot of the dump, so that both show the same state.
  const { faults } =
    deps.blobs === undefined
      ? { faults: [] }
      : await checkBlobs(query, target, { readsBytes: false })
  await query('commit')

  const list = await writeSynced(join(folder, BLOBS_FILE), (write) =>
    write(Buffer.from(printBlobList(deps.blobs === undefined ? [] : names))),
  )
  await writeManifest(folder, {
    format: 'octavo-backup/1',
    createdAt: new Date(createdAt).toISOString(),
    postgres: { server, pgDump },
    schema: facts.schema,
    counts: {
      ...facts.counts,
      blobs: names.length,
      blobBytes: names.reduce((sum, { size }) => sum + size, 0),
      missing: new Set(faults.map(({ reason }) => reason)).size,
    },
    pepper: printPepperHash(deps.pepper.hash('backup', '')),
    files: { [DUMP_FILE]: dump, [BLOBS_FILE]: list },
  })
  return { folder, faults }
}

/**
 * Copies the blobs that the backup does not have yet. Blobs that are missing from the store are
 * ignored here: `checkBlobs` reports them if a deployment needs them.
 */
async function copyNew(
  { blobs, print }: BackupDeps,
  target: BlobStore,
  names: readonly BlobName[],
): Promise<void> {
  if (blobs === undefined) return
  const absent = await findBadBlobs(names, target, false)
  const fresh = names.filter(({ sha256 }) => absent.has(sha256))
  const bad = await copyBlobs(fresh, blobs, target)
  print(`Copied ${fresh.length - bad.size} files; ${names.length - fresh.length} already existed.`)
}

export async function serverMajor(query: Query): Promise<number> {
  const [row] = await query<{ version: number }>(
    `select current_setting('server_version_num')::integer as version`,
  )
  return Math.trunc((row?.version ?? 0) / 10_000)
}

async function readFacts(query: Query): Promise<{
  readonly schema: string[]
  readonly counts: Pick<BackupManifest['counts'], 'projects' | 'conversations' | 'deployments'>
}> {
  const files = await query<{ name: string }>('select name from migration order by name')
  const [counts] = await query<{ projects: number; conversations: number; deployments: number }>(
    `select (select count(*) from project)::float8 as projects,
            (select count(*) from conversation)::float8 as conversations,
            (select count(*) from deployment where state = 'ready')::float8 as deployments`,
  )
  if (counts === undefined) throw new Error('the rows were not counted')
  return { schema: files.map(({ name }) => name), counts }
}

const PEPPER_MARK_LENGTH = 16

const printPepperHash = (hash: Buffer) => hash.toString('hex').slice(0, PEPPER_MARK_LENGTH)

/** Returns true if a backup's pepper hash was made with this service's current or an old pepper. */
export const isKnownPepperHash = (pepper: PepperRing, mark: string) =>
  pepper.hashes('backup', '').map(printPepperHash).includes(mark)
