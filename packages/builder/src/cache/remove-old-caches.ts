import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Maximum caches to keep. A change to docs.json or Octavo starts a new cache; if the change is
 * reverted, the old one is used again.
 */
const CACHES_MAX = 3
const INDEX = /^pages-[\da-f]{16}\.json$/
const PACK = /^pages-[\da-f]{16}\.pack$/

const KINDS = [
  { kind: /^search-\w{1,16}\.(?:json|bin)$/, filesPerCache: 2 },
  { kind: /^source-\w{1,16}\.json$/, filesPerCache: 1 },
  // One of each per output folder.
  { kind: /^built-[\da-f]{16}\.json$/, filesPerCache: 1 },
  { kind: /^edits-[\da-f]{16}\.txt$/, filesPerCache: 1 },
]

/** Keeps the most recently used caches and removes the others. */
export function removeOldCaches(folder: string): void {
  const names = readdirSync(folder)
  for (const { kind, filesPerCache } of KINDS) {
    const found = newestFirst(
      folder,
      names.filter((name) => kind.test(name)),
    )
    for (const name of found.slice(CACHES_MAX * filesPerCache))
      rmSync(join(folder, name), { force: true })
  }
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

/**
 * Returns the name of the pack that an index file contains, or an empty string. The index may have
 * been manipulated, so only valid names of packs are accepted.
 */
function packOf(index: string): string {
  const name = /"pack":"([^"]*)"/.exec(readFileSync(index, 'latin1').slice(0, 200))?.[1] ?? ''
  return PACK.test(name) ? name : ''
}
