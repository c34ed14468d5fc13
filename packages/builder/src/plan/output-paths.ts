/**
 * The output paths of a site. A path is either a file or a folder; later conflicting claims fail.
 */
export class OutputPaths {
  readonly #kinds = new Map<string, 'file' | 'folder'>()

  /** True if the path was free. */
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

/** Empty for a file in the root folder. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
