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
  language: { code: 'en', functionWords: ['how'], endings: ['ing'] },
}

const parse = (change: object, pagesMax = 2) =>
  parseSearchRoot(JSON.stringify({ ...ROOT, ...change }), { pagesMax })

describe('search index root', () => {
  test('a root written by a build is read unchanged', () => {
    expect(parse({})).toMatchObject({
      folder: ROOT.folder,
      vocabulary: ROOT.vocabulary,
      shards: ROOT.shards,
      runs: ROOT.runs,
      boosts: ROOT.boosts,
      language: ROOT.language,
    })
  })

  test('a root of an older build needs no language', () => {
    expect(parse({ language: undefined }).language).toEqual({ functionWords: [], endings: [] })
  })

  test('a root with more pages than the deployment has files is rejected', () => {
    expect(parse({}, 2).sections).toHaveLength(2)
    expect(() => parse({}, 1)).toThrow(UnreadableIndex)
  })

  test.each([
    ['the most sections', { sections: [INDEX_LIMITS.sectionsMax - 1, 1] }],
    ['the most endings', { language: words('endings', INDEX_LIMITS.endingsMax) }],
    ['the longest word', { shards: [['a'.repeat(INDEX_LIMITS.wordLengthMax), 'x']] }],
    ['a factor of 0', { boosts: [[0, 0]] }],
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
  ])('a root with %s is accepted', (_, change) => {
    expect(parse(change)).toBeDefined()
  })

  test.each<[name: string, change: object]>([
    ['two billion pages', { runs: [[0, 2_000_000_000]] }],
    ['another number of pages in its runs', { runs: [[0, 3]] }],
    ['no whole numbers', { runs: [[0.5, 2]] }],
    ['numbers that are texts', { runs: [['0', 2]] }],
    [
      'runs that go back',
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
    ['a word that is too long', { shards: [['a'.repeat(INDEX_LIMITS.wordLengthMax + 1), 'x']] }],
    ['a negative factor', { boosts: [[0, -1]] }],
    ['a boost of no page', { boosts: [[-1, 1]] }],
    ['a folder outside of its own', { folder: '/../secret' }],
    ['a file outside of its folder', { vocabulary: { file: '../../x', isComplete: true } }],
    ['no lists', { shards: {} }],
    ['another format', { format: INDEX_FORMAT + 1 }],
    ['a hundred objects', { words: { more: Array.from({ length: 100 }, () => ({})) } }],
  ])('a root with %s is rejected', (_, change) => {
    expect(() => parse(change)).toThrow(UnreadableIndex)
  })

  test.each(['', 'null', '[]', '"x"', '{', '[['.repeat(200_000)])(
    '%.5j is rejected as a root',
    (text) => {
      expect(() => parseSearchRoot(text, { pagesMax: 2 })).toThrow(UnreadableIndex)
    },
  )
})

function words(name: string, count: number) {
  const list = Array.from({ length: count }, (_, at) => `w${at}`)
  return { functionWords: [], endings: [], [name]: list }
}
