import { describe, expect, test } from 'vitest'
import { EMPTY_PAGE } from '../compile/append-page.ts'
import { MemoryStore } from './memory-store.ts'
import { PageCache } from './page-cache.ts'

const SOURCE = { file: 'a.mdx', hash: 'text of a' }
const PAGE = { ...EMPTY_PAGE, html: '<p>a</p>', files: ['snippets/part.mdx', 'missing.png'] }

/** Opens a cache for files with the given hashes. A missing file has an empty hash. */
function open(hashes: Record<string, string>, store = new MemoryStore(), version = 'v1') {
  return new PageCache(store, version, (path) => hashes[path] ?? '')
}

describe('finding a cached page', () => {
  test('a cached page and its facts are found while its text and snippets are unchanged', () => {
    const cache = open({ 'snippets/part.mdx': 'p' })
    const artifact = cache.store(SOURCE, PAGE)
    expect(cache.find(SOURCE)).toBe(artifact)
    expect(cache.facts(artifact)).toMatchObject({ diagnostics: [], links: [] })
  })
})

describe('stale or unknown pages', () => {
  test.each([
    ['its text has changed', { 'snippets/part.mdx': 'p' }, { ...SOURCE, hash: 'other' }],
    ['one of its snippets has changed', { 'snippets/part.mdx': 'q' }, SOURCE],
    ['one of its snippets was removed', {}, SOURCE],
    ['a missing file was added', { 'snippets/part.mdx': 'p', 'missing.png': 'm' }, SOURCE],
  ])('a cached page is not found when %s', (_, later, source) => {
    const hashes: Record<string, string> = { 'snippets/part.mdx': 'p' }
    const cache = open(hashes)
    cache.store(SOURCE, PAGE)
    for (const path of Object.keys(hashes)) delete hashes[path]
    Object.assign(hashes, later)
    expect(cache.find(source)).toBeUndefined()
  })

  test('a page with the name of an object property is not found in an empty cache', () => {
    expect(open({}).find({ file: 'constructor', hash: '' })).toBeUndefined()
  })
})

describe('cache keys of pages', () => {
  test('the cache key changes with the text, the included files and the version', () => {
    const hashes = { 'snippets/part.mdx': 'p' }
    const keys = [
      open(hashes).store(SOURCE, PAGE),
      open(hashes).store({ ...SOURCE, hash: 'other' }, PAGE),
      open({ 'snippets/part.mdx': 'q' }).store(SOURCE, PAGE),
      open(hashes, new MemoryStore(), 'v2').store(SOURCE, PAGE),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('other cached results', () => {
  test('a cached result is computed only once per key', async () => {
    const cache = open({})
    let count = 0
    const make = async () => {
      count += 1
      return { count }
    }
    expect(await cache.data('k', make)).toEqual({ count: 1 })
    expect(await cache.data('k', make)).toEqual({ count: 1 })
    expect(await cache.data('l', make)).toEqual({ count: 2 })
  })
})
