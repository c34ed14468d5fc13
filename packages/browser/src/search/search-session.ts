/** The index as a browser loads it. Files of a new build replace those of the old one in between. */
import type { SearchRoot, SearchWords } from '@octavo/search'
import { type SearchAnswer, SearchEngine } from '@octavo/search'
import { siteAddress } from '../page/site-base.ts'

/** Results that are shown. */
const RESULTS_MAX = 12
/** While a reader types, texts of more results than are seen would be loaded in vain. */
const FIRST_RESULTS = 4

export type SearchReply = SearchAnswer & {
  /** Results in the whole answer. */
  readonly count: number
  /** The rest of the answer; nothing when all of it is there. */
  readonly more: (() => Promise<SearchAnswer>) | undefined
}

export type OpenIndex = {
  readonly root: SearchRoot
  readonly engine: Pick<SearchEngine, 'warm' | 'find' | 'load'>
}

export class SearchSession {
  readonly #url: string
  #opening: Promise<OpenIndex> | undefined

  /** The address of an index, or of several with a space between them. */
  constructor(url: string) {
    this.#url = url
  }

  /** Loads what the first query needs, and gives the words of the dialog. */
  open(): Promise<SearchWords> {
    return this.#withRoot(async ({ root, engine }) => {
      await engine.warm()
      return root.words
    })
  }

  /** Nothing for a question that nobody waits for any more. */
  ask(query: string, isWanted: () => boolean): Promise<SearchReply | undefined> {
    return this.#withRoot(async ({ engine }) => {
      const { pages, terms } = await engine.find(query, RESULTS_MAX)
      // A key that was pressed meanwhile comes first, and may make this answer needless.
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

  /** The site may have been built anew since the root was loaded: then old files are gone. */
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
  // Without a network, what the browser kept is better than nothing.
  const response = await fetch(url, { cache }).catch(() => fetch(url, { cache: 'force-cache' }))
  if (!response.ok || response.body === null) throw new Error(`${url}: ${response.status}`)
  const text = response.body.pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(text).arrayBuffer())
}
