import { describe, expect, test } from 'vitest'
import { INDEX_FORMAT, type SearchRoot } from '../format/index-format.ts'
import { SEARCH_WORDS, type SearchWords } from '../format/search-words.ts'
import { makeIndex } from '../writer/make-index.ts'
import { PageTerms } from '../writer/page-terms.ts'
import { TermTable } from '../writer/term-table.ts'
import { SearchEngine } from './search-engine.ts'

/** Builds an index with a single-section page for each title. */
function indexOf(titles: readonly string[]): { root: SearchRoot; files: Map<string, Uint8Array> } {
  const table = new TermTable()
  const terms = new PageTerms(table)
  const files = new Map<string, Uint8Array>()
  const pages = titles.map((title) =>
    terms.encode(
      {
        title,
        description: undefined,
        sidebarTitle: undefined,
        keywords: undefined,
        operation: undefined,
      },
      [{ id: '', heading: '', text: '' }],
    ),
  )
  const words = Object.fromEntries(SEARCH_WORDS.map((name) => [name, name])) as SearchWords
  const root = makeIndex({
    pages,
    terms: table.terms,
    hash: (text) => text,
    put: (content) => {
      files.set(`f${files.size}`, content)
      return `f${files.size - 1}`
    },
    about: {
      folder: '',
      runs: [[0, titles.length]],
      pageFolders: [],
      boosts: [],
      words,
      language: { functionWords: [], endings: [] },
    },
  })
  return { root, files }
}

describe('index files', () => {
  const titles = Array.from({ length: 40 }, (_, at) => `title${at}`)
  const { root, files } = indexOf(titles)
  const page = new TextEncoder().encode('{"url":"/","title":"","crumbs":[],"sections":[]}')

  async function loadsOf(filesMax: number, queries: readonly string[]): Promise<number> {
    let loads = 0
    const load = async (file: string) => {
      loads += 1
      return files.get(file) ?? page
    }
    const engine = new SearchEngine(root, load, { filesMax })
    for (const query of queries) await engine.search(query)
    return loads
  }

  test('an index file is loaded only once while it fits in the cache', async () => {
    expect(root.format).toBe(INDEX_FORMAT)
    const once = await loadsOf(100, ['title7'])
    expect(await loadsOf(100, ['title7', 'title7', 'title7'])).toBe(once)
  })

  test('the least recently used index file is evicted and has to be loaded again', async () => {
    const once = await loadsOf(1, ['title7'])
    expect(await loadsOf(1, ['title7', 'title7'])).toBeGreaterThan(once)
  })
})
