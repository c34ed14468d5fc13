/**
 * A blob is bytes under the name of their own digest, so a name never means two things and a blob
 * never changes. The store knows nothing of projects: what a project may see or lacks is decided
 * by those who call it. `blob-store.case.ts` holds what every implementation promises.
 */
import { createHash } from 'node:crypto'
import type { ReadableStream } from 'node:stream/web'

export type BlobStore = {
  /**
   * Stores the body if it is the blob, and nothing otherwise. The body is read and checked also if
   * the blob is there already: to know a name is not to have the bytes, and the answer must not tell
   * whether others have them.
   */
  readonly put: (blob: BlobName, body: AsyncIterable<Uint8Array>) => Promise<PutOutcome>
  /** Those of the digests that are stored. */
  readonly hasMany: (digests: readonly string[]) => Promise<ReadonlySet<string>>
  /** Undefined if there is no such blob. Whoever does not read the body to its end cancels it. */
  readonly get: (sha256: string, range?: ByteRange) => Promise<StoredBytes | undefined>
  /** Deletes the blob if it is there. */
  readonly delete: (sha256: string) => Promise<void>
  /** All blobs in the order of their digests, for the collection of those that nobody needs. */
  readonly list: () => AsyncIterable<ListedBlob>
  /** Removes what puts that were killed left behind, if it was last touched before then. */
  readonly removeLeftovers: (before: Date) => Promise<void>
}

export type BlobName = { readonly sha256: string; readonly size: number }

export type PutOutcome = 'stored' | 'wrong-size' | 'wrong-digest'

/** From `start` up to, not including, `end`, which may lie behind the last byte. */
export type ByteRange = { readonly start: number; readonly end: number }

export type StoredBytes = {
  /** Of the whole blob, also if a range of it was asked for. */
  readonly size: number
  readonly body: ReadableStream<Uint8Array>
}

export type ListedBlob = BlobName & {
  /** When it was last put. A collection leaves young blobs alone: their deployment may be under way. */
  readonly storedAt: Date
}

/** What is wrong with a body. Stores catch it and answer with its outcome. */
export class WrongBody extends Error {
  readonly outcome: Exclude<PutOutcome, 'stored'>

  constructor(outcome: Exclude<PutOutcome, 'stored'>) {
    super(`The body does not match the blob: ${outcome}`)
    this.name = 'WrongBody'
    this.outcome = outcome
  }
}

/**
 * Passes a body on while it is hashed, and its last piece only after everything proved right. So
 * whoever receives it never has all bytes of a wrong body, and cannot take it for complete.
 */
export async function* verifyBody(
  blob: BlobName,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256')
  let size = 0
  let held: Uint8Array | undefined
  for await (const piece of body) {
    if (piece.length === 0) continue
    size += piece.length
    if (size > blob.size) throw new WrongBody('wrong-size')
    hash.update(piece)
    if (held !== undefined) yield held
    held = piece
  }
  if (size !== blob.size) throw new WrongBody('wrong-size')
  if (hash.digest('hex') !== blob.sha256) throw new WrongBody('wrong-digest')
  if (held !== undefined) yield held
}

const DIGEST = /^[\da-f]{64}$/

/** Where a blob lies in a store, the same in all: a folder can be copied to S3 as it is, and back. */
export function blobPath(sha256: string): string {
  if (!DIGEST.test(sha256))
    throw new Error('The name of a blob must be its SHA-256 in lowercase hex')
  return `${sha256.slice(0, 2)}/${sha256.slice(2)}`
}

const BLOB_PATH = /^([\da-f]{2})\/([\da-f]{62})$/

/** The digest of the blob that lies there; undefined for everything that is none. */
export function digestOfPath(path: string): string | undefined {
  const [, first, rest] = BLOB_PATH.exec(path) ?? []
  return first === undefined || rest === undefined ? undefined : first + rest
}

export function checkRange({ start, end }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end <= start)
    throw new RangeError(`Invalid byte range: ${start} to ${end}`)
}

export function rangeBehindEnd(range: ByteRange): RangeError {
  return new RangeError(`The blob ends before byte ${range.start}`)
}

/** Calls for each, a few at a time. */
export async function forEachLimited<Item>(
  items: readonly Item[],
  options: { readonly atOnce: number; readonly call: (item: Item) => Promise<void> },
): Promise<void> {
  const rest = items.values()
  const workers = Array.from({ length: Math.min(options.atOnce, items.length) }, async () => {
    for (const item of rest) await options.call(item)
  })
  await Promise.all(workers)
}
