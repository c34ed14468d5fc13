/** Blobs and bodies for tests. */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BlobName, BlobStore } from '../src/platform/blobs/blob-store.ts'

const PIECE_BYTES = 65_536

export function nameOf(bytes: Uint8Array): BlobName {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
}

/** Yields the bytes in chunks, as if they arrived from a network. */
export async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    await nextTurn()
    yield bytes.subarray(start, start + PIECE_BYTES)
  }
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

export async function readBlob(store: BlobStore, sha256: string): Promise<Buffer> {
  const found = await store.get(sha256)
  return found === undefined ? Buffer.alloc(0) : Buffer.concat(await collect(found.body))
}

/** Reads all blobs and returns those whose bytes do not match their digest. */
export async function findDamagedBlobs(store: BlobStore): Promise<readonly string[]> {
  const wrong: string[] = []
  for await (const { sha256, size } of store.list()) {
    const bytes = await readBlob(store, sha256)
    if (nameOf(bytes).sha256 !== sha256 || bytes.length !== size) wrong.push(sha256)
  }
  return wrong
}
