/**
 * Compares a question with the vectors of all sections. A site has a few thousand vectors and
 * comparing all of them takes less than a millisecond, so there is no approximate index and no
 * database (decision 0038).
 */
import { createVectorScan, type VectorScan } from './vector-scan.ts'

/** Memory that a vector needs in addition to its numbers: for its length, section and product. */
const ROW_BYTES = 16
/** Marks a section without vectors; lower than any cosine. */
const NO_VECTOR = -2

export class VectorTable {
  /** Number of dimensions of a vector. */
  readonly size: number
  readonly #scan: VectorScan
  /** Lengths of the vectors, which vary slightly because of rounding. */
  readonly #lengths: Float64Array
  /** The section that each vector belongs to. */
  readonly #sections: Uint32Array

  constructor(rows: readonly { readonly section: number; readonly vector: Int8Array }[]) {
    this.size = rows[0]?.vector.length ?? 0
    const vectors = rows.map(({ vector }) => vector)
    this.#scan = createVectorScan(vectors, this.size)
    this.#lengths = Float64Array.from(vectors, lengthOf)
    this.#sections = Uint32Array.from(rows, ({ section }) => section)
  }

  get bytes(): number {
    return this.#sections.length * (this.size + ROW_BYTES)
  }

  /**
   * Returns for each section the cosine of its nearest vector, from -1 to 1, or `none` if it has no
   * vector.
   */
  compare(
    question: Int8Array,
    { sections, none }: { readonly sections: number; readonly none: number },
  ): Float64Array {
    const nearest = new Float64Array(sections).fill(NO_VECTOR)
    const length = lengthOf(question)
    const products = this.#scan(question)
    const rowSections = this.#sections
    const lengths = this.#lengths
    for (let row = 0; row < products.length; row += 1) {
      const section = rowSections[row] as number
      const cosine = (products[row] as number) / (length * (lengths[row] as number) || 1)
      if (cosine > (nearest[section] as number)) nearest[section] = cosine
    }
    for (let section = 0; section < sections; section += 1)
      if (nearest[section] === NO_VECTOR) nearest[section] = none
    return nearest
  }
}

function lengthOf(vector: Int8Array): number {
  let sum = 0
  for (const value of vector) sum += value * value
  return Math.sqrt(sum)
}
