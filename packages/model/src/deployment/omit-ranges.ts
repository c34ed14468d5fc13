import type { Access, AccessRange } from './access.ts'

/** A byte range of a file, from `start` (included) to `end` (excluded). */
export type ByteSpan = { readonly start: number; readonly end: number }

/**
 * Returns the byte ranges that a reader may not see, sorted and merged. Two readers with the same
 * list get the same bytes of the same file.
 */
export function omittedSpans(
  ranges: readonly AccessRange[],
  mayRead: (access: Access) => boolean,
): readonly ByteSpan[] {
  const spans: { start: number; end: number }[] = []
  for (const { start, end, access } of ranges) {
    if (mayRead(access)) continue
    const last = spans.at(-1)
    if (last === undefined || start > last.end) spans.push({ start, end })
    else if (end > last.end) last.end = end
  }
  return spans
}

/** Returns a copy of the content without these byte ranges. */
export function removeSpans(content: Uint8Array, spans: readonly ByteSpan[]): Uint8Array {
  const removed = spans.reduce((sum, { start, end }) => sum + end - start, 0)
  const result = new Uint8Array(content.length - removed)
  let from = 0
  let at = 0
  for (const { start, end } of [...spans, { start: content.length, end: content.length }]) {
    result.set(content.subarray(from, start), at)
    at += start - from
    from = end
  }
  return result
}

/** Returns the content of an output without the ranges that a reader may not see. */
export function omitRanges(
  content: Uint8Array,
  ranges: readonly AccessRange[],
  mayRead: (access: Access) => boolean,
): Uint8Array {
  const spans = omittedSpans(ranges, mayRead)
  return spans.length === 0 ? content : removeSpans(content, spans)
}
