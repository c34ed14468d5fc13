/** The terms of pages → an index: shards of terms, the vocabulary, and the root that names them. */
import {
  encodeShard,
  encodeVocabulary,
  HEADING_WEIGHT,
  INDEX_FORMAT,
  type SearchRoot,
  type ShardTerm,
} from '@octavo/theme'
import { countTerms, type MergeInput, mergeTerms, type TermUse } from './merge-terms.ts'

/**
 * Where a shard may end, so that an edit changes few of them; and where it must. A word in very many
 * sections has one of its own: whoever looks for it would load its neighbours in vain.
 */
const SHARD_BYTES_MIN = 2_000
const SHARD_BYTES_MAX = 6_000
/** Terms that every first query loads. A large site has more; the rest is found, with fewer typos. */
const VOCABULARY_MAX = 32_000

export type IndexInput = MergeInput & {
  /** What the root says of pages and of itself. */
  readonly about: Pick<SearchRoot, 'folder' | 'runs' | 'pageFolders' | 'boosts' | 'words'>
  /** Keeps the content of a file and gives its name. */
  readonly put: (content: Uint8Array) => string
  readonly vocabularyMax?: number
}

export function makeIndex(input: IndexInput): SearchRoot {
  const { about, put } = input
  const use = countTerms(input, HEADING_WEIGHT)
  const shards = [...makeShards(input, use)]
  const vocabulary = chooseTerms(input, use)
  return {
    format: INDEX_FORMAT,
    ...about,
    vocabulary: {
      file: put(encodeVocabulary(vocabulary)),
      isComplete: vocabulary.terms.length === use.order.length,
    },
    ...{ shards, sections: use.sectionCounts },
  }
}

function* makeShards(
  { put, ...input }: IndexInput,
  use: TermUse,
): Generator<readonly [first: string, file: string]> {
  let open: ShardTerm[] = []
  let size = 0
  let before = ''
  const close = () => {
    const file = put(encodeShard(open))
    const entry = [shortestBetween(before, open[0]?.term ?? ''), file] as const
    before = open.at(-1)?.term ?? ''
    open = []
    size = 0
    return entry
  }
  for (const term of mergeTerms(input, use)) {
    const bytes = 4 + term.sections.length * 2
    const mayEnd = size >= SHARD_BYTES_MIN && isBorder(term.term)
    if (mayEnd || (size > 0 && size + bytes > SHARD_BYTES_MAX)) yield close()
    open.push(term)
    size += bytes
  }
  if (open.length > 0) yield close()
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
