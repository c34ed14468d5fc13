import { ByteReader } from './bytes.ts'
import { INDEX_LIMITS } from './index-limits.ts'
import { UnreadableIndex } from './unreadable-index.ts'

/**
 * Throws unless a shard or vocabulary has enough bytes for the terms that it claims to have. One
 * byte may repeat up to 255 letters of the previous term, so letters are counted before any string
 * is created.
 */
export function checkTerms(bytes: Uint8Array): void {
  const from = new ByteReader(bytes)
  const count = from.number()
  const shared = from.bytes(count)
  const lengths = from.bytes(count)
  if (count > INDEX_LIMITS.termsMax || lengths.length < count)
    throw new UnreadableIndex('An index file claims more terms than it contains.')
  let characters = 0
  let before = 0
  for (const [index, length] of lengths.entries()) {
    before = Math.min(before, shared[index] ?? 0) + length
    characters += before
  }
  if (characters > INDEX_LIMITS.termCharactersMax)
    throw new UnreadableIndex('The terms of an index file have too many characters.')
}
