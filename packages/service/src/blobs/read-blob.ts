import type { BlobStore } from './blob-store.ts'

/** The whole of a blob; undefined if there is none. For blobs that are small by their limit. */
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
  for await (const piece of found.body) pieces.push(piece)
  return Buffer.concat(pieces)
}
