/**
 * Title, headings and words of each page, for whoever builds a search index, in files of many pages
 * each. A page adds its document when it is made; the file is written when all of its pages are
 * there, so that few are held at any time.
 */
import type { CompiledPage } from '../compile-page.ts'
import { hashBytes } from '../hash-bytes.ts'
import type { OutputFolder } from '../output-folder.ts'
import type { PlannedPage } from '../plan-pages.ts'
import { OWN_FOLDER } from './own-folder.ts'

/** Pages in one file. */
const SHARD_SIZE = 100

type Document = Pick<CompiledPage, 'headings' | 'text'>

type Shard = {
  readonly path: string
  readonly pages: readonly PlannedPage[]
  readonly documents: Map<string, Document>
}

export type SearchInput = {
  readonly output: OutputFolder
  /** What each page was made of, by its path. */
  readonly keys: ReadonlyMap<string, string>
}

export class SearchDocuments {
  readonly #input: SearchInput
  readonly #open = new Set<Shard>()
  readonly #shardOf = new Map<string, Shard>()

  constructor(input: SearchInput, pages: readonly PlannedPage[]) {
    this.#input = input
    for (let start = 0; start < pages.length; start += SHARD_SIZE) {
      const shard: Shard = {
        path: `${OWN_FOLDER}/search/${start / SHARD_SIZE}.json`,
        pages: pages.slice(start, start + SHARD_SIZE),
        documents: new Map(),
      }
      this.#open.add(shard)
      for (const { path } of shard.pages) this.#shardOf.set(path, shard)
    }
  }

  /** A page that was made in this build. */
  add({ path }: PlannedPage, { headings, text }: CompiledPage): void {
    const shard = this.#shardOf.get(path)
    if (shard === undefined) return
    shard.documents.set(path, { headings, text })
    if (shard.documents.size === shard.pages.length) this.#write(shard)
  }

  /** The rest: files of which not all pages were made, or none. */
  async finish(load: (page: PlannedPage) => Promise<CompiledPage>): Promise<void> {
    for (const shard of this.#open) {
      if (this.#input.output.keep(shard.path, this.#keyOf(shard))) continue
      for (const page of shard.pages) {
        if (shard.documents.has(page.path)) continue
        const { headings, text } = await load(page)
        shard.documents.set(page.path, { headings, text })
      }
      this.#write(shard)
    }
  }

  #write(shard: Shard): void {
    const documents = shard.pages.map(({ path, url, title, description }) => {
      const { headings, text } = shard.documents.get(path) ?? {}
      return { url, title, description, headings, text }
    })
    const text = `${JSON.stringify(documents)}\n`
    this.#input.output.write(shard.path, this.#keyOf(shard), text)
    this.#open.delete(shard)
    shard.documents.clear()
  }

  #keyOf({ pages }: Shard): string {
    return hashBytes(...pages.map(({ path }) => this.#input.keys.get(path) ?? ''))
  }
}
