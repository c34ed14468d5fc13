import { hash } from 'node:crypto'
import { withTimeout } from '../with-timeout.ts'
import type { BlobStore, StoredBytes } from './blob-store.ts'

export class DamagedBlobError extends Error {}

/** The longest pause between two chunks before the read fails. */
const SILENCE_MS_MAX = 10_000

/**
 * Reads a whole blob of limited size; returns undefined if it does not exist. Throws if the stored
 * bytes do not match the digest, whether through a disk error or tampering.
 */
export async function readBlob(
  blobs: BlobStore,
  sha256: string,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const found = await blobs.get(sha256)
  if (found === undefined) return undefined
  if (found.size > bytesMax) {
    await found.body.cancel()
    throw new Error(`The blob ${sha256} has more than ${bytesMax} bytes.`)
  }
  const pieces: Uint8Array[] = []
  for await (const piece of readChunks(found.body)) pieces.push(piece)
  const [only] = pieces
  const bytes = pieces.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(pieces)
  if (hash('sha256', bytes) !== sha256)
    throw new DamagedBlobError(
      `The blob ${sha256} is damaged: its content does not match its digest.`,
    )
  return bytes
}

/** Yields the chunks of a body. Leaving the loop early cancels the body. */
export async function* readChunks(body: StoredBytes['body']): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader()
  let isRead = false
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read(), SILENCE_MS_MAX)
      isRead = done
      if (done) return
      yield value
    }
  } finally {
    if (!isRead) void reader.cancel().catch(() => {})
  }
}
