import { expect, test } from 'vitest'
import { JoinedSearch } from './joined-search.ts'
import type { RankedSection } from './rank-sections.ts'
import type { FoundPages, SearchHit } from './search-engine.ts'

/** Returns an index that always finds the same pages, given the scores of their sections. */
function engineWith(name: string, pages: readonly (readonly number[])[]) {
  const found = pages.map((scores) =>
    scores.map((score, section): RankedSection => ({ section, score })),
  )
  const page = { url: name, title: name, crumbs: [], sections: [] }
  return {
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

test('pages of all indexes are sorted by score and loaded from their own index', async () => {
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

test('a joined search returns no more sections than the limit', async () => {
  const { pages } = await search.find('query', 3)
  expect(pages.flat().map(({ score }) => score)).toEqual([9, 8, 7])
})
