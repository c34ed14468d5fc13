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
 * Returns the folder of the programs. They are copied for root, because PostgreSQL runs as a user
 * that cannot read root's folders, and if the package lacks its links, since it may belong to
 * another user.
 */
export function preparePackage(folder: string, copy: string): string {
  const isRoot = process.getuid?.() === 0
  const isLinked = readLinks(folder).every(({ at }) => pageExists(join(folder, at)))
  if (!isRoot && isLinked) return join(folder, 'native/bin')
  // An existing copy may have another version.
  const target = join(copy, 'native')
  rmSync(target, { recursive: true, force: true })
  cpSync(join(folder, 'native'), target, { recursive: true, verbatimSymlinks: true })
  completePackage(copy)
  return join(copy, 'native/bin')
}

/** Does the work of the package's install script, which is never run. */
export function completePackage(folder: string): void {
  for (const { at, to } of readLinks(folder))
    if (!pageExists(join(folder, at))) symlinkSync(relative(dirname(at), to), join(folder, at))
  for (const program of PROGRAMS) chmodSync(join(folder, 'native/bin', program), 0o755)
}

type Link = { readonly at: string; readonly to: string }

/** Reads the links of the package. Both ends have to be inside `native`. */
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
      throw new Error(`The package of PostgreSQL has a link to another folder: ${at}.`)
  return links
}

/** Returns true even for a dangling link. */
function pageExists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
