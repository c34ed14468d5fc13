import { describe, expect, test } from 'vitest'
import { INDEX_FORMAT } from './index-format.ts'
import { INDEX_LIMITS } from './index-limits.ts'
import { parseSearchRoot } from './parse-search-root.ts'
import { UnreadableIndex } from './unreadable-index.ts'

const ROOT = {
  format: INDEX_FORMAT,
  folder: '/_octavo/search-data',
  vocabulary: { file: 'all/2aab0c6c', isComplete: true },
  shards: [['a', 'all/4401ae2b']],
  sections: [2, 1],
  runs: [[15, 2]],
  pageFolders: ['5bbb20', '5bbb21'],
  boosts: [[1, 0.5]],
  words: { searchEmpty: '{count} results' },
  tabs: [
    ['Guides', 1],
    ['', 1],
  ],
  language: {
    code: 'en',
    functionWords: ['how'],
    endings: ['ing'],
    synonyms: [['k8s', 'kubernetes']],
    siteName: ['acme'],
  },
}

const parse = (change: object, pagesMax = 2) =>
  parseSearchRoot(JSON.stringify({ ...ROOT, ...change }), { pagesMax })

describe('search index root', () => {
  test('a search index root that a build has written is read unchanged', () => {
    expect(parse({})).toMatchObject({
      folder: ROOT.folder,
      vocabulary: ROOT.vocabulary,
      shards: ROOT.shards,
      runs: ROOT.runs,
      boosts: ROOT.boosts,
      tabs: ROOT.tabs,
      language: ROOT.language,
    })
  })

  test('the search index root of an older build is accepted without a language and tabs', () => {
    expect(parse({ language: undefined }).language).toEqual({ functionWords: [], endings: [] })
    expect(parse({ tabs: undefined }).tabs).toEqual([])
  })

  test('a search index root with more pages than the deployment has files is rejected', () => {
    expect(parse({}, 2).sections).toHaveLength(2)
    expect(() => parse({}, 1)).toThrow(UnreadableIndex)
  })

  test.each([
    ['the most sections', { sections: [INDEX_LIMITS.sectionsMax - 1, 1] }],
    ['the most endings', { language: words('endings', INDEX_LIMITS.endingsMax) }],
    ['the longest word', { shards: [['a'.repeat(INDEX_LIMITS.wordLengthMax), 'x']] }],
    ['a factor of 0', { boosts: [[0, 0]] }],
    ['the most synonyms', { language: synonyms(200, 20) }],
    [
      'two runs in one folder',
      {
        runs: [
          [15, 1],
          [17, 1],
        ],
        pageFolders: ['a', 'b'],
      },
    ],
  ])('a search index root with %s is accepted', (_, change) => {
    expect(parse(change)).toBeDefined()
  })

  test.each<[name: string, change: object]>([
    ['two billion pages', { runs: [[0, 2_000_000_000]] }],
    ['another number of pages in its runs', { runs: [[0, 3]] }],
    ['fractions', { runs: [[0.5, 2]] }],
    ['strings instead of numbers', { runs: [['0', 2]] }],
    [
      'runs that are not in ascending order',
      {
        runs: [
          [5, 1],
          [4, 1],
        ],
      },
    ],
    [
      'an empty run',
      {
        runs: [
          [0, 0],
          [0, 2],
        ],
      },
    ],
    ['more folders than its runs touch', { pageFolders: ['a', 'b', 'c'] }],
    ['a section too many', { sections: [INDEX_LIMITS.sectionsMax, 1] }],
    ['an ending too many', { language: words('endings', INDEX_LIMITS.endingsMax + 1) }],
    ['a function word too many', { language: words('functionWords', 2_001) }],
    ['a group of synonyms too many', { language: synonyms(201, 2) }],
    ['a synonym too many', { language: synonyms(1, 21) }],
    ['a tab of minus one page', { tabs: [['Guides', -1]] }],
    ['a word that is too long', { shards: [['a'.repeat(INDEX_LIMITS.wordLengthMax + 1), 'x']] }],
    ['a negative factor', { boosts: [[0, -1]] }],
    ['a boost of a page that does not exist', { boosts: [[-1, 1]] }],
    ['a path that leads out of its folder', { folder: '/../secret' }],
    ['a file outside of its folder', { vocabulary: { file: '../../x', isComplete: true } }],
    ['no lists', { shards: {} }],
    ['another format', { format: INDEX_FORMAT + 1 }],
    ['a hundred objects', { words: { more: Array.from({ length: 100 }, () => ({})) } }],
  ])('a search index root with %s is rejected', (_, change) => {
    expect(() => parse(change)).toThrow(UnreadableIndex)
  })

  test.each(['', 'null', '[]', '"x"', '{', '[['.repeat(200_000)])(
    'a malformed search index root is rejected: case %#',
    (text) => {
      expect(() => parseSearchRoot(text, { pagesMax: 2 })).toThrow(UnreadableIndex)
    },
  )
})

function synonyms(groups: number, each: number) {
  const group = Array.from({ length: each }, (_, at) => `w${at}`)
  return { functionWords: [], endings: [], synonyms: Array.from({ length: groups }, () => group) }
}

function words(name: string, count: number) {
  const list = Array.from({ length: count }, (_, at) => `w${at}`)
  return { functionWords: [], endings: [], [name]: list }
}
