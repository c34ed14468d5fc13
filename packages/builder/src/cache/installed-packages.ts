import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export type InstalledPackage = {
  readonly name: string
  readonly version: string
  readonly folder: string
}

type Manifest = {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/**
 * Returns the package in a folder and all its dependencies, by name and version. Like Node, it
 * resolves each dependency from the package that needs it, so nested copies of other versions are
 * found too.
 */
export function installedPackages(folder: string): readonly InstalledPackage[] {
  const found = new Map<string, InstalledPackage>()
  const lookUp = packageFinder()
  const waiting = [realpathSync.native(folder)]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue
    const manifest = JSON.parse(readFileSync(`${next}/package.json`, 'utf8')) as Manifest
    const { name, version, dependencies = {}, optionalDependencies = {} } = manifest
    found.set(next, { name, version, folder: next })
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
      // Optional binaries for other platforms are not installed.
      const path = lookUp(needed, next)
      if (path !== undefined) waiting.push(path)
    }
  }
  return [...found.values()].toSorted((a, b) => compareText(nameAndVersion(a), nameAndVersion(b)))
}

export function nameAndVersion({ name, version }: InstalledPackage): string {
  return `${name}@${version}`
}

type FindPackage = (name: string, from: string) => string | undefined

/**
 * Returns a function that finds packages. It caches lookups, because most packages are in the same
 * folder.
 */
function packageFinder(): FindPackage {
  const known = new Map<string, string | undefined>()
  const find: FindPackage = (name, from) => {
    // `join` is not used here, because it would double the time that this function needs at every
    // start.
    const path = `${from}/node_modules/${name}`
    if (known.has(path)) return known.get(path)
    const exists = statSync(`${path}/package.json`, { throwIfNoEntry: false }) !== undefined
    const above = dirname(from)
    const result = exists
      ? realpathSync.native(path)
      : above === from
        ? undefined
        : find(name, above)
    known.set(path, result)
    return result
  }
  return find
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
