/**
 * Handles files that are too large for memory. They are written in parts and read through a window.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import type { OutputEntry, PartNote, PartsOutput } from './site-output.ts'

type FinishedParts = Pick<OutputEntry, 'sha256' | 'size'> & {
  readonly notes: readonly PartNote[] | undefined
}

/** The size of a buffer, which fits into the cache of a processor and is used again. */
const BUFFER_SIZE = 256 * 1024

/** Writes a file in parts, which are buffered so that fewer writes are needed. */
export class PartsFile implements PartsOutput {
  readonly #descriptor: number
  readonly #hash = createHash('sha256')
  readonly #finish: (file: FinishedParts) => void
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_SIZE)
  #waiting = 0
  #size = 0

  constructor(file: string, finish: (file: FinishedParts) => void) {
    this.#descriptor = openSync(file, 'w')
    this.#finish = finish
  }

  add(part: string | Uint8Array): void {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    if (this.#waiting + bytes.length > BUFFER_SIZE) this.#flush()
    if (bytes.length > BUFFER_SIZE) {
      this.#write(bytes)
      return
    }
    this.#buffer.set(bytes, this.#waiting)
    this.#waiting += bytes.length
  }

  close(notes?: readonly PartNote[]): void {
    this.#flush()
    closeSync(this.#descriptor)
    this.#finish({ sha256: this.#hash.digest('hex'), size: this.#size, notes })
  }

  #flush(): void {
    this.#write(this.#buffer.subarray(0, this.#waiting))
    this.#waiting = 0
  }

  #write(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    writeSync(this.#descriptor, bytes)
    this.#size += bytes.length
  }
}

/** Reads a file in the order of its parts, with several parts at a time. */
export class WindowedFile {
  readonly #descriptor: number
  readonly #size: number
  #buffer = Buffer.allocUnsafeSlow(BUFFER_SIZE)
  #window = this.#buffer.subarray(0, 0)
  #start = 0

  constructor(file: string) {
    this.#descriptor = openSync(file, 'r')
    this.#size = fstatSync(this.#descriptor).size
  }

  /** Returns bytes that are valid until the next read, or undefined if the file is shorter. */
  read(offset: number, size: number): Uint8Array | undefined {
    if (!(offset >= 0 && size >= 0 && offset + size <= this.#size)) return undefined
    if (offset < this.#start || offset + size > this.#start + this.#window.length) {
      if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(size)
      const length = readSync(this.#descriptor, this.#buffer, 0, this.#buffer.length, offset)
      this.#window = this.#buffer.subarray(0, length)
      this.#start = offset
      if (this.#window.length < size) return undefined
    }
    return this.#window.subarray(offset - this.#start, offset - this.#start + size)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
