import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A change of the configuration or of Octavo starts a new cache; reverting it reuses the old one.
 */
const CACHES_MAX = 3
const INDEX = /^pages-[\da-f]{16}\.json$/
const PACK = /^pages-[\da-f]{16}\.pack$/

const SEARCH = /^search-\w{1,16}\.(?:json|bin)$/

/** Keeps the most recently used caches and removes the others. */
export function removeOldCaches(folder: string): void {
  const names = readdirSync(folder)
  const search = newestFirst(
    folder,
    names.filter((name) => SEARCH.test(name)),
  )
  // Each search cache has two files.
  for (const name of search.slice(2 * CACHES_MAX)) rmSync(join(folder, name), { force: true })
  const indexes = newestFirst(
    folder,
    names.filter((name) => INDEX.test(name)),
  )
  const kept = indexes.slice(0, CACHES_MAX)
  const old = indexes.slice(CACHES_MAX)
  if (old.length === 0) return
  const used = new Set(kept.map((name) => packOf(join(folder, name))))
  const packs = old.map((name) => packOf(join(folder, name))).filter((name) => !used.has(name))
  for (const name of [...old, ...packs]) {
    if (name !== '') rmSync(join(folder, name), { force: true })
  }
}

function newestFirst(folder: string, names: readonly string[]): readonly string[] {
  return names
    .map((name) => ({ name, time: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.time - a.time || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
}

/** Returns only names of packs: the index is a file that others may have changed. */
function packOf(index: string): string {
  const name = /"pack":"([^"]*)"/.exec(readFileSync(index, 'latin1').slice(0, 200))?.[1] ?? ''
  return PACK.test(name) ? name : ''
}
