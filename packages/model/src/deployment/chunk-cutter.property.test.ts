import { createHash, hash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHUNKS, ChunkCutter } from './chunk-cutter.ts'

/** Returns the chunks of bytes that arrive in pieces of the given sizes, over and over. */
function cut(bytes: Uint8Array, sizes: readonly number[] = [bytes.length]): readonly Buffer[] {
  const cutter = new ChunkCutter()
  const ends: number[] = []
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const piece = bytes.subarray(start, start + (sizes[turn % sizes.length] ?? 1))
    for (const end of cutter.push(piece)) ends.push(start + end)
    start += piece.length
  }
  const starts = [0, ...ends]
  const chunks = starts.map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length))
  return chunks.filter(({ length }) => length > 0).map((chunk) => Buffer.from(chunk))
}

/** Returns the same pseudorandom bytes for the same seed. */
const bytesOf = (seed: number, outputLength: number) =>
  createHash('shake256', { outputLength }).update(String(seed)).digest()

const SIZE = 200_000
const namesOf = (chunks: readonly Buffer[]) => chunks.map((chunk) => hash('sha256', chunk))

describe('the chunks of a file', () => {
  test('the chunks together are the file, and each has an allowed size', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: SIZE }), (seed, size) => {
        const bytes = bytesOf(seed, size)
        const chunks = cut(bytes)
        expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
        for (const [index, { length }] of chunks.entries()) {
          expect(length).toBeLessThanOrEqual(CHUNKS.bytesMax)
          if (index < chunks.length - 1) expect(length).toBeGreaterThanOrEqual(CHUNKS.bytesMin)
        }
      }),
    )
  })

  test('the chunks do not depend on the pieces in which a file arrives', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.nat(), sizes, (seed, pieces) => {
        const bytes = bytesOf(seed, SIZE)
        expect(namesOf(cut(bytes, pieces))).toEqual(namesOf(cut(bytes)))
      }),
    )
  })

  test('bytes that are inserted, removed or changed leave most other chunks as they are', () => {
    const edit = fc.record({
      at: fc.integer({ min: 0, max: SIZE }),
      removed: fc.integer({ min: 0, max: 100 }),
      inserted: fc.uint8Array({ maxLength: 100 }),
    })
    fc.assert(
      fc.property(fc.nat(), edit, (seed, { at, removed, inserted }) => {
        const bytes = bytesOf(seed, SIZE)
        const edited = Buffer.concat([
          bytes.subarray(0, at),
          inserted,
          bytes.subarray(at + removed),
        ])
        const known = new Set(namesOf(cut(bytes)))
        const changed = cut(edited).filter((chunk) => !known.has(hash('sha256', chunk)))
        // The chunk of the edit, and those until both files end a chunk at the same place again.
        expect(changed.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(SIZE / 2)
      }),
    )
  })

  test('repeated bytes, which have no place to cut, make chunks of the largest size', () => {
    const sizes = cut(Buffer.alloc(40_000, 'a')).map(({ length }) => length)
    expect(sizes).toEqual([16_384, 16_384, 7_232])
  })

  // Octavo of other versions cuts like this. If it changes, they send large files as a whole.
  test('the places of known bytes never change', () => {
    const sizes = cut(bytesOf(1, SIZE)).map(({ length }) => length)
    expect(sizes.slice(0, 6)).toEqual([2081, 1333, 1454, 9535, 1959, 3846])
    expect(hash('sha256', sizes.join()).slice(0, 16)).toBe('3f6164d37c66abbd')
  })
})
