import { expect, test } from 'vitest'
import { createSipHash } from './sip-hash.ts'

const hashOf = createSipHash(Buffer.from(Array.from({ length: 16 }, (_, index) => index)))

/** The first vectors of the reference implementation that have whole characters: bytes 0, 1, 2 and so on. */
test.each([
  [0, 0x726fdb47dd0e0e31n],
  [2, 0x0d6c8009d9a94f5an],
  [4, 0xcf2794e0277187b7n],
  [6, 0xcbc9466e58fee3cen],
  [8, 0x93f5f5799a932462n],
])('of %d bytes', (length, expected) => {
  const bytes = Buffer.from(Array.from({ length }, (_, index) => index))
  expect(BigInt(hashOf(bytes.toString('utf16le')))).toBe(expected & 0xffffffffffffn)
})

test('another key, or another letter, is another hash', () => {
  const other = createSipHash(Buffer.alloc(16, 7))
  const texts = [
    '1 203.0.113.7 abcdefgh',
    '1 203.0.113.8 abcdefgh',
    '1 203.0.113.7 abcdefgi',
    '',
    'é',
  ]
  const hashes = texts.flatMap((text) => [hashOf(text), other(text)])
  expect(new Set(hashes).size).toBe(hashes.length)
  for (const hash of hashes)
    expect(Number.isSafeInteger(hash) && hash >= 0 && hash < 2 ** 48).toBe(true)
})
