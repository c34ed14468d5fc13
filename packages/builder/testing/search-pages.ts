/** Creates a search index of a few pages in memory. */

import {
  languageWords,
  makeIndex,
  PageFiles,
  type PageSection,
  PageTerms,
  SearchEngine,
  type SearchResult,
  type SearchRoot,
  TermTable,
} from '@octavo/search'
import { interfaceText, searchWords } from '@octavo/theme'
import { indexedPage, searchedPage } from '../src/output/search/indexed-page.ts'
import type { PlannedPage } from '../src/plan/plan-pages.ts'
import { hashBytes } from '../src/source/hash-bytes.ts'

export type TestPage = {
  readonly title: string
  readonly sections: readonly Omit<PageSection, 'id'>[]
  readonly keywords?: readonly string[]
  readonly operation?: { readonly method: string; readonly path: string }
}

export type TestIndex = {
  readonly root: SearchRoot
  /** Returns the results in the form `page number/section`, best first. */
  readonly find: (query: string) => Promise<readonly string[]>
  readonly ask: (query: string) => Promise<SearchResult>
}

export function indexPages(pages: readonly TestPage[], vocabularyMax?: number): TestIndex {
  const table = new TermTable()
  const terms = new PageTerms(table)
  const files = new Map<string, Uint8Array>()
  const put = (content: Uint8Array) => {
    const name = String(files.size)
    files.set(name, content)
    return name
  }
  const searched = pages.map((page, at) => searchedPage(planPage(page, at)))
  const sections = pages.map((page) => page.sections.map((one, at) => ({ id: String(at), ...one })))
  const records = searched.map((page, at) => terms.encode(page, sections[at] ?? []))
  const shown = searched.map((page, at) => indexedPage(page, sections[at] ?? []))
  const runs = [[0, pages.length]] as const
  const pageFiles = new PageFiles({ runs, pageFolders: [] })
  for (const [at, page] of shown.entries())
    files.set(pageFiles.of(at), Buffer.from(JSON.stringify(page)))
  const root = makeIndex({
    hash: (text) => hashBytes(text),
    pages: records,
    terms: table.terms,
    put,
    ...(vocabularyMax === undefined ? {} : { vocabularyMax }),
    about: {
      folder: '',
      runs,
      pageFolders: [],
      boosts: [],
      words: searchWords(interfaceText('en', undefined)),
      language: languageWords('en'),
    },
  })
  const engine = new SearchEngine(root, async (file) => files.get(file) ?? new Uint8Array())
  const ask = (query: string) => engine.search(query)
  const find = async (query: string) =>
    (await ask(query)).hits.map(({ page, section }) => `${page.url}/${section}`)
  return { root, ask, find }
}

function planPage({ title, keywords, operation }: TestPage, at: number): PlannedPage {
  const listing = operation && { ...operation, title, slug: '', tags: [], hidden: false }
  return {
    path: String(at),
    url: String(at),
    title,
    description: undefined,
    frontmatter: { fields: keywords === undefined ? {} : { keywords }, metadata: {} },
    entry: undefined,
    access: 'default',
    file: undefined,
    backing: listing && ({ kind: 'operation', source: '', listing } as PlannedPage['backing']),
  }
}
