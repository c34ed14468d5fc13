import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DELTA_LIMITS, type DeltaPart, parseDelta, printDelta } from './delta.ts'

const SIZE_MAX = 1_000_000

const part = (start: number, copied: number, added = ''): DeltaPart => ({
  start,
  copied,
  added: new TextEncoder().encode(added),
})

const refusal = (reason: RegExp) => ({ kind: 'malformed', reason: expect.stringMatching(reason) })

describe('a delta', () => {
  test('a printed delta is parsed to the same parts and the size of the new file', () => {
    const parts = fc.array(
      fc.record({
        start: fc.nat(0xffffffff),
        copied: fc.nat(1_000),
        added: fc.uint8Array({ maxLength: 100 }),
      }),
      { maxLength: 100 },
    )
    fc.assert(
      fc.property(parts, (written) => {
        const size = written.reduce((sum, { copied, added }) => sum + copied + added.length, 0)
        const parsed = parseDelta(printDelta(written), SIZE_MAX)
        expect(parsed).toEqual({ kind: 'delta', parts: written, size })
      }),
    )
  })

  test('a delta that ends in the middle of a part is refused', () => {
    const bytes = printDelta([part(0, 5, 'abc')])
    for (let length = 1; length < bytes.length; length += 1)
      expect(parseDelta(bytes.subarray(0, length), SIZE_MAX)).toEqual(refusal(/middle of a part/))
  })

  test('a file may be as large as the limit, and not a byte larger', () => {
    expect(parseDelta(printDelta([part(0, 7, 'abc')]), 10)).toMatchObject({ size: 10 })
    expect(parseDelta(printDelta([part(0, 8, 'abc')]), 10)).toEqual(refusal(/more than 10 bytes/))
    const huge = printDelta([part(0xffffffff, 0xffffffff), part(0xffffffff, 0xffffffff)])
    expect(parseDelta(huge, SIZE_MAX)).toEqual(refusal(/more than/))
  })

  test('a delta may have as many parts as the limit, and not one more', () => {
    const parts = Array.from({ length: DELTA_LIMITS.parts }, () => part(0, 0))
    expect(parseDelta(printDelta(parts), SIZE_MAX).kind).toBe('delta')
    expect(parseDelta(printDelta([...parts, part(0, 0)]), SIZE_MAX)).toEqual(refusal(/many parts/))
  })
})
