/**
 * A program that stores random blobs until a test kills it. Its argument is the store's settings as
 * JSON. It prints a line for each chunk of a body, and the digest of each stored blob.
 */
import { randomBytes } from 'node:crypto'
import { openBlobStore } from '../src/platform/blobs/open-blob-store.ts'
import { inChunks, nameOf } from './blob-bodies.ts'

const BLOB_BYTES = 1_000_000
const PUT_CONCURRENCY = 8

const store = await openBlobStore(JSON.parse(process.argv[2] ?? '{}'))

async function* reported(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for await (const piece of inChunks(bytes)) {
    process.stdout.write('piece\n')
    yield piece
  }
}

async function putForever(): Promise<void> {
  for (;;) {
    const bytes = randomBytes(BLOB_BYTES)
    const name = nameOf(bytes)
    if ((await store.put(name, reported(bytes))) === 'stored')
      process.stdout.write(`${name.sha256}\n`)
  }
}

await Promise.all(Array.from({ length: PUT_CONCURRENCY }, putForever))
