import { hash, randomBytes } from 'node:crypto'
import { CHUNKS, ChunkCutter, DELTA_LIMITS } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { makeDelta } from './make-delta.ts'

/** Lists chunks as the service does. */
function chunksOf(bytes: Buffer) {
  const ends = [...new ChunkCutter().push(bytes), bytes.length]
  const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
  return {
    chunks: chunks.map((chunk): [number, string] => [
      chunk.length,
      hash('sha256', chunk).slice(0, CHUNKS.digits),
    ]),
  }
}

/** Describes `next` by `old`. Returns the number of new bytes, after checking the result. */
function addedBytes(old: Buffer, next: Buffer): number {
  const parts = makeDelta(chunksOf(old), next)
  const pieces = parts.flatMap(({ start, copied, added }) => [
    old.subarray(start, start + copied),
    added,
  ])
  expect(Buffer.concat(pieces).equals(next)).toBe(true)
  return parts.reduce((sum, { added }) => sum + added.length, 0)
}

const OLD = randomBytes(1_000_000)
const SENTENCE = Buffer.from('One more sentence about a rhododendron.')

describe('the delta of a file', () => {
  test.each([
    ['at the start', 0],
    ['in the middle', 500_000],
    ['at the end', OLD.length],
  ])('a sentence %s costs a few chunks', (_, at) => {
    const next = Buffer.concat([OLD.subarray(0, at), SENTENCE, OLD.subarray(at)])
    expect(addedBytes(OLD, next)).toBeLessThan(5 * CHUNKS.bytesMax)
  })

  test('a removed, a repeated and a moved part cost a few chunks too', () => {
    const [first, second, third] = [0, 300_000, 600_000].map((at) => OLD.subarray(at, at + 300_000))
    if (!first || !second || !third) throw new Error('there are three parts')
    for (const parts of [
      [first, third],
      [first, second, first, second, third],
      [third, second, first],
    ])
      expect(addedBytes(OLD, Buffer.concat(parts))).toBeLessThan(10 * CHUNKS.bytesMax)
  })

  test('the same file, and a file of equal chunks, need no new bytes', () => {
    expect(addedBytes(OLD, OLD)).toBe(0)
    const equal = Buffer.alloc(CHUNKS.bytesMax * 100, 'a')
    expect(addedBytes(equal, equal)).toBe(0)
  })

  test('a file without a live one is all new', () => {
    expect(makeDelta({ chunks: [] }, OLD)).toEqual([{ start: 0, copied: 0, added: OLD }])
    expect(makeDelta({ chunks: [] }, Buffer.alloc(0))).toEqual([])
  })

  test('a file whose parts are all in another order is all new', () => {
    const large = randomBytes(6_000_000)
    const ends = new ChunkCutter().push(large)
    const parts = ends.map((end, index) => large.subarray(ends[index - 1] ?? 0, end)).toReversed()
    expect(parts.length).toBeGreaterThan(DELTA_LIMITS.parts)
    const reversed = Buffer.concat(parts)
    expect(addedBytes(large, reversed)).toBe(reversed.length)
  })
})
