import { expect, test } from 'vitest'
import { JoinedSearch } from './joined-search.ts'
import type { RankedSection } from './rank-sections.ts'
import type { FoundPages, SearchHit } from './search-engine.ts'

/** An index that always finds the same pages, of so many sections, each with a score. */
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

test('the best pages of all indexes come first, and each is loaded from its own', async () => {
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

test('there are no more sections than are wanted', async () => {
  const { pages } = await search.find('query', 3)
  expect(pages.flat().map(({ score }) => score)).toEqual([9, 8, 7])
})
