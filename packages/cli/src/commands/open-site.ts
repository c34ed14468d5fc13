import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type LoadResult, loadSite, readFolder, type SourceTree } from '@octavo/builder'
import type { CommandContext } from '../context/command-context.ts'

export type OpenedSite =
  | { readonly kind: 'opened'; readonly tree: SourceTree; readonly result: LoadResult }
  | { readonly kind: 'no-folder'; readonly folder: string }

/** Reads the documentation in a folder given on the command line. */
export function openSite(world: CommandContext, folder: string): OpenedSite {
  const path = resolve(world.cwd, folder)
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder) return { kind: 'no-folder', folder }
  const tree = readFolder(path)
  return { kind: 'opened', tree, result: loadSite(tree) }
}
