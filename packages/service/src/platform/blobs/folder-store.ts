/**
 * Stores blobs as files in one folder, as `ab/cd…` by digest. A body is written to `incoming/`
 * first and then renamed, which is atomic, so a partial blob never exists.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import {
  type BlobName,
  type BlobStore,
  BodyMismatchError,
  type ByteRange,
  blobPath,
  checkRange,
  digestOfPath,
  forEachLimited,
  type ListedBlob,
  type PutOutcome,
  rangePastEnd,
  type StoredBytes,
  verifyBody,
} from './blob-store.ts'

const INCOMING = 'incoming'
const TWO_DIGITS = /^[\da-f]{2}$/
const LOOKUP_CONCURRENCY = 32
/** Larger files are streamed, so that many of them do not fill the memory. */
const READ_AT_ONCE_MAX = 1024 * 1024

export async function openFolderStore(folder: string): Promise<BlobStore> {
  await mkdir(join(folder, INCOMING), { recursive: true, mode: 0o700 })
  return {
    put: (blob, body) => put(folder, blob, body),
    hasMany: (digests) => hasMany(folder, digests),
    get: (sha256, range) => get(folder, sha256, range),
    delete: async (sha256) => rm(placeOf(folder, sha256), { force: true }),
    list: () => list(folder),
    removeLeftovers: (before) => removeLeftovers(join(folder, INCOMING), before),
  }
}

const placeOf = (folder: string, sha256: string) => join(folder, blobPath(sha256))

async function put(
  folder: string,
  blob: BlobName,
  body: AsyncIterable<Uint8Array>,
): Promise<PutOutcome> {
  const target = placeOf(folder, blob.sha256)
  const draft = join(folder, INCOMING, randomUUID())
  try {
    await write(draft, verifyBody(blob, body))
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    if (error instanceof BodyMismatchError) return error.outcome
    throw error
  }
  // Without the sync, a power failure could lose the new directory entry although the put returned
  // "stored".
  await sync(dirname(target))
  await sync(folder)
  return 'stored'
}

async function hasMany(folder: string, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  await forEachLimited(digests, {
    atOnce: LOOKUP_CONCURRENCY,
    call: async (sha256) => {
      if ((await orUndefined(stat(placeOf(folder, sha256)))) !== undefined) found.add(sha256)
    },
  })
  return found
}

async function get(
  folder: string,
  sha256: string,
  range?: ByteRange,
): Promise<StoredBytes | undefined> {
  if (range !== undefined) checkRange(range)
  const file = await orUndefined(open(placeOf(folder, sha256)))
  if (file === undefined) return undefined
  const { size } = await file.stat()
  if (range !== undefined && range.start >= size) {
    await file.close()
    throw rangePastEnd(range)
  }
  if (range === undefined && size <= READ_AT_ONCE_MAX) return { size, body: await readAtOnce(file) }
  const part = range === undefined ? {} : { start: range.start, end: range.end - 1 }
  const body: ReadableStream<Uint8Array> = Readable.toWeb(file.createReadStream(part))
  return { size, body }
}

/** Reads a small file with one call. Streams take several times as long for each file. */
async function readAtOnce(file: FileHandle): Promise<ReadableStream<Uint8Array>> {
  try {
    const bytes = await file.readFile()
    return new ReadableStream({
      start(controller) {
        if (bytes.length > 0) controller.enqueue(bytes)
        controller.close()
      },
    })
  } finally {
    await file.close()
  }
}

async function* list(folder: string): AsyncIterable<ListedBlob> {
  for (const first of await sortedNames(folder)) {
    if (!TWO_DIGITS.test(first)) continue
    for (const rest of await sortedNames(join(folder, first))) {
      const sha256 = digestOfPath(`${first}/${rest}`)
      if (sha256 === undefined) continue
      const found = await orUndefined(stat(join(folder, first, rest)))
      if (found !== undefined) yield { sha256, size: found.size, storedAt: found.mtime }
    }
  }
}

async function removeLeftovers(incoming: string, before: Date): Promise<void> {
  for await (const { name } of await opendir(incoming)) {
    const draft = join(incoming, name)
    const found = await orUndefined(stat(draft))
    // If a put is still writing to this file, its rename fails later, so it stores nothing.
    if (found !== undefined && found.mtime < before) await rm(draft, { force: true })
  }
}

async function write(path: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of body) await file.writeFile(piece)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sortedNames(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).sort()
}

async function orUndefined<Value>(value: Promise<Value>): Promise<Value | undefined> {
  try {
    return await value
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
