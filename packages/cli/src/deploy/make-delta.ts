import { hash } from 'node:crypto'
import type { LiveChunks } from '@octavo/contract'
import { CHUNKS, ChunkCutter, DELTA_LIMITS, type DeltaPart } from '@octavo/model'

/** A part whose new bytes are given by their place in the new file. */
type Part = { start: number; copied: number; addedFrom: number; addedTo: number }

/** Describes a file by the chunks of the live one, or as new bytes if that is not possible. */
export function makeDelta({ chunks }: LiveChunks, bytes: Uint8Array): readonly DeltaPart[] {
  const placesOf = findPlaces(chunks)
  const parts: Part[] = []
  for (const [from, to] of cut(bytes)) {
    const last = parts.at(-1)
    const places = placesOf.get(keyOf(bytes.subarray(from, to))) ?? []
    const copiedTo = last === undefined ? 0 : last.start + last.copied
    // Of equal chunks, the one after the last copied chunk makes no new part.
    const start = places.includes(copiedTo) ? copiedTo : places[0]
    if (start === undefined) {
      if (last === undefined) parts.push({ start: 0, copied: 0, addedFrom: from, addedTo: to })
      else last.addedTo = to
      continue
    }
    const isNext = last !== undefined && start === copiedTo && last.addedFrom === last.addedTo
    if (isNext) {
      last.copied += to - from
      last.addedFrom = to
      last.addedTo = to
    } else parts.push({ start, copied: to - from, addedFrom: to, addedTo: to })
  }
  if (parts.length > DELTA_LIMITS.parts) return [{ start: 0, copied: 0, added: bytes }]
  return parts.map(({ start, copied, addedFrom, addedTo }) => ({
    start,
    copied,
    added: bytes.subarray(addedFrom, addedTo),
  }))
}

/** Returns where each chunk of the old file starts, by its size and hash. */
function findPlaces(chunks: LiveChunks['chunks']): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  let start = 0
  for (const [size, digits] of chunks) {
    const key = `${size} ${digits}`
    const places = found.get(key) ?? []
    if (places.length < EQUAL_MAX) found.set(key, [...places, start])
    start += size
  }
  return found
}

/** Equal chunks are looked through one by one. */
const EQUAL_MAX = 32

const keyOf = (chunk: Uint8Array) =>
  `${chunk.length} ${hash('sha256', chunk).slice(0, CHUNKS.digits)}`

function* cut(bytes: Uint8Array): Generator<readonly [from: number, to: number], void> {
  let from = 0
  for (const to of new ChunkCutter().push(bytes)) {
    yield [from, to]
    from = to
  }
  if (from < bytes.length) yield [from, bytes.length]
}
