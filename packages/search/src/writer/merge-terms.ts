/**
 * Merges the terms of many pages into a list of sections per term. Only a part of the terms is
 * processed at a time, so a large site needs little more memory than a small one.
 */
import { type Postings, SECTIONS_PER_TERM_MAX, type ShardTerm } from '../format/index-format.ts'
import { PageReader } from './page-reader.ts'
import type { TermUse } from './term-counts.ts'

export type MergeInput = {
  /** The output of `PageTerms` for each page of the index, in order. */
  readonly pages: readonly Uint8Array[]
  readonly terms: readonly string[]
}

const NO_SECTION = 0xff_ff_ff_ff

/** Returns the sections that contain each of the given terms. */
export function* mergeTerms(
  { pages, terms }: MergeInput,
  { totals }: Pick<TermUse, 'totals'>,
  part: readonly number[],
): Generator<ShardTerm> {
  // For each term, the index at which its next section is stored.
  const places = new Uint32Array(terms.length).fill(NO_SECTION)
  let size = 0
  for (const term of part) {
    places[term] = size
    size += totals[term] ?? 0
  }
  const sections = new Uint32Array(size)
  const weights = new Uint8Array(size)
  const page = new PageReader()
  let first = 0
  for (const bytes of pages) {
    page.read(bytes)
    for (let index = 0; index < page.count; index += 1) {
      const term = page.terms[index] as number
      const place = places[term] as number
      if (place === NO_SECTION) continue
      sections[place] = first + (page.sections[index] as number)
      weights[place] = page.weights[index] as number
      places[term] = place + 1
    }
    first += page.sectionCount
  }
  for (const term of part) {
    const end = places[term] ?? 0
    const start = end - (totals[term] ?? 0)
    const all = { sections: sections.subarray(start, end), weights: weights.subarray(start, end) }
    yield { term: terms[term] ?? '', total: end - start, ...keepHighestWeights(all) }
  }
}

type Lists = Pick<Postings, 'sections' | 'weights'>

/** Returns the sections with the highest weights; among equal weights, the first ones. */
function keepHighestWeights({ sections, weights }: Lists): Lists {
  if (sections.length <= SECTIONS_PER_TERM_MAX) return { sections, weights }
  const counts = new Uint32Array(16)
  for (let index = 0; index < weights.length; index += 1) {
    const weight = weights[index] ?? 0
    counts[weight] = (counts[weight] ?? 0) + 1
  }
  let least = 15
  let room = SECTIONS_PER_TERM_MAX
  for (; least > 0 && (counts[least] ?? 0) <= room; least -= 1) room -= counts[least] ?? 0
  const kept = new Uint32Array(SECTIONS_PER_TERM_MAX)
  const keptWeights = new Uint8Array(SECTIONS_PER_TERM_MAX)
  let count = 0
  for (let index = 0; index < weights.length; index += 1) {
    const weight = weights[index] ?? 0
    if (weight < least || (weight === least && room <= 0)) continue
    if (weight === least) room -= 1
    kept[count] = sections[index] ?? 0
    keptWeights[count] = weight
    count += 1
  }
  return { sections: kept.subarray(0, count), weights: keptWeights.subarray(0, count) }
}
