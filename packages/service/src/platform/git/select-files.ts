/**
 * Selects the tree entries that become files. Names come from untrusted authors: names that could
 * escape the folder, have a meaning for Git, or denote another file on another system are skipped
 * with a note.
 */
import { printable } from '@octavo/model'

export type TreeFile = {
  readonly objectId: string
  /** The path relative to the documentation folder. */
  readonly path: string
}

const NAME_BYTES_MAX = 255
const PATH_BYTES_MAX = 1_000
/**
 * The maximum number of bytes to keep of an incomplete entry, which is enough to see that its path
 * is too long.
 */
export const ENTRY_BYTES_MAX = 4_096
const NOTES_MAX = 100
const NOTE_NAME_LENGTH_MAX = 200

/** Selects files from the output of `git ls-tree -r -t -z`. */
export class FileSelection {
  readonly files: TreeFile[] = []
  /** The number of entries, without folders. */
  count = 0
  #folderCount = 0
  readonly notes = new Notes()
  readonly #filesMax: number
  #rest: Buffer = Buffer.alloc(0)
  /** The selected files: lowercase path → original path. */
  readonly #filePaths = new Map<string, string>()
  readonly #folderPaths = new Map<string, string>()

  constructor(filesMax: number) {
    this.#filesMax = filesMax
  }

  /**
   * True if there are too many files or too many folders. Folders are limited too, even empty ones,
   * because a few trees that contain each other can expand to billions of folders.
   */
  get isTooMany(): boolean {
    return Math.max(this.count, this.#folderCount) > this.#filesMax
  }

  /** Reads a chunk of the output. Returns false once there are too many entries. */
  take(bytes: Buffer): boolean {
    const text = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    let start = 0
    for (let end = text.indexOf(0); end >= 0; end = text.indexOf(0, start)) {
      this.#takeEntry(text.subarray(start, end))
      start = end + 1
      if (this.isTooMany) return false
    }
    this.#rest = Buffer.from(text.subarray(start, start + ENTRY_BYTES_MAX))
    return true
  }

  #takeEntry(entry: Buffer): void {
    const tab = entry.indexOf('\t')
    const [mode = '', , objectId = ''] = entry.subarray(0, tab).toString('latin1').split(' ')
    if (mode === '040000') {
      this.#folderCount += 1
      return
    }
    this.count += 1
    const name = entry.subarray(tab + 1)
    const path = name.toString()
    const reason = refuseMode(mode) ?? refusePath(path, name) ?? this.#refuseTwin(path)
    if (reason !== undefined) {
      this.notes.add(path, reason)
      return
    }
    this.files.push({ objectId, path })
    this.#filePaths.set(path.toLowerCase(), path)
    for (const folder of foldersOf(path)) this.#folderPaths.set(folder.toLowerCase(), folder)
  }

  /**
   * Returns a reason to skip a path that differs from an earlier one only in case. Entries are in
   * byte order, so the same path is kept every time.
   */
  #refuseTwin(path: string): string | undefined {
    const lower = path.toLowerCase()
    const sameFile = this.#filePaths.get(lower)
    const sameFolder = this.#folderPaths.get(lower)
    const fileAbove = foldersOf(path)
      .map((folder) => this.#filePaths.get(folder.toLowerCase()))
      .find((file) => file !== undefined)
    const other = sameFile ?? sameFolder ?? fileAbove
    if (other === undefined) return undefined
    return `its name differs from "${shortName(other)}" only in upper and lower case`
  }
}

/** Collects notes for the build log. After the limit is reached, further notes are only counted. */
export class Notes {
  readonly #lines: string[] = []
  #count = 0

  add(path: string, reason: string): void {
    this.addLine(`"${shortName(path)}" was skipped: ${reason}.`)
  }

  addLine(line: string): void {
    this.#count += 1
    if (this.#lines.length < NOTES_MAX) this.#lines.push(line)
  }

  lines(): readonly string[] {
    const more = this.#count - this.#lines.length
    return more === 0 ? this.#lines : [...this.#lines, `${more} more notes.`]
  }
}

function refuseMode(mode: string): string | undefined {
  if (mode === '120000') return 'symbolic links are not followed'
  if (mode === '160000') return 'submodules are not fetched'
  return mode.startsWith('100') ? undefined : `entries of mode ${mode} are not supported`
}

function refusePath(path: string, bytes: Buffer): string | undefined {
  if (path.includes('\ufffd') && !Buffer.from(path).equals(bytes)) return 'its name is not UTF-8'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'its name has control characters'
  if (path.includes('\\')) return 'its name has a backslash'
  if (bytes.length > PATH_BYTES_MAX) return 'its path is too long'
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'its path is not valid'
    // Also rejects other spellings that some file systems treat as `.git`.
    if (
      /^(?:\.git|git~\d)[. ]*$/i.test(
        name.replace(/[\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ''),
      )
    ) {
      return 'its path is reserved for Git'
    }
    if (Buffer.byteLength(name) > NAME_BYTES_MAX) return 'its name is too long'
  }
  return undefined
}

/** Returns the parent folders: `a` and `a/b` for `a/b/c`. */
function foldersOf(path: string): readonly string[] {
  const folders: string[] = []
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    folders.push(path.slice(0, slash))
  }
  return folders
}

export function shortName(path: string): string {
  const text = printable(path)
  const isLong = text.length > NOTE_NAME_LENGTH_MAX
  return isLong ? `${text.slice(0, NOTE_NAME_LENGTH_MAX).toWellFormed()}…` : text
}
