/**
 * Vectors by the hash of their text, in one file: an edit computes those of the changed sections and
 * no others. Losing it costs time and nothing else.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Embedder } from './create-embedder.ts'

const FORMAT = 'octavo-vectors/1\n'
const SIZE = 384
const HASH_SIZE = 16
const ROW_SIZE = HASH_SIZE + SIZE
/** Texts that the process is asked for at once. */
const BATCH_MAX = 16
/** Batches after which the file is written, so that little is lost when somebody stops it. */
const BATCHES_PER_WRITE = 32

export class VectorFile {
  readonly #file: string
  readonly #vectors: Map<string, Int8Array>

  constructor(file: string) {
    this.#file = file
    this.#vectors = readVectors(file)
  }

  of(text: string): Int8Array | undefined {
    return this.#vectors.get(keyOf(text))
  }

  /** Computes the vectors that are missing, and forgets those of other texts. Gives how many. */
  async fill(
    texts: readonly string[],
    { embed }: Embedder,
    onProgress: (done: number, total: number) => void = () => {},
  ): Promise<number> {
    const wanted = new Map(texts.map((text) => [keyOf(text), text]))
    const missing = [...wanted].filter(([key]) => !this.#vectors.has(key))
    for (const key of this.#vectors.keys()) if (!wanted.has(key)) this.#vectors.delete(key)
    for (let at = 0; at < missing.length; at += BATCH_MAX) {
      const part = missing.slice(at, at + BATCH_MAX)
      const vectors = await embed(part.map(([, text]) => text))
      for (const [index, [key]] of part.entries()) {
        const vector = vectors[index]
        if (vector?.length === SIZE) this.#vectors.set(key, vector)
      }
      onProgress(Math.min(at + BATCH_MAX, missing.length), missing.length)
      if ((at / BATCH_MAX) % BATCHES_PER_WRITE === BATCHES_PER_WRITE - 1) this.#write()
    }
    if (missing.length > 0) this.#write()
    return missing.length
  }

  #write(): void {
    const rows = [...this.#vectors].flatMap(([key, vector]) => [
      Buffer.from(key, 'hex'),
      new Uint8Array(vector),
    ])
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(`${this.#file}.${process.pid}`, Buffer.concat([Buffer.from(FORMAT), ...rows]))
    renameSync(`${this.#file}.${process.pid}`, this.#file)
  }
}

function keyOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, HASH_SIZE * 2)
}

/** A file that cannot be read is as good as none. */
function readVectors(file: string): Map<string, Int8Array> {
  const vectors = new Map<string, Int8Array>()
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch {
    return vectors
  }
  const isWhole = (bytes.length - FORMAT.length) % ROW_SIZE === 0
  if (!isWhole || bytes.toString('latin1', 0, FORMAT.length) !== FORMAT) return vectors
  for (let at = FORMAT.length; at < bytes.length; at += ROW_SIZE) {
    const key = bytes.toString('hex', at, at + HASH_SIZE)
    vectors.set(key, new Int8Array(bytes.subarray(at + HASH_SIZE, at + ROW_SIZE)))
  }
  return vectors
}
