/**
 * Writes a build to a folder. Files whose bytes are unchanged are not rewritten, and obsolete files
 * of an earlier build are removed. Files that no build wrote are never touched.
 */

import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { Access, AccessRange } from '@octavo/model'
import { hashFile } from '../source/hash-bytes.ts'
import { BUILD_JOURNAL, BUILD_RECORD } from '../source/read-folder.ts'
import { PartsFile, WindowedFile } from './parts-file.ts'
import type {
  EarlierParts,
  FinishedOutput,
  KeptFacts,
  OutputEntry,
  OutputFacts,
  PartNote,
  PartsOutput,
  ReadBytes,
  SiteOutput,
} from './site-output.ts'

/** An output in the build record. */
type Recorded = {
  readonly sha256: string
  readonly size: number
  /**
   * A hash of the builder and of everything that determines the content. The same key therefore
   * means the same content.
   */
  readonly key: string
  readonly access: Access
  /** Ranges of the content that only some readers may see. */
  readonly ranges?: readonly AccessRange[]
  readonly notes?: readonly PartNote[]
}

/**
 * Lists all outputs with their hashes, and with the keys by which the next build recognizes them.
 */
type BuildRecord = { readonly outputs: Readonly<Record<string, Recorded>> }

/** Represents a file that Octavo wrote but whose content is unknown. */
const UNKNOWN_FILE: Recorded = { sha256: '', size: 0, key: '', access: [] }

export class OutputFolder implements SiteOutput {
  readonly #root: string
  readonly #before: ReadonlyMap<string, Recorded>
  readonly #now = new Map<string, Recorded>()
  #earlierFiles: EarlierFiles
  readonly #folders = new Set<string>()
  /** Opened at the first change. If a build is interrupted, the next build finds its journal. */
  #journal: number | undefined
  #writtenCount = 0

  constructor(root: string) {
    this.#root = root
    this.#before = readRecord(root)
    this.#earlierFiles = new EarlierFiles(root)
  }

  keep(path: string, { key, access }: KeptFacts): boolean {
    const before = this.#before.get(path)
    if (before?.key !== key || !this.#earlierFiles.has(path)) return false
    // Most files keep their label and their entry, because a site has very many of them.
    this.#now.set(path, before.access === access ? before : { ...before, access })
    return true
  }

  keepNamed(path: string, access: Access): boolean {
    const before = this.#before.get(path)
    if (before === undefined || before === UNKNOWN_FILE) return false
    return this.keep(path, { key: before.key, access })
  }

  /** Keeps all outputs of the previous build, which must still exist. */
  keepAll(): void {
    for (const [path, output] of this.#before) this.#now.set(path, output)
  }

  /** Removes an output from the site. It can be written again. */
  drop(path: string): void {
    this.#now.delete(path)
  }

  /** Writes new content of an output without changing who may read it. */
  replace(path: string, content: string | Uint8Array): void {
    const { access = 'default' } = this.#now.get(path) ?? {}
    this.#now.delete(path)
    this.write(path, content, { access })
  }

  /** Writes a file unless the existing file has the same bytes. */
  write(path: string, content: string | Uint8Array, facts: OutputFacts): void {
    if (this.#now.has(path)) return
    const sha256 = hashFile(content)
    const before = this.#before.get(path)
    const isWritten = before?.sha256 === sha256 && this.#earlierFiles.has(path)
    const { key = sha256, access, ranges } = facts
    const size = Buffer.byteLength(content)
    this.#now.set(path, { sha256, key, size, access, ...(ranges && { ranges }) })
    if (isWritten) return
    this.#note(path, before)
    try {
      this.#put(path, content)
    } catch (error) {
      // There may be a file where a folder is needed, or the other way around.
      if (!this.#removeConflicts(path)) throw error
      this.#put(path, content)
    }
    this.#writtenCount += 1
  }

  copy(path: string, read: ReadBytes, access: Access): void {
    const bytes = read()
    if (bytes !== undefined) this.write(path, bytes, { access })
  }

  openParts(path: string, { key, access }: KeptFacts): PartsOutput {
    const before = this.#before.get(path)
    this.#note(path, before)
    const unfinished = `${path}.unfinished`
    this.#note(unfinished, undefined)
    return new PartsFile(join(this.#root, unfinished), ({ sha256, size, notes }) => {
      renameSync(join(this.#root, unfinished), join(this.#root, path))
      this.#now.set(path, { sha256, key, size, access, ...(notes && { notes }) })
      if (before?.sha256 !== sha256) this.#writtenCount += 1
    })
  }

  openEarlier(path: string): EarlierParts | undefined {
    const notes = this.#before.get(path)?.notes
    if (!Array.isArray(notes) || !this.#earlierFiles.has(path)) return undefined
    const file = new WindowedFile(join(this.#root, path))
    return { notes, read: (offset, size) => file.read(offset, size), close: () => file.close() }
  }

  label(path: string, access: Access): void {
    const written = this.#now.get(path)
    if (written !== undefined) this.#now.set(path, { ...written, access })
  }

  has(path: string): boolean {
    return this.#now.has(path)
  }

  readBytes(path: string): Uint8Array {
    return readFileSync(join(this.#root, path))
  }

  earlier(): readonly string[] {
    return [...this.#before.keys()]
  }

  entries(): readonly OutputEntry[] {
    return this.#sorted().map(([path, { sha256, size, access, ranges }]) => {
      return { path, sha256, size, access, ...(ranges && { ranges }) }
    })
  }

  /** Removes obsolete files and writes the record for the next build. */
  finish(): FinishedOutput {
    const stale = [...this.#before.keys()].filter((path) => !this.#now.has(path))
    if (stale.length > 0 && this.#journal === undefined) this.#openJournal()
    for (const path of stale) this.#remove(path)
    const finished = { count: this.#now.size, writtenCount: this.#writtenCount }
    if (this.#journal === undefined && this.#isRecorded()) return { ...finished, removedCount: 0 }
    const outputs = Object.fromEntries(this.#sorted())
    this.#makeFolder(this.#root)
    writeFileSync(join(this.#root, BUILD_RECORD), JSON.stringify({ outputs }))
    if (this.#journal !== undefined) closeSync(this.#journal)
    rmSync(join(this.#root, BUILD_JOURNAL), { force: true })
    return { ...finished, removedCount: stale.length }
  }

  #sorted(): readonly (readonly [path: string, output: Recorded])[] {
    return [...this.#now].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** Records in the journal that a file is about to change. */
  #note(path: string, before: Recorded | undefined): void {
    if (this.#journal === undefined) this.#openJournal()
    if (before === undefined && this.#journal !== undefined) writeSync(this.#journal, `${path}\n`)
  }

  #put(path: string, content: string | Uint8Array): void {
    const file = join(this.#root, path)
    this.#makeFolder(dirname(file))
    writeFileSync(file, content)
  }

  /** Removes the obsolete outputs of an earlier build that conflict with a path. */
  #removeConflicts(path: string): boolean {
    const conflicts = [...this.#before.keys()].filter(
      (old) => !this.#now.has(old) && (path.startsWith(`${old}/`) || old.startsWith(`${path}/`)),
    )
    for (const old of conflicts) this.#remove(old)
    this.#earlierFiles = new EarlierFiles(this.#root)
    this.#folders.clear()
    return conflicts.length > 0
  }

  /** Removes a file, and its parent folders if they are empty. */
  #remove(path: string): void {
    try {
      rmSync(join(this.#root, path), { force: true })
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
        rmdirSync(join(this.#root, path.slice(0, end)))
      }
    } catch {
      // The folder is not empty, or our file was replaced by a folder.
    }
  }

  #openJournal(): void {
    this.#makeFolder(this.#root)
    this.#journal = openSync(join(this.#root, BUILD_JOURNAL), 'a')
  }

  /** Checks whether the existing record is up to date. */
  #isRecorded(): boolean {
    return (
      this.#before.size === this.#now.size &&
      [...this.#now].every(([path, { key }]) => this.#before.get(path)?.key === key)
    )
  }

  #makeFolder(folder: string): void {
    if (this.#folders.has(folder)) return
    const parent = dirname(folder)
    // If the parent folder exists, this is faster than creating folders recursively.
    if (this.#folders.has(parent)) makeFolderIfMissing(folder)
    else mkdirSync(folder, { recursive: true })
    this.#folders.add(parent)
    this.#folders.add(folder)
  }
}

/**
 * Looks up which files existed before this build changed their folder. A folder is listed once,
 * because looking for each of its files would take much longer.
 */
class EarlierFiles {
  readonly #root: string
  readonly #names = new Map<string, ReadonlySet<string>>()

  constructor(root: string) {
    this.#root = root
  }

  has(path: string): boolean {
    const end = path.lastIndexOf('/') + 1
    const folder = path.slice(0, end)
    let names = this.#names.get(folder)
    if (names === undefined) {
      names = listFiles(`${this.#root}/${folder}`)
      this.#names.set(folder, names)
    }
    return names.has(path.slice(end))
  }
}

function listFiles(folder: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return new Set(entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])))
  } catch {
    return new Set()
  }
}

function makeFolderIfMissing(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Returns the outputs of the previous build. If that build was interrupted, only their paths are
 * known.
 */
function readRecord(root: string): ReadonlyMap<string, Recorded> {
  const recorded = parseRecord(readIfThere(join(root, BUILD_RECORD)))
  const journal = readIfThere(join(root, BUILD_JOURNAL))
  if (journal === undefined) return recorded
  const paths = [...recorded.keys(), ...journal.split('\n').slice(0, -1).filter(isInside)]
  return new Map(paths.map((path) => [path, UNKNOWN_FILE]))
}

/**
 * Parses a build record. An unreadable record is treated as missing. Its paths are checked, because
 * another program could have written it.
 */
function parseRecord(text: string | undefined): ReadonlyMap<string, Recorded> {
  try {
    const record = JSON.parse(text ?? '') as BuildRecord
    const outputs = Object.entries(record.outputs).filter(([path]) => isInside(path))
    return new Map(outputs.map(([path, one]) => [path, one.size >= 0 ? one : UNKNOWN_FILE]))
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
