/** Which files a site has. A path is one file or a folder: what comes second to it has no place. */
export class OutputPaths {
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()

  /** True when the path was free. */
  claim(path: string): boolean {
    if (this.#files.has(path) || this.#folders.has(path)) return false
    const folders: string[] = []
    for (const folder of foldersOf(path)) {
      if (this.#files.has(folder)) return false
      // What stands around a folder was looked at when the folder came.
      if (this.#folders.has(folder)) break
      folders.push(folder)
    }
    this.#files.add(path)
    for (const folder of folders) this.#folders.add(folder)
    return true
  }
}

/** From the nearest to the root. */
function* foldersOf(path: string): Generator<string> {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    yield path.slice(0, end)
  }
}
