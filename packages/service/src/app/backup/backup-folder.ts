/**
 * The layout of a folder of backups. All backups share the site files in `blobs/`, which are named
 * by their digests; each backup has its own folder, named by its time:
 *
 *     blobs/ab/cd…
 *     2026-11-17T03-00-00Z/database.dump   by pg_dump, custom format
 *                          blobs.txt       digest and size of each blob that the dump relies on
 *                          backup.json     written last: without it the backup is not complete
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, rename } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { BlobName } from '../../platform/blobs/blob-store.ts'
import { BackupFailed, type BackupFault } from './backup-fault.ts'

export const DUMP_FILE = 'database.dump'
export const BLOBS_FILE = 'blobs.txt'
const MANIFEST_FILE = 'backup.json'
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const BLOB_LINE = /^([\da-f]{64}) (\d{1,15})$/

const FileFacts = z.object({ size: z.number().int(), sha256: z.string().length(64) })
const BackupManifest = z.object({
  format: z.literal('octavo-backup/1'),
  createdAt: z.string(),
  /** Major versions of the dumped server and of pg_dump. */
  postgres: z.object({ server: z.number().int(), pgDump: z.number().int() }),
  /** The names of all applied schema files. */
  schema: z.array(z.string()),
  counts: z.object({
    projects: z.number().int(),
    conversations: z.number().int(),
    deployments: z.number().int(),
    blobs: z.number().int(),
    blobBytes: z.number().int(),
    /** The number of blobs that were missing from the store. */
    missing: z.number().int(),
  }),
  /** A short hash of the pepper that detects a different pepper and reveals nothing else. */
  pepper: z.string(),
  files: z.object({ [DUMP_FILE]: FileFacts, [BLOBS_FILE]: FileFacts }),
})

export type BackupManifest = z.infer<typeof BackupManifest>
export type FileFacts = z.infer<typeof FileFacts>

export type FoundBackup = {
  readonly folder: string
  readonly blobsFolder: string
  readonly manifest: BackupManifest
}

/** Returns the name of a new backup, which sorts by time and is valid on every file system. */
export const backupName = (now: number) =>
  `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

export const blobsFolderOf = (folder: string) => join(folder, 'blobs')

/** Opens the backup in a folder, or the newest one in a folder of backups. */
export async function findBackup(path: string): Promise<FoundBackup> {
  const given = resolve(path)
  if (NAME.test(basename(given))) return openBackup(given)
  const names = (await readdir(given).catch(() => [])).filter((name) => NAME.test(name)).sort()
  const newest = names.at(-1)
  if (newest === undefined)
    throw failed({
      code: 'backup-missing',
      place: given,
      reason: 'The folder contains no backup.',
      hint: 'Use the folder that you passed to `octavo-service backup`.',
    })
  return openBackup(join(given, newest))
}

async function openBackup(folder: string): Promise<FoundBackup> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => undefined)
  if (text === undefined)
    throw failed({
      code: 'backup-incomplete',
      place: folder,
      reason: `The folder has no ${MANIFEST_FILE}: the backup failed, was stopped, or is still running.`,
      hint: `Use the folder of an earlier backup in ${dirname(folder)}.`,
    })
  const parsed = BackupManifest.safeParse(parseJson(text))
  if (!parsed.success)
    throw damaged(join(folder, MANIFEST_FILE), 'The file does not belong to a backup.')
  return { folder, blobsFolder: blobsFolderOf(dirname(folder)), manifest: parsed.data }
}

/** Throws if a file of the backup has changed since it was written. */
export async function verifyFiles({ folder, manifest }: FoundBackup): Promise<void> {
  for (const [name, expected] of Object.entries(manifest.files)) {
    const file = join(folder, name)
    const facts = await hashFile(file).catch(() => undefined)
    if (facts === undefined) throw damaged(file, 'The file cannot be read.')
    if (facts.size !== expected.size || facts.sha256 !== expected.sha256)
      throw damaged(file, 'The content of the file has changed since the backup.')
  }
}

export async function readBlobList({ folder }: FoundBackup): Promise<readonly BlobName[]> {
  const text = await readFile(join(folder, BLOBS_FILE), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, sha256, size] = BLOB_LINE.exec(line) ?? []
      if (sha256 === undefined)
        throw damaged(join(folder, BLOBS_FILE), 'The file has an invalid line.')
      return { sha256, size: Number(size) }
    })
}

export const printBlobList = (names: readonly BlobName[]) =>
  names.map(({ sha256, size }) => `${sha256} ${size}\n`).join('')

/** Completes the backup: writes its manifest and renames it atomically. */
export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const draft = join(folder, `${MANIFEST_FILE}.new`)
  await writeSynced(draft, async (write) => {
    await write(Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`))
  })
  await rename(draft, join(folder, MANIFEST_FILE))
}

/** Writes and syncs a file that only its owner can read, and returns its size and digest. */
export async function writeSynced(
  path: string,
  fill: (write: (piece: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<FileFacts> {
  const hash = createHash('sha256')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    await fill(async (piece) => {
      hash.update(piece)
      size += piece.length
      await file.writeFile(piece)
    })
    await file.sync()
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex') }
}

async function hashFile(path: string): Promise<FileFacts> {
  const hash = createHash('sha256')
  let size = 0
  await pipeline(createReadStream(path), async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const piece of pieces) {
      hash.update(piece)
      size += piece.length
    }
  })
  return { size, sha256: hash.digest('hex') }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const failed = (fault: BackupFault) => new BackupFailed([fault])

const damaged = (place: string, reason: string) =>
  failed({
    code: 'backup-damaged',
    place,
    reason,
    hint: 'Copy the backup again from its original location, or use an earlier backup.',
  })
