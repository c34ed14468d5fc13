import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pagePathOfUrl, pageUrl, parsePagePath } from './page-path.ts'

/** Any page path that can be: what an author writes, normalized. */
const pagePath = fc
  .array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 4 })
  .map((segments) => parsePagePath(segments.join('/')))
  .filter((parsed) => parsed.kind === 'path')
  .map(({ path }) => path)

test('the address of a page leads back to the page', () => {
  fc.assert(
    fc.property(pagePath, (path) => {
      expect(pagePathOfUrl(pageUrl(path))).toBe(path)
    }),
  )
})

test('a space at either end belongs to the name of the file', () => {
  for (const path of [' !', 'guides/start ']) expect(pagePathOfUrl(pageUrl(path))).toBe(path)
})

test('two pages never have one address', () => {
  fc.assert(
    fc.property(pagePath, pagePath, (a, b) => {
      expect(pageUrl(a) === pageUrl(b)).toBe(a === b)
    }),
  )
})

test('an address is what a browser sends: URL changes nothing in it', () => {
  fc.assert(
    fc.property(pagePath, (path) => {
      expect(new URL(pageUrl(path), 'https://docs.example').pathname).toBe(pageUrl(path))
    }),
  )
})
