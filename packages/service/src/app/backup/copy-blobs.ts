/** Copies blobs between stores, and finds missing and damaged ones. */

import { createHash } from 'node:crypto'
import { type BlobName, type BlobStore, forEachLimited } from '../../platform/blobs/blob-store.ts'
import { readChunks } from '../../platform/blobs/read-blob.ts'

export type BadBlob = 'blob-missing' | 'blob-damaged'

const AT_ONCE = 16
const LOOKUP_BATCH_SIZE = 1_000

/** Copies blobs, and returns the ones that are missing or damaged in the source store. */
export async function copyBlobs(
  names: readonly BlobName[],
  from: BlobStore,
  to: BlobStore,
): Promise<ReadonlyMap<string, BadBlob>> {
  const bad = new Map<string, BadBlob>()
  await forEachLimited(names, {
    atOnce: AT_ONCE,
    call: async (name) => {
      const found = await from.get(name.sha256)
      if (found === undefined) bad.set(name.sha256, 'blob-missing')
      // The target store verifies the digest of the bytes while it writes them.
      else if ((await to.put(name, readChunks(found.body))) !== 'stored')
        bad.set(name.sha256, 'blob-damaged')
    },
  })
  return bad
}

/** Returns the blobs that the store lacks and, if all bytes are read, the damaged ones. */
export async function findBadBlobs(
  names: readonly BlobName[],
  store: BlobStore,
  readsBytes: boolean,
): Promise<ReadonlyMap<string, BadBlob>> {
  const bad = new Map<string, BadBlob>()
  for (let start = 0; start < names.length; start += LOOKUP_BATCH_SIZE) {
    const some = names.slice(start, start + LOOKUP_BATCH_SIZE)
    const there = await store.hasMany(some.map(({ sha256 }) => sha256))
    for (const { sha256 } of some) if (!there.has(sha256)) bad.set(sha256, 'blob-missing')
    if (!readsBytes) continue
    await forEachLimited(
      some.filter(({ sha256 }) => there.has(sha256)),
      {
        atOnce: AT_ONCE,
        call: async (name) => {
          const found = await readDigest(name, store)
          if (found !== undefined) bad.set(name.sha256, found)
        },
      },
    )
  }
  return bad
}

async function readDigest(name: BlobName, store: BlobStore): Promise<BadBlob | undefined> {
  const found = await store.get(name.sha256)
  if (found === undefined) return 'blob-missing'
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of readChunks(found.body)) {
    hash.update(piece)
    size += piece.length
  }
  return size === name.size && hash.digest('hex') === name.sha256 ? undefined : 'blob-damaged'
}
