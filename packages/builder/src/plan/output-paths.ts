/**
 * Keeps track of the output paths of a site. A path is either a file or a folder; a later claim
 * that conflicts with an earlier one fails.
 */
export class OutputPaths {
  readonly #kinds = new Map<string, 'file' | 'folder'>()

  /** Claims a path for a file. Returns false if the path conflicts with an earlier claim. */
  claim(path: string): boolean {
    if (this.#kinds.has(path)) return false
    const folders: string[] = []
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      const kind = this.#kinds.get(folder)
      if (kind === 'file') return false
      // Parents of an existing folder were already checked.
      if (kind === 'folder') break
      folders.push(folder)
    }
    this.#kinds.set(path, 'file')
    for (const folder of folders) this.#kinds.set(folder, 'folder')
    return true
  }
}

/** Returns the folder of a path, or an empty string for a file in the root folder. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
