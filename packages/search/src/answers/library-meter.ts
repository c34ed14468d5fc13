/**
 * Counts what one library reads and keeps. A deployment of 2 GB may name all of it as its index, so
 * both have a limit, and opening ends as soon as one is exceeded.
 */
import { UnreadableIndex } from '../format/unreadable-index.ts'

export const LIBRARY_LIMITS = {
  /** Bytes of all files that are read to open a library, and after decompression. */
  readBytesMax: 256 * 1024 * 1024,
  /** About what its pages and sections take in memory. */
  heldBytesMax: 256 * 1024 * 1024,
  /** Bytes of one file of sections, which has at most 16 pages. */
  sectionsFileBytesMax: 32 * 1024 * 1024,
  /** Characters of one section that are read; the rest of it is not found. */
  sectionLengthMax: 500_000,
  /** Characters of a title, a description, a heading, an id or an address. */
  nameLengthMax: 5_000,
  /** Headings above a section, and names above a page. */
  trailMax: 64,
} as const

/** Texts with any character beyond Latin-1 take two bytes for each. */
const WIDE = /[^\0-\xff]/
/** What a text takes besides its characters. */
const TEXT_BYTES = 32
/** What an object with its properties takes. */
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

  /** Call before the bytes are decompressed or parsed. */
  read(bytes: number): void {
    this.#readBytes += bytes
    if (this.#readBytes > LIBRARY_LIMITS.readBytesMax)
      throw new UnreadableIndex('The files of the index have too many bytes.')
  }

  hold(texts: readonly string[]): void {
    this.#heldBytes += RECORD_BYTES
    for (const text of texts)
      this.#heldBytes += text.length * (WIDE.test(text) ? 2 : 1) + TEXT_BYTES
    if (this.#heldBytes > this.#heldBytesMax)
      throw new UnreadableIndex('The sections of the index take too much memory.')
  }
}
