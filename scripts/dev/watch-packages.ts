/**
 * Reports saved files in the source folders of all packages. Saves in quick succession are reported
 * together.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type FolderWatch, watchFolder } from '../../packages/builder/src/dev/watch-folder.ts'

/** The time to wait for more files, because editors and Git write several files in a row. */
const SETTLE_MS = 80
/** Matches source files, but not tests and temporary files of editors. */
const SOURCE = /^[^/]+\/src\/(?:.*\/)?[^./][^/]*(?<!\.test)\.(?:ts|tsx|css|sql|json|md|txt)$/

/** Watches the packages. `onSave` gets paths relative to the packages folder. */
export function watchPackages(
  packages: string,
  onSave: (paths: readonly string[]) => unknown,
): Pick<FolderWatch, 'close'> {
  let saved = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const watch = watchFolder({
    root: packages,
    onPaths(paths) {
      watch.follow(sourceFolders(packages))
      const sources = [...paths].filter((path) => SOURCE.test(path))
      if (sources.length === 0) return
      saved = new Set([...saved, ...sources])
      clearTimeout(timer)
      timer = setTimeout(() => {
        onSave([...saved])
        saved = new Set()
      }, SETTLE_MS)
    },
  })
  watch.follow(sourceFolders(packages))
  return {
    close() {
      clearTimeout(timer)
      watch.close()
    },
  }
}

function sourceFolders(packages: string): readonly string[] {
  return namesIn(packages).flatMap((name) => withFoldersBelow(packages, `${name}/src`))
}

function withFoldersBelow(root: string, folder: string): readonly string[] {
  const below = namesIn(join(root, folder))
  return [folder, ...below.flatMap((name) => withFoldersBelow(root, `${folder}/${name}`))]
}

/** Returns the names of a folder's subfolders; an empty list if the folder was removed. */
function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch {
    return []
  }
}
