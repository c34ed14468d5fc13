/** The cache of a library's search engine, with an estimate of its size. */
import type { TermMatch } from '../engine/find-terms.ts'

/** Maximum bytes of cached files. Few files are larger than 12 KB. */
const BYTES_MAX = 4 * 1024 * 1024
/** Estimated memory per byte of a file, since decoding turns short terms into strings. */
const FILE_FACTOR = 10
/** Estimated memory for the terms of one word. */
const WORD_BYTES = 2_000

/** An LRU cache of decoded files, limited by their total size. */
export class FileCache extends Map<string, Promise<unknown>> {
  readonly words = new Map<string, readonly TermMatch[]>()
  readonly #sizes = new WeakMap<Promise<unknown>, number>()
  #bytes = 0

  /** Estimated memory of files and words. */
  get heldBytes(): number {
    return this.#bytes * FILE_FACTOR + this.words.size * WORD_BYTES
  }

  override set(file: string, content: Promise<unknown>): this {
    this.#bytes += this.#sizes.get(content) ?? 0
    return super.set(file, content)
  }

  override delete(file: string): boolean {
    const content = this.get(file)
    this.#bytes -= (content && this.#sizes.get(content)) ?? 0
    return super.delete(file)
  }

  /** Adds the size of a cached file to the total, and evicts the oldest files above the limit. */
  count(file: string, bytes: number): void {
    const content = this.get(file)
    if (content === undefined || this.#sizes.has(content)) return
    this.#sizes.set(content, bytes)
    this.#bytes += bytes
    for (const oldest of this.keys()) {
      if (this.#bytes <= BYTES_MAX) return
      this.delete(oldest)
    }
  }
}
