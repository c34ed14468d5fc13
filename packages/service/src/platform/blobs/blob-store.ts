/**
 * A blob is a sequence of bytes named by its own digest, so it never changes. The store does not
 * know about projects: its callers decide which blobs a project may see. `blob-store.case.ts` has
 * the tests that every implementation must pass.
 */
import { createHash } from 'node:crypto'
import type { ReadableStream } from 'node:stream/web'

export type BlobStore = {
  /**
   * Stores the body if it matches the blob's name. The body is read and checked even if the blob
   * already exists: a caller who knows the digest may not have the bytes, and the outcome must not
   * reveal whether other projects have them.
   */
  readonly put: (blob: BlobName, body: AsyncIterable<Uint8Array>) => Promise<PutOutcome>
  /** Returns the subset of the digests that are stored. */
  readonly hasMany: (digests: readonly string[]) => Promise<ReadonlySet<string>>
  /**
   * Returns undefined if there is no such blob. Callers that do not read the body to its end must
   * cancel it.
   */
  readonly get: (sha256: string, range?: ByteRange) => Promise<StoredBytes | undefined>
  /** Does nothing if the blob does not exist. */
  readonly delete: (sha256: string) => Promise<void>
  /** Lists all blobs in digest order, for garbage collection. */
  readonly list: () => AsyncIterable<ListedBlob>
  /** Removes files left by killed puts if they were last modified before the given time. */
  readonly removeLeftovers: (before: Date) => Promise<void>
}

export type BlobName = { readonly sha256: string; readonly size: number }

export type PutOutcome = 'stored' | 'wrong-size' | 'wrong-digest'

/** The bytes from `start` up to but not including `end`, which may be past the last byte. */
export type ByteRange = { readonly start: number; readonly end: number }

export type StoredBytes = {
  /** The size of the whole blob, even if only a range was requested. */
  readonly size: number
  readonly body: ReadableStream<Uint8Array>
}

export type ListedBlob = BlobName & {
  /**
   * The time of the last put. Garbage collection skips recent blobs, whose deployment may still be
   * in progress.
   */
  readonly storedAt: Date
}

/** Thrown when a body does not match its blob. Stores catch the error and return its `outcome`. */
export class BodyMismatchError extends Error {
  readonly outcome: Exclude<PutOutcome, 'stored'>

  constructor(outcome: Exclude<PutOutcome, 'stored'>) {
    super(`The body does not match the blob: ${outcome}`)
    this.name = 'BodyMismatchError'
    this.outcome = outcome
  }
}

/**
 * Passes a body through while hashing it, and yields the last chunk only after the whole body is
 * verified. This way a receiver never gets all bytes of a wrong body, and cannot mistake it for a
 * complete one.
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
    if (size > blob.size) throw new BodyMismatchError('wrong-size')
    hash.update(piece)
    if (held !== undefined) yield held
    held = piece
  }
  if (size !== blob.size) throw new BodyMismatchError('wrong-size')
  if (hash.digest('hex') !== blob.sha256) throw new BodyMismatchError('wrong-digest')
  if (held !== undefined) yield held
}

const DIGEST = /^[\da-f]{64}$/

/**
 * Returns the path of a blob within a store. It is the same in all stores, so a folder can be
 * copied to S3 and back.
 */
export function blobPath(sha256: string): string {
  if (!DIGEST.test(sha256))
    throw new Error('The name of a blob must be its SHA-256 in lowercase hex')
  return `${sha256.slice(0, 2)}/${sha256.slice(2)}`
}

const BLOB_PATH = /^([\da-f]{2})\/([\da-f]{62})$/

/** Returns the digest of the blob at the path; undefined if it is not the path of a blob. */
export function digestOfPath(path: string): string | undefined {
  const [, first, rest] = BLOB_PATH.exec(path) ?? []
  return first === undefined || rest === undefined ? undefined : first + rest
}

export function checkRange({ start, end }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end <= start)
    throw new RangeError(`Invalid byte range: ${start} to ${end}`)
}

export function rangePastEnd(range: ByteRange): RangeError {
  return new RangeError(`The blob ends before byte ${range.start}`)
}

/** Calls the function for each item, with limited concurrency. */
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
