/**
 * Loads the search index in a browser. A new build may replace the files of the index in the
 * meantime.
 */
import type { SearchRoot, SearchWords } from '@octavo/search'
import { SearchEngine, type SearchResult } from '@octavo/search'
import { siteAddress } from '../page/site-base.ts'

/** Ranking stops at this number of results. */
export const RESULTS_MAX = 48
/**
 * How many results are loaded while the reader types. Loading the text of results that are not
 * visible would be useless.
 */
const FIRST_RESULTS = 4
/** How many results are loaded each time when the reader wants to see more. */
const MORE_RESULTS = 12

/** The first results of a query. */
export type FoundResults = ResultPart & {
  /** The total number of results, in all tabs. */
  readonly count: number
  /** The tabs of the site with their numbers of results; empty if the site has fewer than two. */
  readonly tabs: readonly (readonly [label: string, count: number])[]
}

export type ResultPart = SearchResult & {
  /** Loads the next results; undefined if no results are left. */
  readonly more: (() => Promise<ResultPart>) | undefined
}

export type OpenIndex = {
  readonly root: SearchRoot
  readonly engine: Pick<SearchEngine, 'tabs' | 'tabOf' | 'warm' | 'find' | 'load'>
}

export class SearchSession {
  readonly #url: string
  #opening: Promise<OpenIndex> | undefined

  /** `url` is the URL of one index, or several URLs separated by spaces. */
  constructor(url: string) {
    this.#url = url
  }

  /** Loads the data that the first query needs; returns the interface text of the dialog. */
  open(): Promise<SearchWords> {
    return this.#withRoot(async ({ root, engine }) => {
      await engine.warm()
      return root.words
    })
  }

  /**
   * Runs a query and loads the first results, of one tab if it is named. Returns undefined if a
   * newer query has replaced it.
   */
  ask(query: string, isWanted: () => boolean, tab = ''): Promise<FoundResults | undefined> {
    return this.#withRoot(async ({ engine }) => {
      const { pages, terms } = await engine.find(query, RESULTS_MAX)
      // Pending key events run first, since they may replace this query.
      await new Promise((resolve) => setTimeout(resolve))
      if (!isWanted()) return
      const inTab = (label: string) =>
        label === '' ? pages : pages.filter((page) => engine.tabOf(page) === label)
      const load = async (all: typeof pages, max: number): Promise<ResultPart> => {
        const first = all.filter((_, index) => all.slice(0, index).flat().length < max)
        const rest = all.slice(first.length)
        const more = () => load(rest, MORE_RESULTS)
        const hits = await engine.load(first)
        return { hits, terms, more: rest.length > 0 ? more : undefined }
      }
      return {
        ...(await load(inTab(tab), FIRST_RESULTS)),
        count: pages.flat().length,
        tabs: engine.tabs.map((label) => [label, inTab(label).flat().length] as const),
      }
    })
  }

  /**
   * Runs a function with the opened index. If it fails, the root is loaded again, since a new build
   * may have removed the old files.
   */
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
  // If the reader is offline, the browser's cached copy is better than an error.
  const response = await fetch(url, { cache }).catch(() => fetch(url, { cache: 'force-cache' }))
  if (!response.ok || response.body === null) throw new Error(`${url}: ${response.status}`)
  const text = response.body.pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(text).arrayBuffer())
}
