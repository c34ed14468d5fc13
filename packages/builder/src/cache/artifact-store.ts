/** Defines the stores that keep compiled pages by key: in a file, or in the memory of a server. */
import type { CompiledPage } from '../compile/compile-page.ts'
import type { PageFacts } from '../compile/page-facts.ts'

/** The result of the last compilation of a page file. */
export type PageEntry = {
  /** Hash of the file itself. */
  readonly text: string
  /**
   * The other files that the page includes, with their hashes. A missing file has an empty hash.
   */
  readonly files: readonly (readonly [path: string, hash: string])[]
  /** The key under which the compiled page is stored. */
  readonly artifact: string
}

export type PageEntries = Readonly<Record<string, PageEntry>>

export type ArtifactStore = {
  /** The page entries that the store had when it was opened. */
  readonly entries: PageEntries
  readonly has: (key: string) => boolean
  /**
   * Returns only the facts of a compiled page, or undefined if the record is missing or damaged.
   */
  readonly facts: (key: string) => PageFacts | undefined
  readonly load: (key: string) => CompiledPage | undefined
  readonly put: (key: string, page: CompiledPage) => void
  /** Returns a cached result other than a page, which was stored as JSON. */
  readonly loadData: (key: string) => unknown
  readonly putData: (key: string, data: unknown) => void
  /** Saves the used entries for the next time that the store is opened. */
  readonly finish: (entries: PageEntries, used: ReadonlySet<string>) => void
}
