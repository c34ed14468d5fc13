import { isTypoOf } from '@octavo/model'

/** Indexes files by folder and by name: a site may have thousands of files and of missing files. */
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

  /** Returns files in the same folder or with the same name, which a typo may have meant. */
  near(path: string): readonly string[] {
    const folder = this.#byFolder.get(path.slice(0, nameStart(path))) ?? []
    // Also with another extension: `logo.png` for `logo.svg`.
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
