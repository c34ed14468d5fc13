/**
 * Restores a backup into an empty database and a store. The database stays untouched until the
 * backup has been verified and its files are in the store. It is restored in one transaction, so a
 * failed restore can be repeated.
 */

import { join } from 'node:path'
import pg from 'pg'
import type { BlobName, BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { openDatabase, type Query } from '../../platform/database/database.ts'
import { prepareRoles } from '../../platform/database/definer-role.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { SCHEMA_FILES } from '../../platform/database/schema-files.ts'
import type { SecretKey } from '../../platform/secrets/key-ring.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { findUnreadableSecrets } from '../../platform/secrets/store.ts'
import { BackupFailed, type BackupFault } from './backup-fault.ts'
import {
  DUMP_FILE,
  type FoundBackup,
  findBackup,
  readBlobList,
  verifyFiles,
} from './backup-folder.ts'
import { checkBlobs } from './check-blobs.ts'
import { copyBlobs, findBadBlobs } from './copy-blobs.ts'
import { isKnownPepperHash, serverMajor } from './make-backup.ts'
import { checkTool, runTool } from './postgres-tools.ts'

export type RestoreDeps = {
  readonly ownerUrl: string
  /** The URL for the role that `migrate` creates; undefined if the owner is used for everything. */
  readonly serviceUrl: string | undefined
  readonly pepper: PepperRing
  readonly secretKeys: readonly SecretKey[]
  readonly blobs: BlobStore | undefined
  /** True to continue even if files of the backup are missing or damaged. */
  readonly isPartial: boolean
  readonly print: (line: string) => void
}

/** Restores a backup, checks the restored service, and returns the faults. */
export async function restoreBackup(
  path: string,
  deps: RestoreDeps,
): Promise<readonly BackupFault[]> {
  const { print, ownerUrl } = deps
  const backup = await findBackup(path)
  print(`Restoring ${backup.folder}, made at ${backup.manifest.createdAt}.`)
  await verifyFiles(backup)
  rejectNewerBackup(backup)
  const database = openDatabase({ url: ownerUrl, connections: 1 })
  try {
    await checkTarget(backup, database.query)
    await restoreBlobs(backup, deps)
    await prepareRoles(database.query)
  } finally {
    await database.end()
  }
  await runTool('pg_restore', {
    url: ownerUrl,
    // Owners are not restored, since the owner may have a different name on the new server.
    args: ['--single-transaction', '--exit-on-error', '--no-owner', join(backup.folder, DUMP_FILE)],
  })
  print('Restored the database.')
  const files = await migrate(ownerUrl, { serviceUrl: deps.serviceUrl, warn: print })
  if (files.length > 0) print(`Ran ${files.join(', ')}.`)
  return findFaults(backup, deps)
}

/** Throws if a newer version made the backup, since this version may not understand its content. */
function rejectNewerBackup({ folder, manifest }: FoundBackup): void {
  const unknown = manifest.schema.filter((name) => !SCHEMA_FILES.includes(name))
  if (unknown.length === 0) return
  throw failed({
    code: 'backup-newer',
    place: folder,
    reason: `The backup was made by a newer version: its database has ${unknown.join(', ')}.`,
    hint: 'Use that version of octavo-service or a later one.',
  })
}

async function checkTarget({ manifest }: FoundBackup, query: Query): Promise<void> {
  const server = await serverMajor(query)
  await checkTool('pg_restore', {
    major: Math.max(manifest.postgres.pgDump, server),
    because: 'this backup and this server need',
  })
  const rows = await query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by 1 limit 1`,
  )
  const [first] = rows
  if (first === undefined) return
  throw failed({
    code: 'database-not-empty',
    place: 'DATABASE_OWNER_URL',
    reason: `The database already has tables, such as ${first.name}.`,
    hint: 'Create an empty database, and set DATABASE_URL and DATABASE_OWNER_URL to its address. Nothing was changed.',
  })
}

async function restoreBlobs(backup: FoundBackup, deps: RestoreDeps): Promise<void> {
  const names = await readBlobList(backup)
  if (names.length === 0) return
  const { blobs, print } = deps
  if (blobs === undefined)
    throw failed({
      code: 'store-not-set',
      place: 'OCTAVO_BLOBS',
      reason: `The backup contains ${names.length} files of sites.`,
      hint: 'Set OCTAVO_BLOBS to a folder or bucket for these files.',
    })
  // Read all bytes, since files that were already in the store may be damaged.
  const absent = await findBadBlobs(names, blobs, true)
  const fresh = names.filter(({ sha256 }) => absent.has(sha256))
  const source = await openFolderStore(backup.blobsFolder)
  const bad = await copyBlobs(fresh, source, blobs)
  print(`Copied ${fresh.length - bad.size} files; ${names.length - fresh.length} already existed.`)
  if (bad.size > 0 && !deps.isPartial)
    throw new BackupFailed(fresh.flatMap((name) => blobFault(backup, name, bad.get(name.sha256))))
}

function blobFault(
  { blobsFolder }: FoundBackup,
  { sha256 }: BlobName,
  code: BackupFault['code'] | undefined,
): readonly BackupFault[] {
  if (code === undefined) return []
  return [
    {
      code,
      place: join(blobsFolder, sha256.slice(0, 2), sha256.slice(2)),
      reason: code === 'blob-missing' ? 'The file is missing.' : 'Its bytes are damaged.',
      hint: 'Copy the file from another copy of the backup, or restore the rest with --partial. The database was not changed.',
    },
  ]
}

async function findFaults(
  { manifest }: FoundBackup,
  { ownerUrl, pepper, secretKeys, blobs, print }: RestoreDeps,
): Promise<readonly BackupFault[]> {
  const client = new pg.Client(ownerUrl)
  await client.connect()
  const query: Query = async (text, values = []) => (await client.query(text, [...values])).rows
  try {
    const check = blobs && (await checkBlobs(query, blobs, { readsBytes: false }))
    if (check !== undefined)
      print(
        `Checked ${check.deployments} deployments of ${check.projects} projects: ${check.blobs} files.`,
      )
    return [
      ...(check?.faults ?? []),
      ...(await secretFaults(query, secretKeys)),
      ...pepperFaults(manifest.pepper, pepper),
    ]
  } finally {
    await client.end()
  }
}

async function secretFaults(
  query: Query,
  keys: readonly SecretKey[],
): Promise<readonly BackupFault[]> {
  const unreadable = await findUnreadableSecrets(query, keys)
  return unreadable.map(({ place, reason }) => ({
    code: 'secret-unreadable',
    place,
    reason,
    hint: 'Set OCTAVO_SECRET_KEYS to the keys of the service that was backed up. If you do not have them, enter this secret again.',
  }))
}

function pepperFaults(mark: string, pepper: PepperRing): readonly BackupFault[] {
  if (isKnownPepperHash(pepper, mark)) return []
  return [
    {
      code: 'pepper-differs',
      place: 'OCTAVO_KEY_PEPPER',
      reason:
        'The pepper differs from that of the backed-up service, so existing API keys do not work.',
      hint: 'Set the old pepper. If you do not have it, create new keys with `octavo-service key create`.',
    },
  ]
}

const failed = (fault: BackupFault) => new BackupFailed([fault])
