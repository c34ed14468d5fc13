import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Manifest = { readonly dependencies?: Readonly<Record<string, string>> }

/** Packages that only run in browsers, which are part of the precompiled assets. */
const COMPILED = ['altcha-lib', 'diff', 'mermaid', 'preact']

/**
 * Returns the third-party runtime dependencies of one of our packages, including those of the
 * packages it uses. The versions are exactly those of the lockfile, so that users get what was
 * tested.
 */
export function neededPackages(
  root: string,
  name: string,
  bundled: readonly string[],
): Readonly<Record<string, string>> {
  const found = new Set<string>()
  const seen = new Set<string>()
  const waiting = [name]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    for (const needed of Object.keys(dependenciesOf(root, next))) {
      if (needed.startsWith('@octavo/')) waiting.push(needed.slice('@octavo/'.length))
      else found.add(needed)
    }
  }
  const left = new Set([...COMPILED, ...bundled])
  return Object.fromEntries(
    [...found.difference(left)].toSorted().map((needed) => [needed, lockedVersion(root, needed)]),
  )
}

function dependenciesOf(root: string, name: string): Readonly<Record<string, string>> {
  const text = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')
  return (JSON.parse(text) as Manifest).dependencies ?? {}
}

function lockedVersion(root: string, name: string): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>
  }
  const locked = packages[`node_modules/${name}`]
  if (locked === undefined) throw new Error(`${name} is not in package-lock.json.`)
  return locked.version
}
