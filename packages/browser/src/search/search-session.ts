/** Loads the index in a browser. A new build may replace its files in the meantime. */
import type { SearchRoot, SearchWords } from '@octavo/search'
import { SearchEngine, type SearchResult } from '@octavo/search'
import { siteAddress } from '../page/site-base.ts'

/** Maximum results shown. */
const RESULTS_MAX = 12
/** Results loaded while the reader types; texts of hidden results would be loaded in vain. */
const FIRST_RESULTS = 4

export type SearchResults = SearchResult & {
  /** The number of all results. */
  readonly count: number
  /** Loads the remaining results; undefined if no results are left. */
  readonly more: (() => Promise<SearchResult>) | undefined
}

export type OpenIndex = {
  readonly root: SearchRoot
  readonly engine: Pick<SearchEngine, 'warm' | 'find' | 'load'>
}

export class SearchSession {
  readonly #url: string
  #opening: Promise<OpenIndex> | undefined

  /** Takes one index URL, or several separated by spaces. */
  constructor(url: string) {
    this.#url = url
  }

  /** Loads the data that the first query needs and returns the dialog's texts. */
  open(): Promise<SearchWords> {
    return this.#withRoot(async ({ root, engine }) => {
      await engine.warm()
      return root.words
    })
  }

  /** Returns undefined if the query is outdated. */
  ask(query: string, isWanted: () => boolean): Promise<SearchResults | undefined> {
    return this.#withRoot(async ({ engine }) => {
      const { pages, terms } = await engine.find(query, RESULTS_MAX)
      // Lets pending key events run first, which may make this query obsolete.
      await new Promise((resolve) => setTimeout(resolve))
      if (!isWanted()) return
      const first = pages.filter((_, index) => {
        return pages.slice(0, index).flat().length < FIRST_RESULTS
      })
      const rest = pages.slice(first.length)
      const more = async () => ({ hits: await engine.load(rest), terms })
      const hits = await engine.load(first)
      return { hits, terms, count: pages.flat().length, more: rest.length > 0 ? more : undefined }
    })
  }

  /** Retries with a new root, since a new build may have removed the old files. */
  async #withRoot<Result>(use: (index: OpenIndex) => Promise<Result>): Promise<Result> {
    try {
      return await use(await this.#open('default'))
    } catch {
      this.#opening = undefined
      return use(await this.#open('reload'))
    }
  }

  #open(cache: RequestCache) {
    this.#opening ??= this.#load(cache).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #load(cache: RequestCache): Promise<OpenIndex> {
    const open = async (url: string) => {
      const bytes = await loadFile(url, cache)
      const root = JSON.parse(new TextDecoder().decode(bytes)) as SearchRoot
      const load = (file: string) => loadFile(siteAddress(`${root.folder}/${file}.bin`), 'default')
      return { root, engine: new SearchEngine(root, load) }
    }
    if (!this.#url.includes(' ')) return open(this.#url)
    const { openJoined } = await import('./open-joined.ts')
    return openJoined(this.#url, open)
  }
}

async function loadFile(url: string, cache: RequestCache): Promise<Uint8Array> {
  // Offline, the browser's cached copy is better than an error.
  const response = await fetch(url, { cache }).catch(() => fetch(url, { cache: 'force-cache' }))
  if (!response.ok || response.body === null) throw new Error(`${url}: ${response.status}`)
  const text = response.body.pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(text).arrayBuffer())
}
