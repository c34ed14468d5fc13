import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pagePathOfUrl, pageUrl, parsePagePath } from './page-path.ts'

/** Any valid page path: normalized text, as an author might write it. */
const pagePath = fc
  .array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 4 })
  .map((segments) => parsePagePath(segments.join('/')))
  .filter((parsed) => parsed.kind === 'path')
  .map(({ path }) => path)

test('the address of a page resolves to the same page', () => {
  fc.assert(
    fc.property(pagePath, (path) => {
      expect(pagePathOfUrl(pageUrl(path))).toBe(path)
    }),
  )
})

test('a leading or trailing space in a page path is part of the file name', () => {
  for (const path of [' !', 'guides/start ']) expect(pagePathOfUrl(pageUrl(path))).toBe(path)
})

test('two pages never have the same address', () => {
  fc.assert(
    fc.property(pagePath, pagePath, (a, b) => {
      expect(pageUrl(a) === pageUrl(b)).toBe(a === b)
    }),
  )
})

test('URL parsing does not change a page address', () => {
  fc.assert(
    fc.property(pagePath, (path) => {
      expect(new URL(pageUrl(path), 'https://docs.example').pathname).toBe(pageUrl(path))
    }),
  )
})
