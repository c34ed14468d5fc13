import { inTime } from '../in-time.ts'
import type { BlobStore } from './blob-store.ts'

/** A store that began to send and then hangs is given up after this. */
const SILENCE_MS_MAX = 10_000

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
  const reader = found.body.getReader()
  const pieces: Uint8Array[] = []
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), SILENCE_MS_MAX)
      if (done) return Buffer.concat(pieces)
      pieces.push(value)
    }
  } catch (error) {
    void reader.cancel().catch(() => {})
    throw error
  }
}
