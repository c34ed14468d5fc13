/** Which files a site has. A path is one file or a folder: what comes second to it has no place. */
export class OutputPaths {
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()

  /** True when the path was free. */
  claim(path: string): boolean {
    if (this.#files.has(path) || this.#folders.has(path)) return false
    const folders = foldersOf(path)
    if (folders.some((folder) => this.#files.has(folder))) return false
    this.#files.add(path)
    for (const folder of folders) this.#folders.add(folder)
    return true
  }
}

function foldersOf(path: string): readonly string[] {
  const folders: string[] = []
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    folders.push(path.slice(0, end))
  }
  return folders
}
