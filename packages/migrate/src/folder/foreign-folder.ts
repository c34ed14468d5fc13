/** Reads the folder of another tool. No file outside of it is ever read. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { MIGRATE_LIMITS } from '../site/migrate-limits.ts'

export type ForeignFolder = {
  /** Sorted paths relative to the root, with `/`. */
  readonly files: readonly string[]
  /** Files that were not read, with the reason. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[]
  readonly has: (path: string) => boolean
  /** Returns the text of a file; undefined if it is not in the folder or too large. */
  readonly read: (path: string) => string | undefined
  readonly readBytes: (path: string) => Uint8Array | undefined
}

/** Folders that no tool shows to readers. */
const NEVER: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.octavo',
  '.venv',
  '__pycache__',
])

/** Lists a folder. `omit` is the path of the new site, which may be inside the folder. */
export function readForeignFolder(root: string, omit: string | undefined): ForeignFolder {
  const real = realpathSync(root)
  const files = new Map<string, string>()
  const skipped: { file: string; reason: string }[] = []
  const skip = (file: string, reason: string) => skipped.push({ file, reason })

  const walk = (folder: string, depth: number): void => {
    if (depth > MIGRATE_LIMITS.folderDepthMax) {
      skip(folder, 'it is nested too deeply')
      return
    }
    for (const entry of readdirSync(join(real, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const place = join(real, path)
      if (NEVER.has(entry.name) || place === omit) continue
      if (entry.isDirectory()) walk(path, depth + 1)
      else if (files.size >= MIGRATE_LIMITS.filesMax) {
        skip(path, 'the folder has too many files')
        return
      } else if (entry.isFile()) files.set(path, place)
      else if (entry.isSymbolicLink()) {
        const target = insideTarget(real, place)
        if (target === undefined)
          skip(path, 'it is a symbolic link that does not lead to a file in this folder')
        else files.set(path, target)
      }
    }
  }
  walk('', 0)

  const readBytes = (path: string) => {
    const place = files.get(path)
    if (place === undefined) return undefined
    const stat = statSync(place, { throwIfNoEntry: false })
    const isFine = stat?.isFile() === true && stat.size <= MIGRATE_LIMITS.fileSizeMax
    return isFine ? readFileSync(place) : undefined
  }
  return {
    files: [...files.keys()].sort(),
    skipped,
    has: (path) => files.has(path),
    readBytes,
    read: (path) => {
      const bytes = readBytes(path)
      return bytes && new TextDecoder().decode(bytes).replaceAll(/\r\n?/g, '\n')
    },
  }
}

/** Returns where a link leads, if that is a file inside the folder. */
function insideTarget(root: string, place: string): string | undefined {
  try {
    const target = realpathSync(place)
    return target.startsWith(`${root}${sep}`) && statSync(target).isFile() ? target : undefined
  } catch {
    return undefined
  }
}
