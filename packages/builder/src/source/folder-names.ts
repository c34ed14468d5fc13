/**
 * Remembers the names of all files below a folder. A folder with the same stamp has the same names,
 * unless the stamp is recent, so most folders need not be listed again.
 */
import { readdirSync } from 'node:fs'
import { isRecent, stampOfFile } from './file-stamp.ts'
import { hashBytes } from './hash-bytes.ts'

export type FolderNames = {
  readonly stamp: string
  /** A hash of the names of the folder's files and subfolders. */
  readonly names: string
  readonly folders: Readonly<Record<string, FolderNames>>
}

/** Names that were known at a time. */
export type KnownNames = { readonly names: FolderNames | undefined; readonly atMs: number }

/**
 * Returns the names below a folder. Folders that have not changed since their names were known are
 * not listed again. Throws if the folder does not exist.
 */
export function readFolderNames(folder: string, known?: KnownNames): FolderNames {
  const stamp = stampOfFile(folder)
  const before = known?.names
  const isKnown = before !== undefined && isSame(stamp, before, known?.atMs ?? 0)
  const { names, folders } = isKnown
    ? { names: before.names, folders: Object.keys(before.folders) }
    : list(folder)
  const below = folders.map((name) => {
    const inside = known && { names: before?.folders[name], atMs: known.atMs }
    return [name, readFolderNames(`${folder}/${name}`, inside)] as const
  })
  return { stamp, names, folders: Object.fromEntries(below) }
}

/** Checks whether the names below a folder are still those that were known at a time. */
export function hasNames(folder: string, known: FolderNames, knownAtMs: number): boolean {
  const stamp = stampOfFile(folder)
  if (!isSame(stamp, known, knownAtMs) && (stamp === '' || list(folder).names !== known.names))
    return false
  return Object.entries(known.folders).every(([name, below]) =>
    hasNames(`${folder}/${name}`, below, knownAtMs),
  )
}

function isSame(stamp: string, known: FolderNames, knownAtMs: number): boolean {
  return stamp === known.stamp && !isRecent(stamp, knownAtMs)
}

function list(folder: string) {
  const entries = readdirSync(folder, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    isFolder: entry.isDirectory(),
  }))
  const lines = entries.map(({ name, isFolder }) => (isFolder ? `${name}/` : name))
  const folders = entries.flatMap(({ name, isFolder }) => (isFolder ? [name] : []))
  return { names: hashBytes(lines.sort().join('\n')), folders }
}
