/** Which files a site has. A path is one file or a folder: what comes second to it has no place. */
export class OutputPaths {
  readonly #kinds = new Map<string, 'file' | 'folder'>()

  /** True when the path was free. */
  claim(path: string): boolean {
    if (this.#kinds.has(path)) return false
    const folders: string[] = []
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      const kind = this.#kinds.get(folder)
      if (kind === 'file') return false
      // What stands around a folder was looked at when the folder came.
      if (kind === 'folder') break
      folders.push(folder)
    }
    this.#kinds.set(path, 'file')
    for (const folder of folders) this.#kinds.set(folder, 'folder')
    return true
  }
}

/** Empty for what stands at the root. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
