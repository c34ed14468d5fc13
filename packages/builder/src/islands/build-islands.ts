/** The code of islands for a whole site: a module for each file of the author's, and two scripts of ours. */
import type { Diagnostic } from '@octavo/model'
import { ISLAND_LOADER_URL } from '../compile/island-address.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { HashedTree } from '../source/hashed-tree.ts'

export type BuiltIslands = {
  /** Covers all that the files are made of. */
  readonly key: string
  /** Those that are our own say nothing of any page. */
  readonly files: readonly {
    readonly path: string
    readonly code: string
    readonly isOwn: boolean
  }[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Keeps a result by its key, for this run and later ones. */
type Cache = {
  readonly data: <Value>(key: string, make: () => Promise<Value>) => Promise<Value>
}

type IslandsInput = {
  readonly files: readonly string[]
  readonly tree: HashedTree
  readonly version: string
  readonly cache: Cache
}

/** Compiled once for the same files; what is wrong with them is told every time. */
export async function buildIslands(input: IslandsInput): Promise<BuiltIslands> {
  const { files, tree, version, cache } = input
  if (files.length === 0) return { key: '', files: [], diagnostics: [] }
  // A module may import any script of the site, so all of them count.
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
  // The compiler is loaded by the few runs that need it, not by every command.
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
