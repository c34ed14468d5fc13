/**
 * Writes numbers of variable length: each byte has seven bits of the number, and its eighth bit is
 * set if another byte follows.
 */
export class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  number(value: number): void {
    let rest = value
    if (this.#length + 5 > this.#bytes.length) this.#grow(5)
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  bytes(bytes: Uint8Array): void {
    this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  text(text: string): void {
    const bytes = new TextEncoder().encode(text)
    this.number(bytes.length)
    this.bytes(bytes)
  }

  /** Returns a copy of the bytes written so far. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  #grow(more: number): void {
    const wanted = this.#length + more
    if (wanted <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(wanted, this.#bytes.length * 2))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Reads the output of `ByteWriter`. Returns zeros past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  number(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    return value >>> 0
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0
  }

  bytes(length: number): Uint8Array {
    const bytes = this.#bytes.subarray(this.at, this.at + length)
    this.at += length
    return bytes
  }

  text(): string {
    return new TextDecoder().decode(this.bytes(this.number()))
  }
}
