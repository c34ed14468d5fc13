import { describe, expect, test } from 'vitest'
import { pagePathOfUrl, pageUrl, parsePagePath, titleFromPath } from './page-path.ts'

describe('page addresses', () => {
  test.each([
    ['index', '/'],
    ['guides/start', '/guides/start'],
    ['guides/index', '/guides/index'],
    ['v1.2/Über uns', '/v1.2/%C3%9Cber%20uns'],
    ['a%2Fb', '/a%252Fb'],
    ['what?', '/what%3F'],
    ['c#', '/c%23'],
    ['@scope/name', '/@scope/name'],
  ])('the page path %s has the URL %s, which resolves to the same page path', (path, url) => {
    expect(pageUrl(path)).toBe(url)
    expect(pagePathOfUrl(url)).toBe(path)
  })

  test.each(['/index', '/guides/%', 'guides', '', '/a//b%2e', '//'])(
    'no page has the URL %s',
    (url) => {
      expect(pagePathOfUrl(url)).toBeUndefined()
    },
  )
})

describe('written page paths', () => {
  test.each([
    ['/guides/start', 'guides/start'],
    ['./guides//start', 'guides/start'],
    ['guides/../start', 'start'],
    ['guides/start/', 'guides/start'],
    ['guides/start.mdx', 'guides/start'],
    ['v1.0/release.md', 'v1.0/release'],
  ])('the written page path %s resolves to %s', (written, path) => {
    expect(parsePagePath(written)).toMatchObject({ kind: 'path', path })
  })

  test.each([
    ['../secret', 'outside-root'],
    ['a/../../b', 'outside-root'],
    ['https://example.com', 'address'],
    ['', 'empty'],
    ['/', 'empty'],
    ['.mdx', 'empty'],
    ['a\u0000b', 'malformed'],
    ['a\\b', 'malformed'],
    ['\ud800', 'malformed'],
  ])('the page path %j is rejected as %s', (written, kind) => {
    expect(parsePagePath(written).kind).toBe(kind)
  })
})

test('a page without a title is named after its file', () => {
  expect(titleFromPath('guides/getting-started_now')).toBe('Getting started now')
  expect(titleFromPath('guides/---')).toBe('guides/---')
})
