/** Finds and prepares PostgreSQL from an npm package. */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize, relative } from 'node:path'
import process from 'node:process'
import type { PinnedPostgres } from './pinned-postgres.ts'

export const PROGRAMS: readonly string[] = ['initdb', 'postgres']

/** Returns the package's folder if this version is installed. */
export function findPackage({ name, version }: PinnedPostgres): string | undefined {
  try {
    const file = createRequire(import.meta.url).resolve(name)
    const folder = join(dirname(file), '..')
    const { version: installed } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return installed === version ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the folder that contains the programs. Copies them if the caller is root, because
 * PostgreSQL then runs as a user that cannot read root's folders. Also copies them if the package
 * lacks its links, which cannot be added if the package's folder belongs to another user.
 */
export function preparePackage(folder: string, copy: string): string {
  const isRoot = process.getuid?.() === 0
  const isLinked = readLinks(folder).every(({ at }) => pathExists(join(folder, at)))
  if (!isRoot && isLinked) return join(folder, 'native/bin')
  // Replace an existing copy, since it may have another version.
  const target = join(copy, 'native')
  rmSync(target, { recursive: true, force: true })
  cpSync(join(folder, 'native'), target, { recursive: true, verbatimSymlinks: true })
  completePackage(copy)
  return join(copy, 'native/bin')
}

/** Creates links and sets permissions like the package's install script, which is never run. */
export function completePackage(folder: string): void {
  for (const { at, to } of readLinks(folder))
    if (!pathExists(join(folder, at))) symlinkSync(relative(dirname(at), to), join(folder, at))
  for (const program of PROGRAMS) chmodSync(join(folder, 'native/bin', program), 0o755)
}

type Link = { readonly at: string; readonly to: string }

/** Reads the list of the package's links. Throws if a link or its target is outside `native`. */
function readLinks(folder: string): readonly Link[] {
  const file = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(file)) return []
  const listed: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  const links = listed.map(({ source, target }) => ({
    at: normalize(target),
    to: normalize(source),
  }))
  for (const { at, to } of links)
    if (!at.startsWith('native/') || !to.startsWith('native/'))
      throw new Error(`The PostgreSQL package contains a link to another folder: ${at}.`)
  return links
}

/** Returns true if the path exists, even if it is a dangling link. */
function pathExists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
