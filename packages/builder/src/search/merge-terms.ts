/**
 * The terms of many pages → each term with its sections. Works on a part of the terms at a time, so
 * that a large site needs little more memory than a small one.
 */
import { type Postings, SECTIONS_PER_TERM_MAX, type ShardTerm } from '@octavo/theme'

export type MergeInput = {
  /** What `PageTerms` made of each page of the index, in their order. */
  readonly pages: readonly Uint8Array[]
  readonly terms: readonly string[]
}

export type TermUse = {
  /** Numbers of the terms that are used, in the order of the terms. */
  readonly order: readonly number[]
  /** By number: in how many sections. */
  readonly totals: Uint32Array
  /** By number: 1 if it is in a heading or title. */
  readonly strong: Uint8Array
  /** By number, two each: other sections or other weights give other marks. */
  readonly marks: Uint32Array
  readonly sectionCounts: readonly number[]
}

/** Lower weights are those of plain text. */
export function countTerms({ pages, terms }: MergeInput, strongMin: number): TermUse {
  const totals = new Uint32Array(terms.length)
  const strong = new Uint8Array(terms.length)
  const marks = new Uint32Array(terms.length * 2)
  let first = 0
  const sectionCounts = pages.map((bytes) => {
    const count = walkPage(bytes, (section, term, weight) => {
      totals[term] = (totals[term] ?? 0) + 1
      if (weight >= strongMin) strong[term] = 1
      const place = (first + section) * 16 + weight
      marks[term * 2] = mix(marks[term * 2] ?? 0, place)
      marks[term * 2 + 1] = mix(marks[term * 2 + 1] ?? 0, ~place)
    })
    first += count
    return count
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

const NOWHERE = 0xff_ff_ff_ff

/** The sections of some of the terms. */
export function* mergeTerms(
  { pages, terms }: MergeInput,
  { totals }: Pick<TermUse, 'totals'>,
  part: readonly number[],
): Generator<ShardTerm> {
  // Where the next section of each term goes.
  const places = new Uint32Array(terms.length).fill(NOWHERE)
  let size = 0
  for (const term of part) {
    places[term] = size
    size += totals[term] ?? 0
  }
  const sections = new Uint32Array(size)
  const weights = new Uint8Array(size)
  let first = 0
  for (const bytes of pages) {
    first += walkPage(bytes, (section, term, weight) => {
      const place = places[term] ?? NOWHERE
      if (place === NOWHERE) return
      sections[place] = first + section
      weights[place] = weight
      places[term] = place + 1
    })
  }
  for (const term of part) {
    const end = places[term] ?? 0
    const start = end - (totals[term] ?? 0)
    const all = { sections: sections.subarray(start, end), weights: weights.subarray(start, end) }
    yield { term: terms[term] ?? '', total: end - start, ...keepWeightiest(all) }
  }
}

type Lists = Pick<Postings, 'sections' | 'weights'>

/** Of equals those that come first. */
function keepWeightiest({ sections, weights }: Lists): Lists {
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

/** Gives the number of sections. Written out: it runs for every word of a site. */
function walkPage(
  bytes: Uint8Array,
  visit: (section: number, term: number, weight: number) => void,
): number {
  let at = 0
  const number = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }
  const sectionCount = number()
  for (let section = 0; section < sectionCount; section += 1) {
    let term = 0
    for (let left = number(); left > 0; left -= 1) {
      const entry = number()
      term += entry >>> 4
      visit(section, term, entry & 15)
    }
  }
  return sectionCount
}
