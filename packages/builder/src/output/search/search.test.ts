/** Checks which results a search returns, and in what order. */
import { describe, expect, test } from 'vitest'
import { indexPages, type TestPage } from '../../../testing/search-pages.ts'

const page = (title: string, text = '', ...more: [heading: string, text: string][]): TestPage => ({
  title,
  sections: [{ heading: '', text }, ...more.map(([heading, text]) => ({ heading, text }))],
})

describe('the order of results', () => {
  test('a match in a title ranks above one in a heading, and this above one in text', async () => {
    const index = indexPages([
      page('Shears', 'Cut with care. Prune when it is dry.'),
      page('Seasons', '', ['Prune in winter', 'Before the buds open.']),
      page('Prune roses', 'All about it.'),
    ])
    expect(await index.find('prune')).toEqual(['2/0', '1/1', '0/0'])
  })

  test('an exact word ranks above longer words, and these rank above similar words', async () => {
    const index = indexPages([
      page('Bloomington', ''),
      page('Blooms', ''),
      page('Bloom', ''),
      page('Broom', ''),
    ])
    expect((await index.find('bloom')).slice(0, 3)).toEqual(['1/0', '2/0', '0/0'])
    expect(await index.find('blomington')).toEqual(['0/0'])
  })

  test('a query that equals a heading ranks that heading first', async () => {
    const index = indexPages([
      page('Water', 'Water plants. Water plants. Water plants.', ['Water plants in summer', '']),
      page('Care', '', ['Water plants', 'In the morning.']),
    ])
    expect((await index.find('water plants'))[0]).toBe('1/1')
  })

  test('a match in the page title improves the rank of all sections of the page', async () => {
    const index = indexPages([
      page('Roses', '', ['Feeding', 'Once a month.']),
      page('Ferns', '', ['Feeding', 'Once a month.']),
    ])
    expect((await index.find('roses feeding'))[0]).toBe('0/1')
  })

  test('search results contain at most three sections of a page', async () => {
    const many = Array.from({ length: 6 }, (): [string, string] => ['Compost', 'Compost.'])
    const index = indexPages([page('Soil', '', ...many), page('Sand', 'Some compost.')])
    expect(await index.find('compost')).toEqual(['0/1', '0/2', '0/3', '1/0'])
  })
})

describe('questions as queries', () => {
  const index = indexPages([
    page('How it works', 'How do I know what it is for? How to use it with you.'),
    page('Installation', 'On any machine.', ['Windows', 'Run the program.'], ['Linux', '']),
    page('File types', '', ['Roses', 'A kind of file.']),
    page('Roses', 'They have thorns.'),
    page('Feeding', 'Once a month. Configuration of the feeder.'),
    page('concurrency_limits', ''),
    page('Core', 'All about the core.'),
    page('Proxies', 'Set CORS_ORIGIN.'),
  ])
  test.each([
    ['how do i install it', '1/0'],
    ['how to configure the feeder', '4/0'],
    ['where are the thorns', '3/0'],
  ])('a question finds the section that contains its content words: %s', async (query, found) => {
    expect((await index.find(query))[0]).toBe(found)
  })

  test('a query with only stop words finds these words', async () => {
    expect(await index.find('how it')).toEqual(['0/0'])
  })

  test('a query that equals a page title ranks the page above sections with that name', async () => {
    expect((await index.find('roses'))[0]).toBe('3/0')
  })

  test('the words of a question can be in several sections of a page', async () => {
    const pages = indexPages([
      page('Setup', 'On any machine.', ['Windows', 'Run it.'], ['Proxy', 'Say where it is.']),
      page('Windows', 'Glass.'),
      page('Proxy', 'A server.'),
    ])
    expect((await pages.find('machine windows proxy'))[0]).toMatch(/^0\//)
  })

  test('an exact word ranks above a prefix match, even if the query has a plural s', async () => {
    expect((await index.find('cors'))[0]).toBe('7/0')
  })

  test('a word in a heading ranks above an identifier in code', async () => {
    const pages = indexPages([page('concurrency_limits', ''), page('Concurrency limits', '')])
    expect((await pages.find('concurrency limits'))[0]).toBe('1/0')
    expect((await pages.find('concurrency_limits'))[0]).toBe('0/0')
  })
})

test('a match in one of several keywords ranks below a match in a title', async () => {
  const index = indexPages([
    { title: 'Tools', sections: [{ heading: '', text: '' }], keywords: ['roses', 'shears'] },
    page('Roses in winter', ''),
  ])
  expect(await index.find('roses')).toEqual(['1/0', '0/0'])
})

describe('incomplete queries', () => {
  const index = indexPages([
    page('Roses', 'Prune in winter.'),
    page('Vitamin C', 'In rose hips.'),
    page('Vitamin D', 'From the sun.'),
  ])

  test('a single letter finds words that begin with it', async () => {
    expect(await index.find('r')).toContain('0/0')
  })

  test('after other words, a single letter matches exactly or is ignored', async () => {
    expect((await index.find('vitamin d'))[0]).toBe('2/0')
    expect(await index.find('roses w')).toEqual(await index.find('roses'))
    expect((await index.find('vitamin su'))[0]).toBe('2/0')
  })
})

describe('the matching of words', () => {
  test.each([
    ['maxTokens', ['maxTokens', 'max_tokens', 'max-tokens', 'max tokens', 'MAXTOKENS', 'tokens']],
    ['max_tokens', ['maxTokens', 'max_tokens', 'maxtokens']],
    ['user.created', ['user.created', 'created', 'user created']],
    ['OAuth2', ['oauth2', 'OAuth2', 'oauth']],
    ['real-time', ['realtime', 'real time', 'real-time']],
    ['APIs', ['api', 'APIs', 'apis']],
    ['Köln café', ['koln', 'Köln', 'CAFE']],
    ['Straße', ['strasse', 'straße']],
    ['queries', ['query', 'queries']],
    ['أحمد', ['احمد']],
    ['知识库检索', ['知识', '检索', '知识库', '库']],
    ['ワークフローを作成', ['ワークフロー', '作成', '成']],
    ['การค้นหาเอกสาร', ['ค้นหา', 'เอกสาร', 'กา']],
    ['데이터베이스를 검색합니다', ['데이터베이스', '검색']],
    ['ﬁnal ＡＢＣ', ['final', 'abc']],
  ])('the text %s is found by each of the queries %j', async (text, queries) => {
    const index = indexPages([page('Zero', text), page('Other', 'nothing of it')])
    for (const query of queries) expect(await index.find(query), query).toEqual(['0/0'])
  })

  test.each(['status', 'redis', 'class'])(
    'the word %s is not treated as a plural',
    async (text) => {
      const index = indexPages([page('Zero', text), page('Other', text.slice(0, -1))])
      expect((await index.find(`${text} `))[0]).toBe('0/0')
    },
  )

  test('a search for an unknown word finds nothing', async () => {
    expect(await indexPages([page('Roses', 'Red ones.')]).find('zzzzzz')).toEqual([])
  })

  test('a search tolerates no typos in short words', async () => {
    expect(await indexPages([page('Cat', '')]).find('cot ')).toEqual([])
  })
})

describe('operations in search', () => {
  const index = indexPages([
    { ...page('List plants', 'limit'), operation: { method: 'GET', path: '/plants' } },
    { ...page('Add a plant', 'potSize'), operation: { method: 'POST', path: '/plants' } },
    { ...page('Remove it', ''), operation: { method: 'DELETE', path: '/gardens/{gardenId}/beds' } },
  ])

  test.each([
    ['POST /plants', '1/0'],
    ['get plants', '0/0'],
    ['/gardens/{gardenId}/beds', '2/0'],
    ['gardenId', '2/0'],
    ['pot_size', '1/0'],
    ['add a plant', '1/0'],
  ])('a search for %s finds the section %s first', async (query, place) => {
    expect((await index.find(query))[0]).toBe(place)
  })
})

test('a page can be found by its `keywords` even if it does not contain the word', async () => {
  const index = indexPages([
    { ...page('Roses', ''), keywords: ['thorny shrub'] },
    page('Ferns', ''),
  ])
  expect(await index.find('thorny')).toEqual(['0/0'])
})

test('if a word is in more sections than are stored, a search still finds the best of them', async () => {
  const text = Array.from({ length: 3_100 }, (): [string, string] => ['Part', 'common words here'])
  const index = indexPages([page('Long', '', ...text), page('Common', 'common')])
  expect((await index.find('common'))[0]).toBe('1/0')
})
