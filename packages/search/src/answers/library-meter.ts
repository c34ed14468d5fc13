/**
 * Limits the bytes that one library reads and holds in memory, because a 2 GB deployment may
 * declare all of its files to be its index. Opening a library stops as soon as a limit is exceeded.
 */
import { UnreadableIndex } from '../format/unreadable-index.ts'

export const LIBRARY_LIMITS = {
  /** Total bytes read to open a library, counting both compressed and decompressed data. */
  readBytesMax: 256 * 1024 * 1024,
  /** Estimated memory of the library's pages and sections. */
  heldBytesMax: 256 * 1024 * 1024,
  /** Bytes of one sections file, which has at most 16 pages. */
  sectionsFileBytesMax: 32 * 1024 * 1024,
  /** Characters of one section to read; the rest is not searchable. */
  sectionLengthMax: 500_000,
  /** Maximum characters of a title, description, heading, ID or URL. */
  nameLengthMax: 5_000,
  /** Maximum headings above a section, and maximum ancestors of a page. */
  trailMax: 64,
} as const

/** Matches a character beyond Latin-1: a string that has one takes two bytes per character. */
const WIDE = /[^\0-\xff]/
/** Memory overhead of a string. */
const TEXT_BYTES = 32
/** Memory of an object with its properties. */
const RECORD_BYTES = 120

export class LibraryMeter {
  readonly #heldBytesMax: number
  #readBytes = 0
  #heldBytes = RECORD_BYTES

  constructor(heldBytesMax: number = LIBRARY_LIMITS.heldBytesMax) {
    this.#heldBytesMax = heldBytesMax
  }

  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Must be called before the bytes are decompressed or parsed. */
  read(bytes: number): void {
    this.#readBytes += bytes
    if (this.#readBytes > LIBRARY_LIMITS.readBytesMax)
      throw new UnreadableIndex('The index files are too large.')
  }

  hold(texts: readonly string[]): void {
    this.#heldBytes += RECORD_BYTES
    for (const text of texts)
      this.#heldBytes += text.length * (WIDE.test(text) ? 2 : 1) + TEXT_BYTES
    if (this.#heldBytes > this.#heldBytesMax)
      throw new UnreadableIndex('The index sections need too much memory.')
  }
}
