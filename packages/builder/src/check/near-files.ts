import { isTypoOf } from '@octavo/model'

/** Files of a site by folder and by name: a site may miss thousands of files, and have as many. */
export class NearFiles {
  readonly #all: ReadonlySet<string>
  readonly #byFolder: ReadonlyMap<string, readonly string[]>
  readonly #byName: ReadonlyMap<string, readonly string[]>

  constructor(files: readonly string[]) {
    this.#all = new Set(files)
    this.#byFolder = Map.groupBy(files, (file) => file.slice(0, nameStart(file)))
    this.#byName = Map.groupBy(files, nameOf)
  }

  has(path: string): boolean {
    return this.#all.has(path)
  }

  /** In the same folder or of the same name: what a slip of the pen can have meant. */
  near(path: string): readonly string[] {
    const folder = this.#byFolder.get(path.slice(0, nameStart(path))) ?? []
    // Also of another kind: `logo.png` for `logo.svg`.
    const beside = folder.filter((file) => isTypoOf(stemOf(path), stemOf(file)))
    return [...beside, ...(this.#byName.get(nameOf(path)) ?? [])]
  }
}

function stemOf(path: string): string {
  return nameOf(path).replace(/\.\w+$/, '')
}

function nameStart(path: string): number {
  return path.lastIndexOf('/') + 1
}

function nameOf(path: string): string {
  return path.slice(nameStart(path)).toLowerCase()
}
