/**
 * Stores a document as rows of three numbers instead of objects: the kind of a value, and its start
 * and end in the text. An object's rows are key, value, key, value; a list's rows are its items.
 * The row of a container is followed by those of its content. Its end is the next row after them.
 *
 * Objects would take four times the size of a 13 MB specification, lose all positions, and make
 * keys such as `__proto__` dangerous. With a tape, texts are decoded on demand and places cost
 * nothing.
 */
export const KIND = {
  object: 1,
  array: 2,
  string: 3,
  number: 4,
  true: 5,
  false: 6,
  null: 7,
} as const

export type Kind = (typeof KIND)[keyof typeof KIND]

/** The index of a row. */
export type NodeId = number

const WIDTH = 3
/** A flag for values that differ from their text: escaped, folded or in another notation. */
const ENCODED = 8
const KIND_BITS = 7

/** Thrown when a tape is full, and caught by the reader that writes it. */
export class TapeFull extends Error {}

export class Tape {
  #rows = new Int32Array(1024 * WIDTH)
  #length = 0
  readonly #nodesMax: number

  constructor(nodesMax: number) {
    this.#nodesMax = nodesMax
  }

  get length(): number {
    return this.#length
  }

  kind(node: NodeId): Kind {
    return ((this.#rows[node * WIDTH] ?? 0) & KIND_BITS) as Kind
  }

  isEncoded(node: NodeId): boolean {
    return ((this.#rows[node * WIDTH] ?? 0) & ENCODED) !== 0
  }

  start(node: NodeId): number {
    return this.#rows[node * WIDTH + 1] ?? 0
  }

  /**
   * Returns the offset after a scalar's text, or the index of the row after a container's content.
   */
  end(node: NodeId): number {
    return this.#rows[node * WIDTH + 2] ?? 0
  }

  /** Returns the index of the row after a value and its content. */
  next(node: NodeId): NodeId {
    return this.kind(node) <= KIND.array ? this.end(node) : node + 1
  }

  addScalar(kind: Kind, start: number, end: number, encoded = false): NodeId {
    return this.#add(encoded ? kind | ENCODED : kind, start, end)
  }

  /** Adds an open container. `close` sets its end. */
  open(kind: typeof KIND.object | typeof KIND.array, start: number): NodeId {
    return this.#add(kind, start, 0)
  }

  close(node: NodeId): void {
    this.#rows[node * WIDTH + 2] = this.#length
  }

  /** Appends a copy of a value with its content. Returns the distance from the original. */
  repeat(node: NodeId): number {
    const end = this.next(node)
    const shift = this.#length - node
    for (let row = node; row < end; row += 1) {
      const isContainer = this.kind(row) <= KIND.array
      const at = row * WIDTH
      const shifted = (this.#rows[at + 2] ?? 0) + (isContainer ? shift : 0)
      this.#add(this.#rows[at] ?? 0, this.#rows[at + 1] ?? 0, shifted)
    }
    return shift
  }

  /** Releases memory that was reserved for further rows. */
  trim(): void {
    this.#rows = this.#rows.slice(0, this.#length * WIDTH)
  }

  #add(kind: number, start: number, end: number): NodeId {
    const node = this.#length
    if (node >= this.#nodesMax) throw new TapeFull()
    const at = node * WIDTH
    if (at === this.#rows.length) this.#grow()
    this.#rows[at] = kind
    this.#rows[at + 1] = start
    this.#rows[at + 2] = end
    this.#length += 1
    return node
  }

  #grow(): void {
    const larger = new Int32Array(Math.ceil(this.#rows.length / WIDTH / 2) * WIDTH * 3)
    larger.set(this.#rows)
    this.#rows = larger
  }
}
