/**
 * Determines which files of the site were added, removed or changed, based on the paths that a
 * watcher reported.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type FolderTree, IGNORE_FILES, isNeverContent, readFolder } from '../source/read-folder.ts'

export type ChangedFiles = {
  readonly tree: FolderTree
  readonly files: ReadonlySet<string>
  /** True if files were added or removed, or if the diagnostics of ignore files changed. */
  readonly isOther: boolean
}

export function findChangedFiles(
  root: string,
  before: FolderTree,
  paths: Iterable<string>,
): ChangedFiles {
  const known = new Set(before.files)
  const files = new Set<string>()
  /** Folders in which any file may have changed. */
  const folders: string[] = []
  let isListed = true
  for (const path of paths) {
    const isRule = IGNORE_FILES.includes(path)
    if (!isRule && path.split('/').some(isNeverContent)) continue
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    if (stat?.isFile() && known.has(path)) files.add(path)
    else if (isRule || stat?.isFile()) isListed = false
    else if (stat?.isDirectory() || before.files.some((file) => isBelow(file, path))) {
      folders.push(path)
      isListed = false
    }
  }
  if (isListed) return { tree: before, files, isOther: false }
  const tree = readFolder(root)
  const now = new Set(tree.files)
  const moved = known.symmetricDifference(now)
  for (const file of moved) files.add(file)
  for (const file of now) if (folders.some((folder) => isBelow(file, folder))) files.add(file)
  return { tree, files, isOther: moved.size > 0 || hasOtherRules(before, tree) }
}

function isBelow(file: string, folder: string): boolean {
  return folder === '' || file === folder || file.startsWith(`${folder}/`)
}

/**
 * Checks whether the problems in ignore files changed, which is possible without added or removed
 * files.
 */
function hasOtherRules(before: FolderTree, now: FolderTree): boolean {
  return JSON.stringify(before.diagnostics) !== JSON.stringify(now.diagnostics)
}
