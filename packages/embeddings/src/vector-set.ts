/**
 * Stores vectors by the hash of their text, so that only the vectors of changed sections are
 * computed after an edit. Equal sets are printed as equal bytes. A lost set can be computed again.
 */
import { createHash } from 'node:crypto'

const FORMAT = 'octavo-vectors/2'
const HASH_SIZE = 16
const HEAD_LENGTH_MAX = 40

export class VectorSet {
  /** The number of dimensions of each vector; undefined for an empty set. */
  #size: number | undefined
  readonly #vectors = new Map<string, Int8Array>()

  /** Parses a printed set. Returns an empty set if the bytes are malformed. */
  static parse(bytes: Buffer): VectorSet {
    const set = new VectorSet()
    const head = bytes.toString('latin1', 0, HEAD_LENGTH_MAX).split('\n', 1)[0] ?? ''
    const [format, number = ''] = head.split(' ')
    const size = Number(number)
    const rowSize = HASH_SIZE + size
    const start = head.length + 1
    const isWhole = Number.isSafeInteger(size) && size > 0 && (bytes.length - start) % rowSize === 0
    if (format !== FORMAT || !isWhole) return set
    for (let at = start; at < bytes.length; at += rowSize) {
      const key = bytes.toString('hex', at, at + HASH_SIZE)
      set.#vectors.set(key, asVector(bytes.subarray(at + HASH_SIZE, at + rowSize)))
    }
    set.#size = size
    return set
  }

  get count(): number {
    return this.#vectors.size
  }

  /** Returns the maximum size in bytes of a set with `count` vectors. */
  bytesFor(count: number): number {
    return HEAD_LENGTH_MAX + count * (HASH_SIZE + (this.#size ?? 0))
  }

  of(text: string): Int8Array | undefined {
    return this.#vectors.get(keyOf(text))
  }

  add(text: string, vector: Int8Array): void {
    this.#size ??= vector.length
    if (vector.length !== this.#size || vector.length === 0)
      throw new Error('The model returned vectors of different lengths.')
    this.#vectors.set(keyOf(text), vector)
  }

  /** Returns the subset of vectors for the given texts. */
  only(texts: readonly string[]): VectorSet {
    const some = new VectorSet()
    for (const text of texts) {
      const vector = this.of(text)
      if (vector !== undefined) some.add(text, vector)
    }
    return some
  }

  print(): Buffer {
    const rows = [...this.#vectors]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, vector]) => [Buffer.from(key, 'hex'), asBytes(vector)])
    return Buffer.concat([Buffer.from(`${FORMAT} ${this.#size ?? 1}\n`), ...rows])
  }
}

function keyOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, HASH_SIZE * 2)
}

const asVector = ({ buffer, byteOffset, length }: Uint8Array) =>
  new Int8Array(buffer, byteOffset, length)
const asBytes = ({ buffer, byteOffset, length }: Int8Array) =>
  new Uint8Array(buffer, byteOffset, length)
