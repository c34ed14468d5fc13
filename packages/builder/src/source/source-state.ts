/**
 * Remembers the hashes and heads of source files, as Git's index does: a file with the same stamp
 * as in an earlier run is not read. Facts are valid for a stamp whichever run recorded them, so
 * concurrent runs may overwrite each other's state file. Losing the state file only costs time.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecent } from './file-stamp.ts'

/** What is known about a file with this stamp. */
type FileFacts = {
  readonly stamp: string
  /** The hash of its text. */
  readonly hash?: string
  /** True if the text has the word that suppresses diagnostics. */
  readonly isMarked?: boolean
  /** Data that depends only on the text and the path. */
  readonly head?: unknown
}

type StateFile = { readonly files: Readonly<Record<string, FileFacts>> }

export class SourceState {
  readonly #file: string | undefined
  readonly #startedMs: number
  #known: ReadonlyMap<string, FileFacts> | undefined
  readonly #now = new Map<string, FileFacts>()
  readonly #recent = new Map<string, string>()
  #isChanged = false

  /** Opens the state in a cache folder. `version` is the version of the code that makes heads. */
  static open(folder: string, version: string): SourceState {
    const file = join(folder, `source-${version.slice(0, 16)}.json`)
    try {
      mkdirSync(folder, { recursive: true })
      return new SourceState(file, clockOf(`${file}.${process.pid}`))
    } catch {
      // If the cache folder is read-only, there is no state, and every file is read.
      return new SourceState(undefined, 0)
    }
  }

  /** `startedMs` is the time on the file system's clock before any file was read. */
  constructor(file?: string, startedMs = 0) {
    this.#file = file
    this.#startedMs = startedMs
  }

  /** What earlier runs found out, which is read on demand. */
  get #before(): ReadonlyMap<string, FileFacts> {
    this.#known ??= this.#file === undefined ? new Map() : readFiles(this.#file)
    return this.#known
  }

  /** Returns what an earlier run found out about the file, if it still has this stamp. */
  find(path: string, stamp: string): FileFacts | undefined {
    const before = this.#before.get(path)
    if (before === undefined || before.stamp !== stamp) return undefined
    if (!this.#now.has(path)) this.#now.set(path, before)
    return before
  }

  /** Returns whether a file with this stamp, which is read after that, has the same content. */
  isReliable(stamp: string): boolean {
    return this.#file !== undefined && !isRecent(stamp, this.#startedMs)
  }

  /** Returns the hash of a text of this run that may change without getting another stamp. */
  recentHash(path: string): string | undefined {
    return this.#recent.get(path)
  }

  /** Adds facts about a file that was read after this stamp was taken. */
  add(path: string, stamp: string, facts: Omit<FileFacts, 'stamp'>): void {
    if (!this.isReliable(stamp)) {
      if (facts.hash !== undefined) this.#recent.set(path, facts.hash)
      return
    }
    const now = this.#now.get(path)
    this.#now.set(path, { ...(now?.stamp === stamp && now), stamp, ...facts })
    this.#isChanged = true
  }

  /** Saves the facts about this run's files. An error only makes the next run slower. */
  save(): void {
    if (this.#file === undefined) return
    if (!this.#isChanged && this.#now.size === this.#before.size) return
    const unfinished = `${this.#file}.${process.pid}`
    try {
      writeFileSync(unfinished, JSON.stringify({ files: Object.fromEntries(this.#now) }))
      renameSync(unfinished, this.#file)
    } catch {
      rmSync(unfinished, { force: true })
    }
  }
}

/** Returns the time of the file system's clock, which may be on another machine. */
function clockOf(file: string): number {
  writeFileSync(file, '')
  const { mtimeMs } = statSync(file)
  rmSync(file)
  return mtimeMs
}

/** Returns an empty map if the file is missing or damaged. */
function readFiles(file: string): ReadonlyMap<string, FileFacts> {
  try {
    const { files } = JSON.parse(readFileSync(file, 'utf8')) as StateFile
    const entries = Object.entries(files)
    return new Map(entries.filter(([, facts]) => typeof facts?.stamp === 'string'))
  } catch {
    return new Map()
  }
}
