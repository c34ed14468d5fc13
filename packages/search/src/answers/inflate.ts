import { INDEX_LIMITS } from '../format/index-limits.ts'
import { UnreadableIndex } from '../format/unreadable-index.ts'

/** Decompresses raw deflate. Fails when there are more than `sizeMax` bytes. */
export type Inflate = (bytes: Uint8Array, sizeMax: number) => Uint8Array | Promise<Uint8Array>

/** Small files may grow more: a few repeated words compress very well. */
const GROWS_FREELY = 64 * 1024

/** How large a compressed file may become: a few bytes must not claim megabytes. */
export function inflatedMax(compressed: number, sizeMax: number): number {
  return Math.min(sizeMax, GROWS_FREELY + compressed * INDEX_LIMITS.inflateRatioMax)
}

/** Needs nothing but what browsers and Node have in common. Where Node is, its own is faster. */
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
