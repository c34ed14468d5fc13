/**
 * Checks package-lock.json, without a network, so that `npm ci` can start on every platform. npm
 * rejects a lockfile that lacks the binary of another platform, but silently writes such a lockfile
 * if a registry does not have the binary. Prints one line per violation with the package, the
 * missing part and the remedy.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Lockfile = { readonly packages: Readonly<Record<string, LockedPackage>> }

/**
 * The fields of a lockfile entry that are checked. The key of an entry is its folder, or '' for the
 * root.
 */
export type LockedPackage = {
  readonly version?: string
  readonly integrity?: string
  /** True for the link in node_modules to a workspace, whose folder is `resolved`. */
  readonly link?: boolean
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const EXACT_VERSION = /^\d+\.\d+\.\d+[-+.\w]*$/

/** Returns one line per violation, ready to print; empty if the lockfile is complete. */
export function checkLockfile({ packages }: Lockfile): readonly string[] {
  const links = Object.values(packages).filter(({ link }) => link === true)
  const workspaces = new Set(['', ...links.map(({ resolved }) => resolved)])
  return Object.entries(packages).flatMap(([folder, locked]) => {
    const violations = findMissingBinaries(packages, folder)
    if (locked.link === true || workspaces.has(folder) || locked.integrity !== undefined)
      return violations
    const name = printPackage(folder, locked)
    return [...violations, `${name}: has no integrity; remove its entry and run npm install`]
  })
}

function findMissingBinaries(packages: Lockfile['packages'], folder: string): readonly string[] {
  const owner = packages[folder]
  return Object.entries(owner?.optionalDependencies ?? {})
    .filter(([name, range]) => !isLocked(packages, { folder, name, range }))
    .map(
      ([name, range]) =>
        `${printPackage(folder, owner)}: ${name}@${range} is not locked; run npm install, and if ` +
        'that does not add it, pin a version whose optional dependencies the registry has in full',
    )
}

type Wanted = { readonly folder: string; readonly name: string; readonly range: string }

/**
 * Checks whether a package is in the lockfile. It searches like Node: in the node_modules of the
 * folder, then in those of its parents.
 */
function isLocked(packages: Lockfile['packages'], { folder, name, range }: Wanted): boolean {
  const parts = folder.split('/')
  for (let depth = parts.length; depth >= 0; depth--) {
    const found = packages[[...parts.slice(0, depth), 'node_modules', name].join('/')]
    // Binaries are requested with an exact version. Another version belongs to another copy of the
    // tool.
    if (found !== undefined) return !EXACT_VERSION.test(range) || found.version === range
  }
  return false
}

function printPackage(folder: string, locked: LockedPackage | undefined): string {
  const name = folder.split('node_modules/').at(-1) || 'the root'
  return locked?.version === undefined ? name : `${name}@${locked.version}`
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '../package-lock.json')
  const violations = checkLockfile(JSON.parse(readFileSync(path, 'utf8')))
  for (const violation of violations) console.log(violation)
  console.log(violations.length === 0 ? 'complete' : `\n${violations.length} violations`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
