/** Where compiled pages are kept, by key: a file of a folder, or the memory of a server. */
import type { CompiledPage } from '../compile/compile-page.ts'
import type { PageFacts } from '../compile/page-facts.ts'

/** How the page of a file was compiled last. */
export type PageEntry = {
  /** Hash of the file itself. */
  readonly text: string
  /** The other files it is made of, and their hashes; an empty hash stands for a missing file. */
  readonly files: readonly (readonly [path: string, hash: string])[]
  /** Key of the compiled page. */
  readonly artifact: string
}

export type PageEntries = Readonly<Record<string, PageEntry>>

export type ArtifactStore = {
  /** How page files were compiled before this store was opened. */
  readonly entries: PageEntries
  readonly has: (key: string) => boolean
  /** The facts of a compiled page alone; nothing when it is not there, or damaged. */
  readonly facts: (key: string) => PageFacts | undefined
  readonly load: (key: string) => CompiledPage | undefined
  readonly put: (key: string, page: CompiledPage) => void
  /** Other results that are worth keeping, as JSON. */
  readonly loadData: (key: string) => unknown
  readonly putData: (key: string, data: unknown) => void
  /** Keeps what was used, for whoever opens the store next. */
  readonly finish: (entries: PageEntries, used: ReadonlySet<string>) => void
}
