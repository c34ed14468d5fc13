const NEWLINE = 0x0a
const QUOTE = 0x22

/**
 * The formats of an export. A quoted CSV value can contain line breaks, but an NDJSON row cannot.
 */
export type RowFormat = 'ndjson' | 'csv'

/** Finds rows in a byte stream. Positions are offsets from its first byte. */
export class RowScanner {
  readonly #hasQuotes: boolean
  #inQuotes = false
  #size = 0
  #count = 0
  #firstEnd = 0
  #lastStart = 0
  #lastEnd = 0

  constructor(format: RowFormat) {
    this.#hasQuotes = format === 'csv'
  }

  push(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index]
      // A quote inside a quoted value is doubled, so the pair toggles the state twice.
      if (byte === QUOTE && this.#hasQuotes) this.#inQuotes = !this.#inQuotes
      else if (byte === NEWLINE && !this.#inQuotes) this.#endRow(this.#size + index + 1)
    }
    this.#size += bytes.length
  }

  /** Discards the incomplete row: the bytes after the last complete row. */
  cut(): void {
    this.#size = this.#lastEnd
    this.#inQuotes = false
  }

  /** Discards all rows. */
  clear(): void {
    this.#count = 0
    this.#firstEnd = 0
    this.#lastStart = 0
    this.#lastEnd = 0
    this.cut()
  }

  get size(): number {
    return this.#size
  }

  /** The number of complete rows, including the CSV header. */
  get count(): number {
    return this.#count
  }

  get firstRow(): { readonly start: number; readonly end: number } {
    return { start: 0, end: this.#firstEnd }
  }

  get lastRow(): { readonly start: number; readonly end: number } {
    return { start: this.#lastStart, end: this.#lastEnd }
  }

  #endRow(end: number): void {
    if (this.#count === 0) this.#firstEnd = end
    this.#count += 1
    this.#lastStart = this.#lastEnd
    this.#lastEnd = end
  }
}
