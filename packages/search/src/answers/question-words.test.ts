import { beforeAll, describe, expect, test } from 'vitest'
import { languageWords } from '../words/language-words.ts'
import { SiteWords } from './question-words.ts'
import type { LibrarySection } from './site-library.ts'

const section = (text: string): LibrarySection => ({
  page: { path: 'a', url: '/a', title: 'Roses', description: '', trail: [] },
  id: 'x',
  headings: [],
  text,
})
const words = new SiteWords(
  [section('Prune with GardenTool.'), section('Water daily.'), section('Water.')],
  languageWords('en'),
)
beforeAll(() => words.count())

describe('question words', () => {
  test('a question word is weighted by rarity and matches in any form, and a synonym counts half', () => {
    const question = words.parse('How do I prune?')
    expect(words.share(question, (term) => words.knows(term))).toBe(1)
    expect(words.share(words.parse('pruning'), (term) => words.knows(term))).toBe(1)
    const mixed = words.parse('prune water')
    const share = words.share(mixed, (term) => term === 'prun')
    expect(share).toBeGreaterThan(0.5)
    expect(share).toBeLessThan(1)
    const photo = words.parse('photo')
    expect(words.share(photo, (term) => term === 'pictur')).toBe(0.5)
    expect(words.share(words.parse('how to do it'), () => true)).toBe(0)
  })

  test.each([
    ['Can I connect it to Heroku?', 1],
    ['Heroku is fine, but how do I prune?', 0],
    ['I use GardenTool', 0.5],
    ["May I prune? I'd like to", 0],
  ])(
    'names in a question that the site never or hardly mentions are recognized: %s',
    (question, unknown) => {
      expect(words.parse(question).unknownName).toBe(unknown)
    },
  )
})
