/**
 * Writes the files of a migrated site, and remembers what it wrote. A later run replaces only files
 * without later edits, and says what changed.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** The folder with the report and the state of the last run. Octavo does not publish it. */
export const RECORD_FOLDER = '.migration'
const STATE = `${RECORD_FOLDER}/files.json`

export type WrittenChanges = {
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly removed: readonly string[]
  /** Files that someone edited after the last run, and that the old site did not change. */
  readonly kept: readonly string[]
  /** Files that both sides changed. The new version is in the record folder. */
  readonly conflicts: readonly string[]
  readonly unchanged: number
  /** True if the state of the last run cannot be read, so that nothing can be replaced safely. */
  readonly isStateDamaged: boolean
}

type State = Readonly<Record<string, string>>

/** Returns true if a migration may write to the folder: it is empty, or it has an earlier one. */
export function isMigrationFolder(root: string): boolean {
  if (!existsSync(root)) return true
  return existsSync(join(root, STATE)) || readdirSync(root).length === 0
}

export function writeMigration(
  root: string,
  files: ReadonlyMap<string, Uint8Array>,
  isDryRun: boolean,
): WrittenChanges {
  const disk = new Disk(root, isDryRun)
  const state = disk.readState()
  const before = state ?? {}
  const changes = { created: [], updated: [], removed: [], kept: [], conflicts: [] } as Record<
    'created' | 'updated' | 'removed' | 'kept' | 'conflicts',
    string[]
  >
  let unchanged = 0
  const after: Record<string, string> = {}
  for (const [path, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [wanted, found, known] = [hashOf(bytes), disk.hash(path), before[path]]
    after[path] = wanted
    if (found === wanted) unchanged += 1
    else if (found === undefined && known === undefined) {
      changes.created.push(path)
      disk.write(path, bytes)
    } else if (found !== undefined && found === known) {
      changes.updated.push(path)
      disk.write(path, bytes)
    } else if (wanted === known) changes.kept.push(path)
    else {
      changes.conflicts.push(path)
      disk.write(`${RECORD_FOLDER}/new/${path}`, bytes)
    }
  }
  for (const [path, known] of Object.entries(before)) {
    if (files.has(path) || disk.hash(path) === undefined) continue
    if (disk.hash(path) === known && disk.remove(path)) changes.removed.push(path)
    else changes.kept.push(path)
  }
  disk.write(STATE, new TextEncoder().encode(`${JSON.stringify(after, null, 1)}\n`))
  return { ...changes, unchanged, isStateDamaged: state === undefined }
}

/** Writes a text into the record folder. */
export function writeRecord(root: string, name: string, text: string): void {
  new Disk(root, false).write(`${RECORD_FOLDER}/${name}`, new TextEncoder().encode(text))
}

class Disk {
  readonly #root: string
  readonly #isDryRun: boolean

  constructor(root: string, isDryRun: boolean) {
    this.#isDryRun = isDryRun
    if (!isDryRun) mkdirSync(root, { recursive: true })
    this.#root = existsSync(root) ? realpathSync(root) : root
  }

  /** Returns undefined if the state is damaged. */
  readState(): State | undefined {
    const bytes = this.#read(STATE)
    if (bytes === undefined) return {}
    try {
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
      return isState(value) ? value : undefined
    } catch {
      return undefined
    }
  }

  hash(path: string): string | undefined {
    const bytes = this.#read(path)
    return bytes && hashOf(bytes)
  }

  write(path: string, bytes: Uint8Array): void {
    if (this.#isDryRun) return
    const place = join(this.#root, path)
    this.#checkInside(place)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, bytes)
  }

  /** Returns false for a path outside of the folder: the state may come with a repository. */
  remove(path: string): boolean {
    const place = join(this.#root, path)
    if (!this.#isInside(place)) return false
    if (!this.#isDryRun) rmSync(place)
    return true
  }

  #read(path: string): Uint8Array | undefined {
    const place = join(this.#root, path)
    if (lstatSync(place, { throwIfNoEntry: false })?.isFile() !== true) return undefined
    return readFileSync(place)
  }

  /** Refuses a path or a symbolic link that leads out of the folder. */
  #checkInside(place: string): void {
    if (!this.#isInside(place)) throw new Error(`${place} is not a file inside the new site.`)
  }

  #isInside(place: string): boolean {
    let ancestor = dirname(place)
    while (!existsSync(ancestor)) ancestor = dirname(ancestor)
    const folder = realpathSync(ancestor)
    const isInside = folder === this.#root || folder.startsWith(`${this.#root}${sep}`)
    const stat = lstatSync(place, { throwIfNoEntry: false })
    return isInside && (stat === undefined || stat.isFile())
  }
}

function isState(value: unknown): value is State {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && Object.values(value).every((hash) => typeof hash === 'string')
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}
