import { expect, test } from 'vitest'
import { JoinedSearch } from './joined-search.ts'
import type { RankedSection } from './rank-sections.ts'
import type { FoundPages, SearchHit } from './search-engine.ts'

/** Returns a fake index that always finds the same pages, whose sections have the given scores. */
function engineWith(name: string, pages: readonly (readonly number[])[]) {
  const found = pages.map((scores) =>
    scores.map((score, section): RankedSection => ({ section, score })),
  )
  const page = { url: name, title: name, crumbs: [], sections: [] }
  return {
    tabs: [name, 'both'],
    tabOf: ([best]: FoundPages['pages'][number]) => (best && best.score > 6 ? name : 'both'),
    warm: async () => {},
    find: async (): Promise<FoundPages> => ({ pages: found, terms: new Set([name]) }),
    load: async (own: FoundPages['pages']): Promise<readonly SearchHit[]> =>
      own.flat().map(({ section, score }) => ({ page, section, score })),
  }
}

const search = new JoinedSearch([
  engineWith('one', [[9, 8], [3]]),
  engineWith('two', [[7], [5, 4]]),
])

test('pages of several indexes are sorted by score and each is loaded from its own index', async () => {
  const { pages, terms } = await search.find('query', 10)
  const hits = await search.load(pages)
  expect(hits.map(({ page, score }) => `${page.url} ${score}`)).toEqual([
    'one 9',
    'one 8',
    'two 7',
    'two 5',
    'two 4',
    'one 3',
  ])
  expect([...terms]).toEqual(['one', 'two'])
})

test('a joined search has the tabs of all indexes and finds the tab of a page in its own index', async () => {
  const { pages } = await search.find('query', 10)
  expect(search.tabs).toEqual(['one', 'both', 'two'])
  expect(pages.map((page) => search.tabOf(page))).toEqual(['one', 'two', 'both', 'both'])
})

test('a joined search returns no more sections than the limit', async () => {
  const { pages } = await search.find('query', 3)
  expect(pages.flat().map(({ score }) => score)).toEqual([9, 8, 7])
})
