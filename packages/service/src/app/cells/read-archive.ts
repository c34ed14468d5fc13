/**
 * Reads an untrusted export. Only regular files in the folder itself are opened, and rows are
 * counted and hashed each time they are read: bytes that do not match the manifest are rejected
 * before the transaction that used them commits.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { splitLines } from '../../answers/conversations/read-conversations.ts'
import { type BlobName, type BlobStore, blobPath } from '../../platform/blobs/blob-store.ts'
import {
  MANIFEST_BYTES_MAX,
  MANIFEST_FILE,
  type Manifest,
  parseManifest,
  UnusableExport,
} from './export-manifest.ts'

export type Archive = {
  readonly folder: string
  readonly manifest: Manifest
  /** The manifest's exact bytes, which the signature covers. */
  readonly manifestBytes: Buffer
}

/** One row, with each value in PostgreSQL's text format. */
export type Row = Readonly<Record<string, string | null>>

export async function openArchive(folder: string): Promise<Archive> {
  const path = join(folder, MANIFEST_FILE)
  const manifestBytes = await readSmallFile(folder, MANIFEST_FILE, MANIFEST_BYTES_MAX)
  if (manifestBytes === undefined)
    throw new UnusableExport(
      `${path} cannot be read: the folder is not an export, or the export was not completed. Run \`project export\` again.`,
    )
  return { folder, manifest: parseManifest(manifestBytes.toString('utf8'), path), manifestBytes }
}

/** Reads a file and checks its size. Returns undefined if the file does not exist. */
export async function readSmallFile(
  folder: string,
  name: string,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const file = await openFile(folder, name)
  if (file === undefined) return undefined
  try {
    const { size } = await file.stat()
    if (size > bytesMax)
      throw new UnusableExport(`${join(folder, name)} has more than ${bytesMax} bytes.`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/**
 * Reads all rows of a file. Throws, at the latest after the last row, if they do not match the
 * manifest.
 */
export async function* readRows(archive: Archive, name: string): AsyncGenerator<Row, void> {
  let number = 0
  for await (const line of readLines(archive, name)) {
    number += 1
    yield parseRow(line, `${name}.ndjson, row ${number}`)
  }
}

/** Throws if the rows of a file do not match the manifest. */
export async function checkRows(archive: Archive, name: string): Promise<void> {
  const lines = readLines(archive, name)
  while (!(await lines.next()).done);
}

async function* readLines(
  { folder, manifest }: Archive,
  name: string,
): AsyncGenerator<string, void> {
  const relative = `rows/${name}.ndjson`
  const path = join(folder, relative)
  const written = manifest.files[name]
  const file = written && (await openFile(folder, relative))
  if (written === undefined || file === undefined)
    throw new UnusableExport(`${path} cannot be read. Copy the whole folder, or export again.`)
  const hash = createHash('sha256')
  let bytes = 0
  let rows = 0
  const damaged = () =>
    new UnusableExport(
      `${path} is damaged: it has ${bytes} bytes and ${rows} rows, which differs from the export (${written.bytes} bytes, ${written.rows} rows). Copy it again, or export again.`,
    )
  const verifiedPieces = async function* () {
    for await (const piece of file.createReadStream() as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > written.bytes) throw damaged()
      hash.update(piece)
      yield piece
    }
  }
  for await (const line of splitLines(verifiedPieces(), path)) {
    if (line === '') continue
    rows += 1
    if (rows > written.rows) throw damaged()
    yield line
  }
  if (bytes !== written.bytes || rows !== written.rows || hash.digest('hex') !== written.sha256)
    throw damaged()
}

/** Reads rows in batches. If rows are long, a batch contains fewer of them. */
export async function* readBatches(
  archive: Archive,
  name: string,
  rowsMax: number,
): AsyncGenerator<readonly Row[], void> {
  let batch: Row[] = []
  let length = 0
  for await (const row of readRows(archive, name)) {
    batch.push(row)
    for (const value of Object.values(row)) length += value?.length ?? 0
    if (batch.length < rowsMax && length < BATCH_LENGTH) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}
/** The maximum length of a batch, so that inserting it takes less than the statement timeout. */
const BATCH_LENGTH = 4_000_000

function parseRow(line: string, place: string): Row {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new UnusableExport(`${place}: expected a JSON object.`)
  }
  const isRow =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((field) => field === null || typeof field === 'string')
  if (!isRow)
    throw new UnusableExport(`${place}: expected an object with only strings or null as values.`)
  return value as Row
}

const DIGEST = /^\\x([\da-f]{64})$/
const SIZE = /^\d{1,15}$/

/** Parses a row of `project_blob`. */
export function parseBlob({ sha256, size }: Row): BlobName {
  const digest = DIGEST.exec(sha256 ?? '')?.[1]
  if (digest === undefined || !SIZE.test(size ?? ''))
    throw new UnusableExport('project_blob: expected the SHA-256 and the size of each file.')
  return { sha256: digest, size: Number(size) }
}

/** Returns the size of a file in the export. */
export async function sizeOfBlob({ folder }: Archive, sha256: string): Promise<number> {
  const path = blobFile(sha256)
  const file = await openFile(folder, path)
  if (file === undefined) throw badBlob(folder, path, 'missing')
  try {
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** Stores a file of the export. Throws if it is missing or does not match its digest. */
export async function putBlob(
  { folder }: Archive,
  blobs: BlobStore,
  blob: BlobName,
): Promise<void> {
  const path = blobFile(blob.sha256)
  // Opened before `put`, since an error in the body of `put` would look like a store outage.
  const file = await openFile(folder, path)
  if (file === undefined) throw badBlob(folder, path, 'missing')
  try {
    const outcome = await blobs.put(blob, file.createReadStream({ autoClose: false }))
    if (outcome !== 'stored') throw badBlob(folder, path, 'damaged')
  } finally {
    await file.close()
  }
}

function blobFile(sha256: string): string {
  return `blobs/${blobPath(sha256)}`
}

function badBlob(folder: string, path: string, how: 'missing' | 'damaged'): UnusableExport {
  return new UnusableExport(`${join(folder, path)} is ${how}. Copy it again, or export again.`)
}

/**
 * Opens a regular file below the folder; undefined if it does not exist. A symbolic link could lead
 * to any of the operator's files, and opening a pipe would block forever.
 */
async function openFile(folder: string, path: string): Promise<FileHandle | undefined> {
  const absolute = join(folder, path)
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent))
      if (!(await lstat(join(folder, parent))).isDirectory())
        throw new UnusableExport(`${join(folder, parent)} is not a folder.`)
    const file = await open(absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return undefined
    // ELOOP: a symbolic link. ENXIO: a socket.
    if (code !== 'ELOOP' && code !== 'ENXIO') throw error
  }
  throw new UnusableExport(`${absolute} is not a regular file. Links are not followed.`)
}
