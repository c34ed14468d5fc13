import { describe, expect, test } from 'vitest'
import { EMPTY_PAGE } from '../compile/append-page.ts'
import { MemoryStore } from './memory-store.ts'
import { PageCache } from './page-cache.ts'

const SOURCE = { file: 'a.mdx', hash: 'text of a' }
const PAGE = { ...EMPTY_PAGE, html: '<p>a</p>', files: ['snippets/part.mdx', 'missing.png'] }

/** A cache over files with these hashes; a missing file has an empty one. */
function open(hashes: Record<string, string>, store = new MemoryStore(), version = 'v1') {
  return new PageCache(store, version, (path) => hashes[path] ?? '')
}

describe('a page is found', () => {
  test('while its text and all that it is made of are the same, with its diagnostics and links', () => {
    const cache = open({ 'snippets/part.mdx': 'p' })
    const artifact = cache.store(SOURCE, PAGE)
    expect(cache.find(SOURCE)).toBe(artifact)
    expect(cache.facts(artifact)).toMatchObject({ diagnostics: [], links: [] })
  })
})

describe('a page is not found', () => {
  test.each([
    ['its text is another', { 'snippets/part.mdx': 'p' }, { ...SOURCE, hash: 'other' }],
    ['a snippet of it is another', { 'snippets/part.mdx': 'q' }, SOURCE],
    ['a snippet of it is gone', {}, SOURCE],
    ['a file that it missed is there', { 'snippets/part.mdx': 'p', 'missing.png': 'm' }, SOURCE],
  ])('when %s', (_, later, source) => {
    const hashes: Record<string, string> = { 'snippets/part.mdx': 'p' }
    const cache = open(hashes)
    cache.store(SOURCE, PAGE)
    for (const path of Object.keys(hashes)) delete hashes[path]
    Object.assign(hashes, later)
    expect(cache.find(source)).toBeUndefined()
  })

  test('when it is called like something that every object has', () => {
    expect(open({}).find({ file: 'constructor', hash: '' })).toBeUndefined()
  })
})

describe('the key of a page', () => {
  test('changes with its text, with what it is made of, and with the version', () => {
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

describe('other results', () => {
  test('are made once for the same key', async () => {
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
