import { INDEX_LIMITS } from '../format/index-limits.ts'
import { UnreadableIndex } from '../format/unreadable-index.ts'

/** Decompresses raw deflate data. Throws if the result has more than `sizeMax` bytes. */
export type Inflate = (bytes: Uint8Array, sizeMax: number) => Uint8Array | Promise<Uint8Array>

/**
 * Number of bytes that are allowed at any compression ratio, because a few repeated words compress
 * very well.
 */
const INFLATE_FREE_BYTES = 64 * 1024

/** Returns the maximum size of a file after decompression, to prevent decompression bombs. */
export function inflatedSizeMax(compressed: number, sizeMax: number): number {
  return Math.min(sizeMax, INFLATE_FREE_BYTES + compressed * INDEX_LIMITS.inflateRatioMax)
}

/** Decompresses with APIs that both browsers and Node have. In Node, `zlib` is faster. */
export const inflate: Inflate = async (bytes, sizeMax) => {
  const stream = new Blob([new Uint8Array(bytes)])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > sizeMax) throw new UnreadableIndex('A compressed file is too large.')
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
