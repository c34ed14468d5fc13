/**
 * Counts how the pages of an index use each term. After an edit, only the changed pages are counted:
 * their old terms are subtracted, and their new terms are added.
 */
import { HEADING_WEIGHT } from '../format/index-format.ts'
import type { MergeInput } from './merge-terms.ts'
import { PageReader } from './page-reader.ts'

export type TermUse = {
  /** Numbers of the used terms, sorted by term. */
  readonly order: ArrayLike<number> & Iterable<number>
  /** The number of sections that contain each term. */
  readonly totals: Uint32Array
  /** The number of sections in whose heading or title each term occurs. */
  readonly strong: Uint32Array
  /** Two hashes for each term: sums over its sections and weights, in any order. */
  readonly marks: Uint32Array
  readonly sectionCounts: readonly number[]
}

/** A page whose terms have changed, but not the number of its sections. */
export type ChangedPage = {
  readonly index: number
  readonly before: Uint8Array
  readonly now: Uint8Array
}

/** Counts the uses of each term. */
export function countTerms({ pages, terms }: MergeInput): TermUse {
  const counts = new TermCounts(terms.length)
  let first = 0
  const sectionCounts = pages.map((bytes) => {
    const count = counts.count(bytes, first, 1)
    first += count
    return count
  })
  const order = [...counts.totals.keys()].filter((term) => (counts.totals[term] ?? 0) > 0)
  return { ...counts, order: order.sort(byText(terms)), sectionCounts }
}

/**
 * Counts only the changed pages again. Returns undefined if the number of a page's sections has
 * changed, because all later sections have other numbers then.
 */
export function recountTerms(
  before: TermUse,
  changed: readonly ChangedPage[],
  terms: readonly string[],
): TermUse | undefined {
  const { sectionCounts } = before
  const counts = new TermCounts(terms.length, before)
  const wasUsed = counts.totals.slice()
  for (const page of changed) {
    const first = sumOf(sectionCounts, page.index)
    const removed = counts.count(page.before, first, -1)
    const added = counts.count(page.now, first, 1)
    if (removed !== sectionCounts[page.index] || added !== removed) return undefined
  }
  const { totals } = counts
  const isUsed = (term: number) => (totals[term] ?? 0) > 0
  const isNew = (total: number, term: number) => total > 0 && wasUsed[term] === 0
  const added = [...totals.keys()].filter((term) => isNew(totals[term] ?? 0, term))
  const kept = Array.from(before.order).filter(isUsed)
  const order = added.length === 0 ? kept : [...kept, ...added].sort(byText(terms))
  return { ...counts, order, sectionCounts }
}

class TermCounts {
  readonly totals: Uint32Array
  readonly strong: Uint32Array
  readonly marks: Uint32Array
  readonly #page = new PageReader()

  constructor(termCount: number, before?: TermUse) {
    this.totals = copyOf(before?.totals, termCount)
    this.strong = copyOf(before?.strong, termCount)
    this.marks = copyOf(before?.marks, termCount * 2)
  }

  /**
   * Adds or subtracts a page whose first section has this number. Returns the number of its sections.
   */
  count(bytes: Uint8Array, first: number, sign: 1 | -1): number {
    const { totals, strong, marks } = this
    const page = this.#page
    page.read(bytes)
    const { count, sections, terms: numbers, weights } = page
    for (let index = 0; index < count; index += 1) {
      const term = numbers[index] as number
      const weight = weights[index] as number
      const place = (first + (sections[index] as number)) * 16 + weight
      totals[term] = (totals[term] as number) + sign
      if (weight >= HEADING_WEIGHT) strong[term] = (strong[term] as number) + sign
      marks[term * 2] = (marks[term * 2] as number) + sign * mix(place)
      marks[term * 2 + 1] = (marks[term * 2 + 1] as number) + sign * mix(~place)
    }
    return page.sectionCount
  }
}

/** Mixes the bits of a number, so that sums of different numbers are unlikely to be equal. */
function mix(place: number): number {
  let mixed = Math.imul(place ^ (place >>> 16), 0x7f_eb_35_2d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x84_6c_a6_8b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function copyOf(before: Uint32Array | undefined, length: number): Uint32Array {
  const copy = new Uint32Array(length)
  if (before !== undefined) copy.set(before)
  return copy
}

function byText(terms: readonly string[]): (a: number, b: number) => number {
  return (a, b) => ((terms[a] ?? '') < (terms[b] ?? '') ? -1 : 1)
}

function sumOf(counts: readonly number[], length: number): number {
  let sum = 0
  for (let index = 0; index < length; index += 1) sum += counts[index] ?? 0
  return sum
}

/** Packs counts, to store them for the next build. Only used terms take space. */
export function packTermUse({ order, totals, strong, marks, sectionCounts }: TermUse): Uint32Array {
  const { length } = order
  const packed = new Uint32Array(2 + length * 5 + sectionCounts.length)
  packed.set([length, sectionCounts.length])
  let at = 2
  for (const term of order) {
    packed[at] = term
    packed[at + 1] = totals[term] ?? 0
    packed[at + 2] = strong[term] ?? 0
    packed[at + 3] = marks[term * 2] ?? 0
    packed[at + 4] = marks[term * 2 + 1] ?? 0
    at += 5
  }
  packed.set(sectionCounts, at)
  return packed
}

/** Returns undefined if the packed counts are damaged. */
export function unpackTermUse(packed: Uint32Array, termCount: number): TermUse | undefined {
  const [length = 0, pageCount = 0] = packed
  if (packed.length !== 2 + length * 5 + pageCount) return undefined
  const order = new Uint32Array(length)
  const totals = new Uint32Array(termCount)
  const strong = new Uint32Array(termCount)
  const marks = new Uint32Array(termCount * 2)
  for (let index = 0, at = 2; index < length; index += 1, at += 5) {
    const term = packed[at] as number
    if (term >= termCount) return undefined
    order[index] = term
    totals[term] = packed[at + 1] as number
    strong[term] = packed[at + 2] as number
    marks[term * 2] = packed[at + 3] as number
    marks[term * 2 + 1] = packed[at + 4] as number
  }
  return { order, totals, strong, marks, sectionCounts: [...packed.subarray(2 + length * 5)] }
}
