import { describe, expect, test } from 'vitest'
import { ByteWriter } from './bytes.ts'
import { checkTerms } from './check-terms.ts'
import { decodeShard, decodeVocabulary, encodeShard, encodeVocabulary } from './index-format.ts'
import { INDEX_LIMITS } from './index-limits.ts'
import { UnreadableIndex } from './unreadable-index.ts'

const SHARD = encodeShard([
  { term: 'hose', total: 2, sections: Uint32Array.of(1, 9), weights: Uint8Array.of(3, 15) },
  { term: 'hot', total: 1, sections: Uint32Array.of(4), weights: Uint8Array.of(1) },
])

/** Returns a file that claims to have `count` terms, followed by `bytes` zero bytes. */
function claim(count: number, bytes = 0): Uint8Array {
  const out = new ByteWriter()
  out.number(count)
  out.bytes(new Uint8Array(bytes))
  return out.take()
}

/** Returns a vocabulary of 200-character terms that differ only in their last digits. */
function longTerms(count: number): Uint8Array {
  const terms = Array.from({ length: count }, (_, at) => `${'a'.repeat(195)}${at + 10_000}`)
  return encodeVocabulary({ terms, sizes: new Uint8Array(count) })
}

describe('terms of an index file', () => {
  test('terms written by a build are accepted', () => {
    expect(() => checkTerms(SHARD)).not.toThrow()
    expect(decodeShard(SHARD).terms).toEqual(['hose', 'hot'])
    expect(() => checkTerms(new Uint8Array())).not.toThrow()
  })

  test('an index file with fewer bytes than terms is rejected', () => {
    expect(() => checkTerms(claim(10, 20))).not.toThrow()
    expect(() => checkTerms(claim(10, 19))).toThrow(UnreadableIndex)
    expect(() => checkTerms(claim(4_000_000_000))).toThrow(UnreadableIndex)
  })

  test('an index file with more terms than the limit is rejected', () => {
    const { termsMax } = INDEX_LIMITS
    expect(() => checkTerms(claim(termsMax, termsMax * 2))).not.toThrow()
    expect(() => checkTerms(claim(termsMax + 1, termsMax * 3))).toThrow(UnreadableIndex)
  })

  test('terms with too many letters are rejected even if few bytes encode them', () => {
    const most = INDEX_LIMITS.termCharactersMax / 200
    expect(() => checkTerms(longTerms(most))).not.toThrow()
    expect(() => checkTerms(longTerms(most + 1))).toThrow(UnreadableIndex)
    expect(longTerms(most + 1).length).toBeLessThan(100_000)
  })

  test.each([4_000_000_000, 5])(
    'an index file that claims %i terms yields at most one term per byte',
    (count) => {
      expect(decodeShard(claim(count, 3)).terms).toHaveLength(3)
      expect(decodeVocabulary(claim(count, 3)).terms).toHaveLength(3)
    },
  )
})
