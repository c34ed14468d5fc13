/**
 * The folder that a build writes. What is there already with the same bytes is left alone, and what
 * an earlier build wrote and this one did not is removed; a file of anybody else is never touched.
 */

import { createHash } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { hashFile } from '../source/hash-bytes.ts'
import { BUILD_JOURNAL, BUILD_RECORD } from '../source/read-folder.ts'
import type { SiteOutput } from './site-output.ts'

type Written = {
  readonly sha256: string
  /** What the content was made of, by which builder; the same key means the same content. */
  readonly key: string
}

/** Lists all outputs with their hashes, and the keys by which the next build knows them again. */
type BuildRecord = { readonly outputs: Readonly<Record<string, Written>> }

/** A file of ours of which it is not known what it holds. */
const UNSURE: Written = { sha256: '', key: '' }

export class OutputFolder implements SiteOutput {
  readonly #root: string
  readonly #before: ReadonlyMap<string, Written>
  readonly #now = new Map<string, Written>()
  readonly #folders = new Set<string>()
  /** Open from the first change on: a build that is cut off leaves it behind for the next. */
  #journal: number | undefined
  #writtenCount = 0

  constructor(root: string) {
    this.#root = root
    this.#before = readRecord(root)
  }

  get writtenCount(): number {
    return this.#writtenCount
  }

  get count(): number {
    return this.#now.size
  }

  /** True when an earlier build wrote this very content and it is still there. */
  keep(path: string, key: string): boolean {
    const before = this.#before.get(path)
    if (before?.key !== key || !this.#exists(path)) return false
    this.#now.set(path, before)
    return true
  }

  /** True when an earlier build wrote this file, which is named by its content, and it is still there. */
  keepNamed(path: string): boolean {
    const before = this.#before.get(path)
    return before !== undefined && before !== UNSURE && this.keep(path, before.key)
  }

  /** Writes a file unless it has these bytes already. Without a key it is known by its bytes. */
  write(path: string, key: string | undefined, content: string | Uint8Array): void {
    if (this.#now.has(path)) return
    const sha256 = hashFile(content)
    const before = this.#before.get(path)
    const isThere = before?.sha256 === sha256 && this.#exists(path)
    this.#now.set(path, { sha256, key: key ?? sha256 })
    if (isThere) return
    this.#note(path, before)
    try {
      this.#put(path, content)
    } catch (error) {
      // What was a file may be a folder now, or the other way round.
      if (!this.#makeWay(path)) throw error
      this.#put(path, content)
    }
    this.#writtenCount += 1
  }

  copy(path: string, file: string): void {
    this.write(path, undefined, readFileSync(file))
  }

  /** Paths that the build before wrote. */
  earlier(): readonly string[] {
    return [...this.#before.keys()]
  }

  /** Opens a file that may be too large to be held in memory; it is there once it is closed. */
  openParts(path: string, key: string): PartsFile {
    const before = this.#before.get(path)
    this.#note(path, before)
    const unfinished = `${path}.unfinished`
    this.#note(unfinished, undefined)
    return new PartsFile(join(this.#root, unfinished), (sha256) => {
      renameSync(join(this.#root, unfinished), join(this.#root, path))
      this.#now.set(path, { sha256, key })
      if (before?.sha256 !== sha256) this.#writtenCount += 1
    })
  }

  has(path: string): boolean {
    return this.#now.has(path)
  }

  /** What an output holds. */
  readBytes(path: string): Uint8Array {
    return readFileSync(join(this.#root, path))
  }

  /** Path → hash of everything that was written, sorted. */
  manifest(): Readonly<Record<string, string>> {
    const paths = [...this.#now.keys()].toSorted()
    return Object.fromEntries(paths.map((path) => [path, this.#now.get(path)?.sha256 ?? '']))
  }

  /** Removes what only the build before wrote, and records what this one did. */
  finish(): { readonly removed: number } {
    const stale = [...this.#before.keys()].filter((path) => !this.#now.has(path))
    if (stale.length > 0 && this.#journal === undefined) this.#openJournal()
    for (const path of stale) this.#remove(path)
    if (this.#journal === undefined && this.#isRecorded()) return { removed: 0 }
    const paths = [...this.#now.keys()].toSorted()
    const outputs = Object.fromEntries(paths.map((path) => [path, this.#now.get(path)]))
    this.#makeFolder(this.#root)
    writeFileSync(join(this.#root, BUILD_RECORD), JSON.stringify({ outputs }))
    if (this.#journal !== undefined) closeSync(this.#journal)
    rmSync(join(this.#root, BUILD_JOURNAL), { force: true })
    return { removed: stale.length }
  }

  /** Writes down that a file is about to change. */
  #note(path: string, before: Written | undefined): void {
    if (this.#journal === undefined) this.#openJournal()
    if (before === undefined && this.#journal !== undefined) writeSync(this.#journal, `${path}\n`)
  }

  #put(path: string, content: string | Uint8Array): void {
    const file = join(this.#root, path)
    this.#makeFolder(dirname(file))
    writeFileSync(file, content)
  }

  /** Removes what an earlier build wrote at a folder of the path, or below it. */
  #makeWay(path: string): boolean {
    const inTheWay = [...this.#before.keys()].filter(
      (old) => !this.#now.has(old) && (path.startsWith(`${old}/`) || old.startsWith(`${path}/`)),
    )
    for (const old of inTheWay) this.#remove(old)
    this.#folders.clear()
    return inTheWay.length > 0
  }

  /** Removes a file, and the folders that are empty without it. */
  #remove(path: string): void {
    try {
      rmSync(join(this.#root, path), { force: true })
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
        rmdirSync(join(this.#root, path.slice(0, end)))
      }
    } catch {
      // The folder holds something else, or somebody has put a folder where our file was.
    }
  }

  #openJournal(): void {
    this.#makeFolder(this.#root)
    this.#journal = openSync(join(this.#root, BUILD_JOURNAL), 'a')
  }

  /** True when the record says what this build would say. */
  #isRecorded(): boolean {
    return (
      this.#before.size === this.#now.size &&
      [...this.#now].every(([path, { key }]) => this.#before.get(path)?.key === key)
    )
  }

  #exists(path: string): boolean {
    return statSync(join(this.#root, path), { throwIfNoEntry: false })?.isFile() ?? false
  }

  #makeFolder(folder: string): void {
    if (this.#folders.has(folder)) return
    const parent = dirname(folder)
    // Below a folder that is there, the short way is the fast one.
    if (this.#folders.has(parent)) makeOne(folder)
    else mkdirSync(folder, { recursive: true })
    this.#folders.add(parent)
    this.#folders.add(folder)
  }
}

const PART_SIZE = 1_000_000

/** A file that is written piece by piece, in fewer and larger writes. */
export class PartsFile {
  readonly #descriptor: number
  readonly #hash = createHash('sha256')
  readonly #finish: (sha256: string) => void
  #parts: Uint8Array[] = []
  #size = 0

  constructor(file: string, finish: (sha256: string) => void) {
    this.#descriptor = openSync(file, 'w')
    this.#finish = finish
  }

  add(part: string | Uint8Array): void {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    this.#parts.push(bytes)
    this.#size += bytes.length
    if (this.#size >= PART_SIZE) this.#flush()
  }

  close(): void {
    this.#flush()
    closeSync(this.#descriptor)
    this.#finish(this.#hash.digest('hex'))
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#parts)
    this.#hash.update(bytes)
    writeSync(this.#descriptor, bytes)
    this.#parts = []
    this.#size = 0
  }
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** What the build before wrote; after one that was cut off, only where. */
function readRecord(root: string): ReadonlyMap<string, Written> {
  const recorded = parseRecord(readIfThere(join(root, BUILD_RECORD)))
  const journal = readIfThere(join(root, BUILD_JOURNAL))
  if (journal === undefined) return recorded
  const paths = [...recorded.keys(), ...journal.split('\n').slice(0, -1).filter(isInside)]
  return new Map(paths.map((path) => [path, UNSURE]))
}

/** A record that cannot be read is as good as none. Anybody can have written it. */
function parseRecord(text: string | undefined): ReadonlyMap<string, Written> {
  try {
    const record = JSON.parse(text ?? '') as BuildRecord
    return new Map(Object.entries(record.outputs).filter(([path]) => isInside(path)))
  } catch {
    return new Map()
  }
}

function isInside(path: string): boolean {
  return !isAbsolute(path) && !path.split(/[/\\]/).includes('..')
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
