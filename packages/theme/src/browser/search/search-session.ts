/** The index as a browser loads it. Files of a new build replace those of the old one in between. */
import type { SearchRoot } from '../../search/index-format.ts'
import { type SearchAnswer, SearchEngine } from '../../search/search-engine.ts'
import type { SearchWords } from '../../search/search-words.ts'

/** Results that are shown. */
const RESULTS_MAX = 12

export class SearchSession {
  readonly #url: string
  #opening: Promise<{ readonly root: SearchRoot; readonly engine: SearchEngine }> | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Loads what the first query needs, and gives the words of the dialog. */
  async open(): Promise<SearchWords> {
    const { root, engine } = await this.#open('default')
    await engine.warm()
    return root.words
  }

  async ask(query: string): Promise<SearchAnswer> {
    try {
      return await (await this.#open('default')).engine.search(query, RESULTS_MAX)
    } catch {
      // The site was built anew since the root was loaded, and old files are gone.
      this.#opening = undefined
      return (await this.#open('reload')).engine.search(query, RESULTS_MAX)
    }
  }

  #open(cache: RequestCache) {
    this.#opening ??= this.#load(cache).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #load(cache: RequestCache) {
    const bytes = await loadFile(this.#url, cache)
    const root = JSON.parse(new TextDecoder().decode(bytes)) as SearchRoot
    const load = (file: string) => loadFile(`${root.folder}/${file}.bin`, 'default')
    return { root, engine: new SearchEngine(root, load) }
  }
}

async function loadFile(url: string, cache: RequestCache): Promise<Uint8Array> {
  // Without a network, what the browser kept is better than nothing.
  const response = await fetch(url, { cache }).catch(() => fetch(url, { cache: 'force-cache' }))
  if (!response.ok || response.body === null) throw new Error(`${url}: ${response.status}`)
  const text = response.body.pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(text).arrayBuffer())
}
