/**
 * Vectors of sections, compared one by one. A site has some thousand of them, and comparing all takes
 * milliseconds, so there is no approximate index and no database (decision 0038).
 */
export class VectorTable {
  readonly #size: number
  readonly #vectors: Int8Array
  /** Lengths of the vectors: they are rounded, so not exactly the same. */
  readonly #lengths: Float64Array
  /** By vector: the section that it belongs to. */
  readonly #sections: Uint32Array

  constructor(rows: readonly { readonly section: number; readonly vector: Int8Array }[]) {
    this.#size = rows[0]?.vector.length ?? 0
    this.#vectors = new Int8Array(rows.length * this.#size)
    this.#lengths = new Float64Array(rows.length)
    this.#sections = Uint32Array.from(rows, ({ section }) => section)
    for (const [row, { vector }] of rows.entries()) {
      this.#vectors.set(vector.subarray(0, this.#size), row * this.#size)
      this.#lengths[row] = lengthOf(vector)
    }
  }

  /** By section: how near its nearest vector is, from -1 to 1; `none` for sections without any. */
  compare(
    question: Int8Array,
    { sections, none }: { readonly sections: number; readonly none: number },
  ): Float64Array {
    const nearest = new Float64Array(sections).fill(Number.NEGATIVE_INFINITY)
    const size = this.#size
    const length = lengthOf(question)
    for (let row = 0; row < this.#sections.length; row += 1) {
      let sum = 0
      const start = row * size
      for (let at = 0; at < size; at += 1) {
        sum += (this.#vectors[start + at] as number) * (question[at] as number)
      }
      const section = this.#sections[row] as number
      const cosine = sum / (length * (this.#lengths[row] as number) || 1)
      if (cosine > (nearest[section] as number)) nearest[section] = cosine
    }
    return nearest.map((cosine) => (cosine === Number.NEGATIVE_INFINITY ? none : cosine))
  }
}

function lengthOf(vector: Int8Array): number {
  let sum = 0
  for (const value of vector) sum += value * value
  return Math.sqrt(sum)
}
