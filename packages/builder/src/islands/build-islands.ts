/** Builds the islands of a whole site: one module per author file, and two scripts of ours. */
import type { Diagnostic } from '@octavo/model'
import { ISLAND_LOADER_URL } from '../compile/island-address.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { HashedTree } from '../source/hashed-tree.ts'

export type BuiltIslands = {
  /** A hash of everything that determines the files. */
  readonly key: string
  /** Files with `isOwn` are ours and contain no page content. */
  readonly files: readonly {
    readonly path: string
    readonly code: string
    readonly isOwn: boolean
  }[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Keeps results by key, for this run and later ones. */
type Cache = {
  readonly data: <Value>(key: string, make: () => Promise<Value>) => Promise<Value>
}

type IslandsInput = {
  readonly files: readonly string[]
  readonly tree: HashedTree
  readonly version: string
  readonly cache: Cache
}

/** Compiles once for the same files; diagnostics are returned every time. */
export async function buildIslands(input: IslandsInput): Promise<BuiltIslands> {
  const { files, tree, version, cache } = input
  if (files.length === 0) return { key: '', files: [], diagnostics: [] }
  // A module may import any script of the site, so all scripts are part of the key.
  const scripts = tree.files.filter((file) => /\.[jt]sx?$/.test(file))
  const key = hashBytes(
    'islands',
    version,
    ...[...files, ...scripts].flatMap((file) => [file, tree.hashOf(file)]),
  )
  const built = await cache.data(key, () => compile(files, tree))
  return { ...built, key }
}

async function compile(
  files: readonly string[],
  tree: HashedTree,
): Promise<Omit<BuiltIslands, 'key'>> {
  // Loaded on demand, since few runs need the compiler.
  const { islandAssets } = await import('./island-assets.ts')
  const { compileIslands } = await import('./compile-islands.ts')
  const { runtime, loader } = await islandAssets()
  const { modules, diagnostics } = await compileIslands({ read: tree.read, files, runtime })
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
