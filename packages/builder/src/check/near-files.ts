import { isTypoOf } from '@octavo/model'

/**
 * Indexes files by folder and by name, because a site may have thousands of files and thousands of
 * missing ones.
 */
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

  /** Returns files in the same folder or with the same name, for which the path may be a typo. */
  near(path: string): readonly string[] {
    const folder = this.#byFolder.get(path.slice(0, nameStart(path))) ?? []
    // The extension may differ too: `logo.png` for `logo.svg`.
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
