/** The code of islands: a module for each file of the author's, and the two scripts of ours. */

import type { Diagnostic } from '@octavo/model'
import { ISLAND_LOADER_URL, ISLANDS_FOLDER, islandModuleUrl } from '../compile/island-address.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { SourceTree } from '../source/source-tree.ts'
import type { SiteOutput } from './site-output.ts'

export type IslandFilesInput = {
  readonly files: readonly string[]
  readonly tree: SourceTree
  readonly output: SiteOutput
  readonly version: string
  readonly hashOf: (path: string) => string
}

/** Writes what the pages of a site need to run their islands; gives what is wrong with them. */
export async function writeIslands(input: IslandFilesInput): Promise<readonly Diagnostic[]> {
  const { files, tree, output, version, hashOf } = input
  if (files.length === 0) return []
  // A module may import any script of the site, so all of them count.
  const scripts = tree.files.filter((file) => /\.[jt]sx?$/.test(file))
  const key = hashBytes(version, ...[...files, ...scripts].flatMap((file) => [file, hashOf(file)]))
  const paths = [ISLAND_LOADER_URL, ...files.map(islandModuleUrl)].map(outputPath)
  const isThere = paths.every((path) => output.keep(path, key))
  if (isThere && keepRuntime(output, key)) return []
  // The compiler is loaded by the few builds that need it, not by every command.
  const { islandAssets } = await import('../islands/island-assets.ts')
  const { compileIslands } = await import('../islands/compile-islands.ts')
  const { runtime, loader } = await islandAssets()
  const { modules, diagnostics } = await compileIslands({ read: tree.read, files })
  output.write(outputPath(ISLAND_LOADER_URL), key, loader.code)
  output.write(outputPath(runtime.path), key, runtime.code)
  for (const { path, code } of modules) output.write(outputPath(path), key, code)
  return diagnostics
}

/** The runtime has the hash of its content in its name, which only the build before knows. */
function keepRuntime(output: SiteOutput, key: string): boolean {
  const folder = outputPath(`${ISLANDS_FOLDER}/runtime-`)
  const path = output.earlier().find((one) => one.startsWith(folder))
  return path !== undefined && output.keep(path, key)
}

function outputPath(url: string): string {
  return url.slice(1)
}
