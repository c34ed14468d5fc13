/** Stores the vectors of a documentation folder in one file. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Embedder } from './create-embedder.ts'
import { VectorSet } from './vector-set.ts'

/** The number of texts in one request to the embedding process. */
const BATCH_MAX = 16
/**
 * The number of batches between two writes of the file, so that little work is lost when the
 * command is interrupted.
 */
const BATCHES_PER_WRITE = 32

export class VectorFile {
  readonly #file: string
  #vectors: VectorSet

  constructor(file: string) {
    this.#file = file
    this.#vectors = readVectors(file)
  }

  of(text: string): Int8Array | undefined {
    return this.#vectors.of(text)
  }

  /**
   * Computes the missing vectors, and removes vectors of texts that are no longer used. Returns the
   * number of computed vectors.
   */
  async fill(
    texts: readonly string[],
    { embed }: Embedder,
    onProgress: (done: number, total: number) => void = () => {},
  ): Promise<number> {
    const missing = [...new Set(texts)].filter((text) => this.#vectors.of(text) === undefined)
    this.#vectors = this.#vectors.only(texts)
    for (let at = 0; at < missing.length; at += BATCH_MAX) {
      const part = missing.slice(at, at + BATCH_MAX)
      const vectors = await embed(part)
      for (const [index, text] of part.entries()) {
        const vector = vectors[index]
        if (vector !== undefined) this.#vectors.add(text, vector)
      }
      onProgress(Math.min(at + BATCH_MAX, missing.length), missing.length)
      if ((at / BATCH_MAX) % BATCHES_PER_WRITE === BATCHES_PER_WRITE - 1) this.#write()
    }
    if (missing.length > 0) this.#write()
    return missing.length
  }

  #write(): void {
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(`${this.#file}.${process.pid}`, this.#vectors.print())
    renameSync(`${this.#file}.${process.pid}`, this.#file)
  }
}

/** Returns an empty set if the file is missing or unreadable. */
function readVectors(file: string): VectorSet {
  try {
    return VectorSet.parse(readFileSync(file))
  } catch {
    return new VectorSet()
  }
}
