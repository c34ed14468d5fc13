/**
 * Builds the islands of a whole site: one module for each author file, and two of our own scripts.
 */
import type { Diagnostic } from '@octavo/model'
import type { IslandCode } from '../compile/find-islands.ts'
import { ISLAND_LOADER_URL } from '../compile/island-address.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { HashedTree } from '../source/hashed-tree.ts'

export type BuiltIslands = {
  /** A hash of everything on which the files depend. */
  readonly key: string
  /** Files with `isOwn` are our own scripts and contain no page content. */
  readonly files: readonly {
    readonly path: string
    readonly code: string
    readonly isOwn: boolean
  }[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Caches results by key, for this build and later ones. */
type Cache = {
  readonly data: <Value>(key: string, make: () => Promise<Value>) => Promise<Value>
}

type IslandsInput = {
  readonly files: readonly string[]
  /** Code in the pages themselves, in addition to the components in files. */
  readonly code: readonly IslandCode[]
  readonly tree: HashedTree
  readonly version: string
  readonly cache: Cache
}

/**
 * Builds the islands, or returns the cached result for the same files. Both results include
 * diagnostics.
 */
export async function buildIslands(input: IslandsInput): Promise<BuiltIslands> {
  const { files, code, tree, version, cache } = input
  if (files.length === 0) return { key: '', files: [], diagnostics: [] }
  // A module may import any script of the site, so the key covers all scripts.
  const scripts = tree.files.filter((file) => /\.[jt]sx?$/.test(file))
  const key = hashBytes(
    'islands',
    version,
    ...[...files, ...scripts].flatMap((file) => [file, tree.hashOf(file)]),
    JSON.stringify(code),
  )
  const built = await cache.data(key, () => compile(input))
  return { ...built, key }
}

async function compile({ files, code, tree }: IslandsInput): Promise<Omit<BuiltIslands, 'key'>> {
  // The compiler is loaded on demand, since few builds need it.
  const { islandAssets } = await import('./island-assets.ts')
  const { compileIslands } = await import('./compile-islands.ts')
  const { runtime, loader } = await islandAssets()
  const { modules, diagnostics } = await compileIslands({ read: tree.read, files, code, runtime })
  const own = [
    { path: ISLAND_LOADER_URL, code: loader.code },
    { path: runtime.path, code: runtime.code },
  ]
  return {
    files: [
      ...own.map(({ path, code }) => ({ path: path.slice(1), code, isOwn: true })),
      ...modules.map(({ path, code }) => ({ path: path.slice(1), code, isOwn: false })),
    ],
    diagnostics,
  }
}
