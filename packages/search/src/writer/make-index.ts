/** Builds an index from the terms of pages: shards, the vocabulary and the root that names them. */
import {
  encodeShard,
  encodeVocabulary,
  INDEX_FORMAT,
  SECTIONS_PER_TERM_MAX,
  type SearchRoot,
  type ShardTerm,
} from '../format/index-format.ts'
import { type MergeInput, mergeTerms } from './merge-terms.ts'
import { countTerms, type TermUse } from './term-counts.ts'

/**
 * Once a shard has the minimum size, it ends before the next boundary term, so that editing a page
 * changes few shards; at the maximum size it always ends. A word in very many sections has its own
 * shard, so that a search for it does not load other terms.
 */
const SHARD_BYTES_MIN = 2_000
const SHARD_BYTES_MAX = 6_000
/**
 * Maximum terms in the vocabulary, which the first query loads. The other terms of a large site are
 * still found, but with less typo tolerance.
 */
const VOCABULARY_MAX = 32_000

/** Maximum term occurrences in memory at a time. */
const PART_SIZE = 1_500_000

export type IndexInput = MergeInput & {
  /** Metadata for the root. */
  readonly about: Pick<
    SearchRoot,
    'folder' | 'runs' | 'pageFolders' | 'boosts' | 'tabs' | 'words' | 'language'
  >
  /** Returns a unique name for a text and numbers: their hash. */
  readonly hash: (text: string, numbers: Uint8Array) => string
  /** The counts of the pages' terms, if they are known. */
  readonly use?: TermUse | undefined
  /** Stores a file and returns its name. Shards with the same content have the same key. */
  readonly put: (content: Uint8Array, key?: string) => string
  /** Returns the name of a shard that an earlier build stored, if it still exists. */
  readonly keep?: (key: string) => string | undefined
  readonly vocabularyMax?: number
}

export function makeIndex(input: IndexInput): SearchRoot {
  const { about, put } = input
  const use = input.use ?? countTerms(input)
  const shards = makeShards(input, use)
  const vocabulary = chooseTerms(input, use)
  return {
    format: INDEX_FORMAT,
    ...about,
    vocabulary: {
      file: put(encodeVocabulary(vocabulary)),
      isComplete: vocabulary.terms.length === use.order.length,
    },
    shards,
    sections: use.sectionCounts,
  }
}

type Shard = {
  /** Numbers of the terms in this shard. */
  readonly terms: readonly number[]
  readonly key: string
  file: string | undefined
}

function makeShards(
  input: IndexInput,
  use: TermUse,
): readonly (readonly [first: string, file: string])[] {
  const textOf = (term: number | undefined) => input.terms[term ?? -1] ?? ''
  const shards: Shard[] = []
  const missing: Shard[] = []
  for (const terms of planShards(use, textOf)) {
    const key = input.hash(terms.map(textOf).join('\n'), shardNumbers(terms, use))
    const shard = { terms, key, file: input.keep?.(key) }
    shards.push(shard)
    if (shard.file === undefined) missing.push(shard)
  }
  for (const part of cutParts(missing, use)) writeShards(part, input, use)
  return shards.map(({ terms, file }, index) => {
    const before = textOf(shards[index - 1]?.terms.at(-1))
    return [shortestBetween(before, textOf(terms[0])), file ?? '']
  })
}

function* planShards(
  { order, totals }: TermUse,
  textOf: (term: number) => string,
): Generator<readonly number[]> {
  let open: number[] = []
  let size = 0
  for (const term of order) {
    const bytes = 4 + Math.min(totals[term] ?? 0, SECTIONS_PER_TERM_MAX) * 2
    const mayEnd = size >= SHARD_BYTES_MIN && isShardBoundary(textOf(term))
    if (mayEnd || (size > 0 && size + bytes > SHARD_BYTES_MAX)) {
      yield open
      open = []
      size = 0
    }
    open.push(term)
    size += bytes
  }
  if (open.length > 0) yield open
}

/** Returns numbers that identify the content of a shard, without creating that content. */
function shardNumbers(terms: readonly number[], { totals, marks }: TermUse): Uint8Array {
  const numbers = new Uint32Array(terms.length * 3)
  let at = 0
  for (const term of terms) {
    numbers[at] = totals[term] ?? 0
    numbers[at + 1] = marks[term * 2] ?? 0
    numbers[at + 2] = marks[term * 2 + 1] ?? 0
    at += 3
  }
  return new Uint8Array(numbers.buffer)
}

/** Groups a few shards at a time, because the content of a whole group is in memory at once. */
function* cutParts(shards: readonly Shard[], { totals }: TermUse): Generator<readonly Shard[]> {
  let part: Shard[] = []
  let size = 0
  for (const shard of shards) {
    if (size > PART_SIZE) {
      yield part
      part = []
      size = 0
    }
    part.push(shard)
    for (const term of shard.terms) size += totals[term] ?? 0
  }
  if (part.length > 0) yield part
}

function writeShards(shards: readonly Shard[], input: IndexInput, use: TermUse): void {
  const merged = mergeTerms(
    input,
    use,
    shards.flatMap(({ terms }) => terms),
  )
  for (const shard of shards) {
    const terms: ShardTerm[] = []
    while (terms.length < shard.terms.length) terms.push(merged.next().value as ShardTerm)
    shard.file = input.put(encodeShard(terms), shard.key)
  }
}

/** Returns the shortest prefix of the second term that sorts after the first term. */
function shortestBetween(first: string, second: string): string {
  let length = 1
  while (length < second.length && second.slice(0, length) <= first) length += 1
  return second.slice(0, length)
}

/**
 * Returns true for about every 32nd term, and always for the same terms, so that after an edit most
 * shards still end at the same terms.
 */
function isShardBoundary(term: string): boolean {
  let sum = 7
  for (let at = 0; at < term.length; at += 1) sum = (Math.imul(sum, 31) + term.charCodeAt(at)) | 0
  return ((sum ^ (sum >>> 15)) & 31) === 0
}

/**
 * Chooses the terms of the vocabulary: terms of headings first, then the terms in the most
 * sections.
 */
function chooseTerms(
  { terms, vocabularyMax = VOCABULARY_MAX }: IndexInput,
  { order, totals, strong }: TermUse,
) {
  const rank = (term: number) => ((strong[term] ?? 0) > 0 ? 2 ** 32 : 0) + (totals[term] ?? 0)
  const least =
    order.length <= vocabularyMax
      ? -1
      : (Float64Array.from(order, rank).sort().at(-vocabularyMax) ?? 0)
  const chosen: number[] = []
  for (const term of order) {
    if (rank(term) > least) chosen.push(term)
  }
  return {
    terms: chosen.map((term) => terms[term] ?? ''),
    sizes: Uint8Array.from(chosen, (term) => Math.floor(Math.log2(totals[term] ?? 1))),
  }
}
