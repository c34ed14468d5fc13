/**
 * Checks from package-lock.json alone that `npm ci` can start on every platform. npm rejects a
 * lockfile that lacks another platform's binary, but silently writes such a lockfile if a registry
 * does not have the binary. Prints one line per offence: package, what is missing, remedy.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Lockfile = { readonly packages: Readonly<Record<string, LockedPackage>> }

/** The fields of a lockfile entry that are checked. Its key is its folder; the root's is ''. */
export type LockedPackage = {
  readonly version?: string
  readonly integrity?: string
  /** Set on the link in node_modules to a workspace, whose folder `resolved` names. */
  readonly link?: boolean
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const EXACT_VERSION = /^\d+\.\d+\.\d+[-+.\w]*$/

/** Returns one line per offence, ready to print; empty if the lockfile is complete. */
export function checkLockfile({ packages }: Lockfile): readonly string[] {
  const links = Object.values(packages).filter(({ link }) => link === true)
  const workspaces = new Set(['', ...links.map(({ resolved }) => resolved)])
  return Object.entries(packages).flatMap(([folder, locked]) => {
    const offences = findMissingBinaries(packages, folder)
    if (locked.link === true || workspaces.has(folder) || locked.integrity !== undefined)
      return offences
    const name = printPackage(folder, locked)
    return [...offences, `${name}: has no integrity; remove its entry and run npm install`]
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

/** Searches like Node: in the folder's own node_modules, then in those of its parents. */
function isLocked(packages: Lockfile['packages'], { folder, name, range }: Wanted): boolean {
  const parts = folder.split('/')
  for (let depth = parts.length; depth >= 0; depth--) {
    const found = packages[[...parts.slice(0, depth), 'node_modules', name].join('/')]
    // Binaries are requested by exact version. Another version belongs to another copy.
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
  const offences = checkLockfile(JSON.parse(readFileSync(path, 'utf8')))
  for (const offence of offences) console.log(offence)
  console.log(offences.length === 0 ? 'complete' : `\n${offences.length} offences`)
  process.exitCode = offences.length === 0 ? 0 : 1
}
