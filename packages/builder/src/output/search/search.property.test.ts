/** Checks properties of search that must hold for any pages. */
import { eachWord, TermTable } from '@octavo/search'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexPages, type TestPage } from '../../../testing/search-pages.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const word = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...LETTERS), minLength: min, maxLength: max })
const words = fc.array(word(1, 10), { maxLength: 20 }).map((list) => list.join(' '))
const sections = fc.array(fc.record({ heading: words, text: words }), {
  minLength: 1,
  maxLength: 4,
})
const pages = fc.array(fc.record({ title: words, sections }), { minLength: 1, maxLength: 6 })

/** Adds a unique word to a section and returns the place of that section. */
function hide(list: readonly TestPage[], secret: string, place: number): string {
  const at = place % list.length
  const page = list[at]
  const section = place % (page?.sections.length ?? 1)
  const target = page?.sections[section]
  if (target !== undefined)
    Object.assign(target, { text: `${target.text} ${secret} ${target.text}` })
  return `${at}/${section}`
}

/** Adds a typo to a word: removes, inserts or replaces a letter, or swaps two letters. */
function mistype(secret: string, kind: number, place: number): string {
  const at = place % (secret.length - 1)
  const [a = '', b = ''] = secret.slice(at)
  if (kind === 0) return secret.slice(0, at) + secret.slice(at + 1)
  if (kind === 1) return `${secret.slice(0, at)}ж${secret.slice(at)}`
  if (kind === 2) return `${secret.slice(0, at)}ж${secret.slice(at + 1)}`
  return secret.slice(0, at) + b + a + secret.slice(at + 2)
}

describe.each([
  ['with all terms in the vocabulary', undefined],
  ['with few terms in the vocabulary', 3],
])('an index %s', (_, vocabularyMax) => {
  test('every section can be found by a word that only this section contains', async () => {
    await fc.assert(
      fc.asyncProperty(pages, word(11, 14), fc.nat(), async (list, secret, place) => {
        const target = hide(list, secret, place)
        expect(await indexPages(list, vocabularyMax).find(secret)).toContain(target)
      }),
    )
  })

  test('any query returns a list of search results', async () => {
    await fc.assert(
      fc.asyncProperty(
        pages,
        fc.string({ unit: 'binary', maxLength: 300 }),
        async (list, query) => {
          const { hits } = await indexPages(list, vocabularyMax).ask(query)
          expect(Array.isArray(hits)).toBe(true)
        },
      ),
    )
  })
})

test('a search tolerates one typo in a word of at least five letters', async () => {
  const edit = fc.record({ kind: fc.nat({ max: 3 }), at: fc.nat() })
  await fc.assert(
    fc.asyncProperty(
      pages,
      word(11, 14),
      fc.nat(),
      edit,
      async (list, secret, place, { kind, at }) => {
        const target = hide(list, secret, place)
        const found = await indexPages(list).find(mistype(secret, kind, at))
        expect(found).toContain(target)
      },
    ),
  )
  const [page] = [{ title: 'Pages', sections: [{ heading: '', text: 'how to prune a rose' }] }]
  for (const query of ['prun', 'prnue', 'pryne', 'pruune', 'rune']) {
    expect(await indexPages([page]).find(query), query).toEqual(['0/0'])
  }
})

test('words of any script can be found as they are written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), async (text) => {
      const list = [{ title: 'One', sections: [{ heading: '', text }] }]
      const hasWord = /[\p{L}\p{N}]/u.test(text)
      if (hasWord) expect(await indexPages(list).find(text)).toEqual(['0/0'])
    }),
  )
})

test('the fast code for plain text finds the same words as the general code', () => {
  const text = fc.string({ unit: fc.constantFrom(..."abzAZ09_.'- \n/(é—’知") })
  fc.assert(
    fc.property(text, (written) => {
      const fast: string[] = []
      new TermTable().eachWord(written, (word) => fast.push(word.written))
      const slow: string[] = []
      eachWord(written, (word) => slow.push(word))
      expect(fast).toEqual(slow)
    }),
  )
})
