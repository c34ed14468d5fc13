import type { Access, AccessRange } from './access.ts'

/** The content of an output without the ranges that a reader may not see. */
export function leaveOut(
  content: Uint8Array,
  ranges: readonly AccessRange[],
  mayRead: (access: Access) => boolean,
): Uint8Array {
  const kept: Uint8Array[] = []
  let from = 0
  for (const { start, end, access } of ranges) {
    // It lies in a range that is left out already.
    if (start < from || mayRead(access)) continue
    kept.push(content.subarray(from, start))
    from = end
  }
  if (from === 0) return content
  kept.push(content.subarray(from))
  const result = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of kept) {
    result.set(part, at)
    at += part.length
  }
  return result
}
