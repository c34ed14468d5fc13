/**
 * Handles files that are too large for memory. They are written in parts and read through a window.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import type { OutputEntry, PartNote, PartsOutput } from './site-output.ts'

type FinishedParts = Pick<OutputEntry, 'sha256' | 'size'> & {
  readonly notes: readonly PartNote[] | undefined
}

const PART_SIZE = 1_000_000

/** Writes a file in parts, which are buffered so that fewer writes are needed. */
export class PartsFile implements PartsOutput {
  readonly #descriptor: number
  readonly #hash = createHash('sha256')
  readonly #finish: (file: FinishedParts) => void
  #parts: Uint8Array[] = []
  #waiting = 0
  #size = 0

  constructor(file: string, finish: (file: FinishedParts) => void) {
    this.#descriptor = openSync(file, 'w')
    this.#finish = finish
  }

  add(part: string | Uint8Array): void {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    this.#parts.push(bytes)
    this.#waiting += bytes.length
    if (this.#waiting >= PART_SIZE) this.#flush()
  }

  close(notes?: readonly PartNote[]): void {
    this.#flush()
    closeSync(this.#descriptor)
    this.#finish({ sha256: this.#hash.digest('hex'), size: this.#size, notes })
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#parts)
    this.#hash.update(bytes)
    writeSync(this.#descriptor, bytes)
    this.#size += bytes.length
    this.#parts = []
    this.#waiting = 0
  }
}

/** Reads a file in the order of its parts, with several parts at a time. */
export class WindowedFile {
  readonly #descriptor: number
  readonly #size: number
  #window = Buffer.alloc(0)
  #start = 0

  constructor(file: string) {
    this.#descriptor = openSync(file, 'r')
    this.#size = fstatSync(this.#descriptor).size
  }

  /** Returns bytes that later reads do not overwrite, or undefined if the file is shorter. */
  read(offset: number, size: number): Uint8Array | undefined {
    if (!(offset >= 0 && size >= 0 && offset + size <= this.#size)) return undefined
    if (offset < this.#start || offset + size > this.#start + this.#window.length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(size, PART_SIZE))
      this.#window = bytes.subarray(0, readSync(this.#descriptor, bytes, 0, bytes.length, offset))
      this.#start = offset
      if (this.#window.length < size) return undefined
    }
    return this.#window.subarray(offset - this.#start, offset - this.#start + size)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
