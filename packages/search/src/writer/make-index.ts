/** The terms of pages → an index: shards of terms, the vocabulary, and the root that names them. */
import {
  encodeShard,
  encodeVocabulary,
  HEADING_WEIGHT,
  INDEX_FORMAT,
  SECTIONS_PER_TERM_MAX,
  type SearchRoot,
  type ShardTerm,
} from '../format/index-format.ts'
import { countTerms, type MergeInput, mergeTerms, type TermUse } from './merge-terms.ts'

/**
 * Where a shard may end, so that an edit changes few of them; and where it must. A word in very many
 * sections has one of its own: whoever looks for it would load its neighbours in vain.
 */
const SHARD_BYTES_MIN = 2_000
const SHARD_BYTES_MAX = 6_000
/** Terms that every first query loads. A large site has more; the rest is found, with fewer typos. */
const VOCABULARY_MAX = 32_000

/** Places in sections that are held at a time. */
const PART_SIZE = 1_500_000

export type IndexInput = MergeInput & {
  /** What the root says of pages and of itself. */
  readonly about: Pick<
    SearchRoot,
    'folder' | 'runs' | 'pageFolders' | 'boosts' | 'words' | 'language'
  >
  /** A name for a text: two texts never share one. */
  readonly hash: (text: string) => string
  /** Keeps the content of a file and gives its name. A shard has a key, the same for the same terms. */
  readonly put: (content: Uint8Array, key?: string) => string
  /** The name of a shard that was made before, if it is still there. */
  readonly keep?: (key: string) => string | undefined
  readonly vocabularyMax?: number
}

export function makeIndex(input: IndexInput): SearchRoot {
  const { about, put } = input
  const use = countTerms(input, HEADING_WEIGHT)
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
  /** Numbers of its terms. */
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
    const key = input.hash(shardFacts(terms, use, textOf))
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
    const mayEnd = size >= SHARD_BYTES_MIN && isBorder(textOf(term))
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

/** Covers all that a shard holds, without the work of making it. */
function shardFacts(
  terms: readonly number[],
  { totals, marks }: TermUse,
  textOf: (term: number) => string,
): string {
  const facts = terms.map(
    (term) => `${textOf(term)} ${totals[term]} ${marks[term * 2]} ${marks[term * 2 + 1]}`,
  )
  return facts.join('\n')
}

/** A few shards at a time: what they hold together is in memory. */
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

/** The shortest beginning of the second term that still stands after the first. */
function shortestBetween(first: string, second: string): string {
  let length = 1
  while (length < second.length && second.slice(0, length) <= first) length += 1
  return second.slice(0, length)
}

/** Every 32nd term or so, always the same ones: after an edit, shards soon end where they did. */
function isBorder(term: string): boolean {
  let sum = 7
  for (let at = 0; at < term.length; at += 1) sum = (Math.imul(sum, 31) + term.charCodeAt(at)) | 0
  return ((sum ^ (sum >>> 15)) & 31) === 0
}

/** Terms of headings first, then those that most sections have. */
function chooseTerms(
  { terms, vocabularyMax = VOCABULARY_MAX }: IndexInput,
  { order, totals, strong }: TermUse,
) {
  const rank = (term: number) => (strong[term] ?? 0) * 2 ** 32 + (totals[term] ?? 0)
  const least =
    order.length <= vocabularyMax
      ? -1
      : (order.map(rank).sort((a, b) => b - a)[vocabularyMax - 1] ?? 0)
  const chosen: number[] = []
  for (const term of order) {
    if (rank(term) > least) chosen.push(term)
  }
  return {
    terms: chosen.map((term) => terms[term] ?? ''),
    sizes: Uint8Array.from(chosen, (term) => Math.floor(Math.log2(totals[term] ?? 1))),
  }
}
