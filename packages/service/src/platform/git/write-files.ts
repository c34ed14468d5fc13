/**
 * Writes files from the output of `git cat-file --batch`, byte for byte as they were committed. Git
 * itself does not write any files, so attributes, filters and links of a repository have no effect.
 *
 * Writes are synchronous: a chunk of the pipe contains a few small files, and writing a hundred
 * thousand of them this way takes a third of the time.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gitFailure } from './explain-failure.ts'
import type { GitFailure } from './git.ts'
import type { GitLimits } from './git-limits.ts'
import { type Notes, shortName, type TreeFile } from './select-files.ts'

const LFS_START = Buffer.from('version https://git-lfs.github.com/spec/v1\n')
const LFS_BYTES_MAX = 1_024
const HEADER_LENGTH_MAX = 200

export class FileWriter {
  /** The number of files that were written completely. */
  written = 0
  failure: GitFailure | undefined
  readonly #files: readonly TreeFile[]
  readonly #folder: string
  readonly #limits: GitLimits
  readonly #notes: Notes
  readonly #madeFolders = new Set<string>()
  #header = ''
  #openFile: OpenFile | undefined
  #total = 0

  constructor(options: FileWriterOptions) {
    this.#files = options.files
    this.#folder = options.folder
    this.#limits = options.limits
    this.#notes = options.notes
    this.#makeFolder(options.folder)
  }

  /** Writes a chunk of the output. Returns false if it cannot continue; `failure` says why. */
  take(bytes: Buffer): boolean {
    let at = 0
    while (at < bytes.length) {
      const next =
        this.#openFile === undefined
          ? this.#takeHeader(bytes, at)
          : this.#takeContent(this.#openFile, bytes, at)
      if (next === undefined) return false
      at = next
    }
    return true
  }

  close(): void {
    if (this.#openFile !== undefined) closeSync(this.#openFile.descriptor)
    this.#openFile = undefined
  }

  /** Reads the header `<object> blob <size>`, which ends with a line break. */
  #takeHeader(bytes: Buffer, at: number): number | undefined {
    const end = bytes.indexOf('\n', at)
    const stop = end < 0 ? bytes.length : end
    this.#header += bytes.toString('latin1', at, stop)
    if (end < 0) return this.#header.length > HEADER_LENGTH_MAX ? this.#damaged() : stop
    const file = this.#files[this.written]
    const [objectId, kind, size = ''] = this.#header.split(' ')
    this.#header = ''
    if (file === undefined || objectId !== file.objectId || kind !== 'blob') return this.#damaged()
    return this.#open(file, Number(size)) ? end + 1 : undefined
  }

  #open(file: TreeFile, size: number): boolean {
    const { fileBytesMax, checkoutBytesMax } = this.#limits
    this.#total += size
    if (size > fileBytesMax) {
      this.failure = gitFailure(
        'too-large',
        `The file "${shortName(file.path)}" has a size of ${inMegabytes(size)} MB. The limit is ${inMegabytes(fileBytesMax)} MB.`,
      )
      return false
    }
    if (this.#total > checkoutBytesMax) {
      this.failure = gitFailure(
        'too-large',
        `The files in the documentation folder have more than ${inMegabytes(checkoutBytesMax)} MB in total.`,
      )
      return false
    }
    const path = join(this.#folder, file.path)
    this.#makeFolder(dirname(path))
    // Opening fails if the file exists, because writing a path twice would be a bug in our code.
    this.#openFile = { file, descriptor: openSync(path, 'wx', 0o644), size, rest: size }
    return true
  }

  #takeContent(open: OpenFile, bytes: Buffer, at: number): number | undefined {
    if (open.rest > 0) {
      const piece = bytes.subarray(at, at + open.rest)
      if (open.rest === open.size) this.#noteLfs(open, piece)
      let written = 0
      while (written < piece.length) written += writeSync(open.descriptor, piece, written)
      open.rest -= piece.length
      return at + piece.length
    }
    // The content of each file is followed by a line break.
    this.close()
    this.written += 1
    return bytes[at] === 0x0a ? at + 1 : this.#damaged()
  }

  #noteLfs({ file, size }: OpenFile, start: Buffer): void {
    if (size > LFS_BYTES_MAX || !start.subarray(0, LFS_START.length).equals(LFS_START)) return
    this.#notes.addLine(
      `"${shortName(file.path)}" is a Git LFS pointer: the file itself is not fetched. Store it in Git, or publish from CI with octavo deploy.`,
    )
  }

  #makeFolder(folder: string): void {
    if (this.#madeFolders.has(folder)) return
    mkdirSync(folder, { recursive: true })
    this.#madeFolders.add(folder)
  }

  #damaged(): undefined {
    this.failure = gitFailure('other', 'The cached clone is damaged.', false)
  }
}

type FileWriterOptions = {
  readonly files: readonly TreeFile[]
  /** The folder to write to. It must not exist yet. */
  readonly folder: string
  readonly limits: GitLimits
  readonly notes: Notes
}

type OpenFile = {
  readonly file: TreeFile
  readonly descriptor: number
  readonly size: number
  rest: number
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 ** 2)
}
