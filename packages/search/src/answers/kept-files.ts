/** What the search engine of one library keeps in memory, and how much that is. */
import type { TermMatch } from '../engine/find-terms.ts'

/** Bytes of files. Few are larger than 12 KB. */
const BYTES_MAX = 4 * 1024 * 1024
/** What a byte of a file takes in memory: terms of a few letters become texts. */
const FILE_FACTOR = 10
/** What the terms of a word take. */
const WORD_BYTES = 2_000

/** Decoded files, the one that was not used for longest first. It goes when all together are too large. */
export class KeptFiles extends Map<string, Promise<unknown>> {
  readonly words = new Map<string, readonly TermMatch[]>()
  readonly #sizes = new WeakMap<Promise<unknown>, number>()
  #bytes = 0

  /** About what files and words take in memory. */
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

  /** Says how many bytes a file has that was set before. */
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
