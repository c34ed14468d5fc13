/** Contract tests that every store of compiled pages must pass. */
import { expect, test } from 'vitest'
import { EMPTY_PAGE } from '../compile/append-page.ts'
import type { CompiledPage } from '../compile/compile-page.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { ArtifactStore } from './artifact-store.ts'

const KEY = hashBytes('a page')
const OTHER = hashBytes('another')
const PAGE: CompiledPage = {
  ...EMPTY_PAGE,
  html: '<p>Grün — 植物</p>',
  ids: ['a', 'ä"'],
  diagnostics: [
    {
      code: 'link/broken',
      severity: 'error',
      message: 'x',
      hint: 'y',
      place: { file: 'a.mdx', line: 1, column: 2 },
    },
  ],
}

export function testArtifactStore(open: () => ArtifactStore): void {
  test('a store returns a stored page, and its facts separately', () => {
    const store = open()
    store.put(KEY, PAGE)
    expect(store.load(KEY)).toEqual(PAGE)
    expect(store.facts(KEY)).toMatchObject({ ids: PAGE.ids, diagnostics: PAGE.diagnostics })
    expect(store.has(KEY)).toBe(true)
  })

  test('a store returns undefined for an unknown key', () => {
    const store = open()
    store.put(KEY, PAGE)
    expect(store.has(OTHER)).toBe(false)
    expect(store.load(OTHER)).toBeUndefined()
    expect(store.facts(OTHER)).toBeUndefined()
    expect(store.loadData(OTHER)).toBeUndefined()
  })

  test('a store can hold results other than pages, as JSON', () => {
    const store = open()
    store.putData(OTHER, { files: [{ path: 'a.js', code: 'ä' }], diagnostics: [] })
    expect(store.loadData(OTHER)).toEqual({ files: [{ path: 'a.js', code: 'ä' }], diagnostics: [] })
  })

  test('storing a page again replaces the earlier page', () => {
    const store = open()
    store.put(KEY, PAGE)
    store.put(KEY, { ...PAGE, html: 'other' })
    expect(store.load(KEY)?.html).toBe('other')
  })
}
