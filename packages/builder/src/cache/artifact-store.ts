/** The interface of stores that keep compiled pages by key: in a file, or in a server's memory. */
import type { CompiledPage } from '../compile/compile-page.ts'
import type { PageFacts } from '../compile/page-facts.ts'

/** The last compilation of a page file. */
export type PageEntry = {
  /** Hash of the file itself. */
  readonly text: string
  /** The other files it includes, with their hashes; a missing file has an empty hash. */
  readonly files: readonly (readonly [path: string, hash: string])[]
  /** Key of the compiled page. */
  readonly artifact: string
}

export type PageEntries = Readonly<Record<string, PageEntry>>

export type ArtifactStore = {
  /** The page entries that existed when this store was opened. */
  readonly entries: PageEntries
  readonly has: (key: string) => boolean
  /** Returns only the facts of a compiled page; undefined if the record is missing or damaged. */
  readonly facts: (key: string) => PageFacts | undefined
  readonly load: (key: string) => CompiledPage | undefined
  readonly put: (key: string, page: CompiledPage) => void
  /** Returns another cached result, stored as JSON. */
  readonly loadData: (key: string) => unknown
  readonly putData: (key: string, data: unknown) => void
  /** Keeps the used entries for the next opening of the store. */
  readonly finish: (entries: PageEntries, used: ReadonlySet<string>) => void
}
