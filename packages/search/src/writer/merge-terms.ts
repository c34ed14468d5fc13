/**
 * Merges the terms of many pages into a list of sections per term. Only a part of the terms is
 * processed at a time, so a large site needs little more memory than a small one.
 */
import { type Postings, SECTIONS_PER_TERM_MAX, type ShardTerm } from '../format/index-format.ts'

export type MergeInput = {
  /** The output of `PageTerms` for each page of the index, in order. */
  readonly pages: readonly Uint8Array[]
  readonly terms: readonly string[]
}

export type TermUse = {
  /** Numbers of the used terms, sorted by term. */
  readonly order: readonly number[]
  /** The number of sections that contain each term. */
  readonly totals: Uint32Array
  /** 1 for each term that occurs in a heading or title. */
  readonly strong: Uint8Array
  /** Two hashes for each term, computed from its sections and weights. */
  readonly marks: Uint32Array
  readonly sectionCounts: readonly number[]
}

/** Counts the uses of each term. Weights below `strongMin` are those of plain text. */
export function countTerms({ pages, terms }: MergeInput, strongMin: number): TermUse {
  const totals = new Uint32Array(terms.length)
  const strong = new Uint8Array(terms.length)
  const marks = new Uint32Array(terms.length * 2)
  const page = new PageReader()
  let first = 0
  const sectionCounts = pages.map((bytes) => {
    page.read(bytes)
    const { count, sections, terms: numbers, weights } = page
    for (let index = 0; index < count; index += 1) {
      const term = numbers[index] as number
      const weight = weights[index] as number
      const place = (first + (sections[index] as number)) * 16 + weight
      totals[term] = (totals[term] as number) + 1
      if (weight >= strongMin) strong[term] = 1
      marks[term * 2] = mix(marks[term * 2] as number, place)
      marks[term * 2 + 1] = mix(marks[term * 2 + 1] as number, ~place)
    }
    first += page.sectionCount
    return page.sectionCount
  })
  const used: number[] = []
  for (const [term, total] of totals.entries()) if (total > 0) used.push(term)
  const text = (term: number) => terms[term] ?? ''
  const order = used.sort((a, b) => (text(a) < text(b) ? -1 : 1))
  return { order, totals, strong, marks, sectionCounts }
}

function mix(mark: number, place: number): number {
  const mixed = Math.imul(mark ^ place, 0x9e_37_79_b1)
  return mixed ^ (mixed >>> 15)
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

/**
 * Reads the output of `PageTerms`. The arrays are reused, because it runs for every word of a site.
 */
class PageReader {
  sectionCount = 0
  count = 0
  /** For each occurrence of a term: the section of the page, the term's number and its weight. */
  sections = new Uint32Array(4096)
  terms = new Uint32Array(4096)
  weights = new Uint8Array(4096)

  read(bytes: Uint8Array): void {
    // The arrays need at most one item per byte, because a term takes at least one byte.
    if (bytes.length > this.terms.length) this.#grow(bytes.length)
    const { sections, terms, weights } = this
    let at = 0
    let count = 0
    let section = -1
    let left = 0
    let term = 0
    this.sectionCount = 0
    while (at < bytes.length) {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++] ?? 0
        value |= (byte & 0x7f) << shift
        if (byte < 0x80) break
      }
      if (section < 0) {
        this.sectionCount = value
        section = 0
        left = -1
      } else if (left < 0) {
        left = value
        term = 0
      } else {
        term += value >>> 4
        sections[count] = section
        terms[count] = term
        weights[count] = value & 15
        count += 1
        left -= 1
      }
      if (left === 0) {
        section += 1
        left = -1
      }
    }
    this.count = count
  }

  #grow(length: number): void {
    this.sections = new Uint32Array(length)
    this.terms = new Uint32Array(length)
    this.weights = new Uint8Array(length)
  }
}
