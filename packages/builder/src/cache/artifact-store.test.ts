import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { EMPTY_PAGE } from '../compile/append-page.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { testArtifactStore } from './artifact-store.case.ts'
import { MemoryStore } from './memory-store.ts'
import { PackStore } from './pack-store.ts'

const folders: string[] = []

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-store-'))
  folders.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const KEY = hashBytes('a page')
const PAGE = { ...EMPTY_PAGE, html: '<p>The text of a page</p>', ids: ['one'] }
const ENTRIES = { 'a.mdx': { text: 'x', files: [], artifact: KEY } }

describe('the pack store', () => {
  testArtifactStore(() => new PackStore(newFolder(), 'v1'))

  test('the pack store keeps used entries for the next run and removes all others', () => {
    const folder = newFolder()
    const first = new PackStore(folder, 'v1')
    first.put(KEY, PAGE)
    first.put(hashBytes('unused'), PAGE)
    first.finish(ENTRIES, new Set([KEY]))
    const second = new PackStore(folder, 'v1')
    expect(second.entries).toEqual(ENTRIES)
    expect(second.load(KEY)).toEqual(PAGE)
    expect(second.has(hashBytes('unused'))).toBe(false)
  })

  test('the pack store ignores the entries of another version', () => {
    const folder = newFolder()
    const first = new PackStore(folder, 'v1')
    first.put(KEY, PAGE)
    first.finish(ENTRIES, new Set([KEY]))
    expect(new PackStore(folder, 'v2').has(KEY)).toBe(false)
  })

  test('the pack store detects every changed byte of a record', () => {
    const folder = newFolder()
    const store = new PackStore(folder, 'v1')
    store.put(KEY, PAGE)
    store.finish(ENTRIES, new Set([KEY]))
    const pack = join(folder, readdirSync(folder).find((name) => name.endsWith('.pack')) ?? '')
    const bytes = readFileSync(pack)
    for (let at = 0; at < statSync(pack).size; at += 1) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      writeFileSync(pack, damaged)
      expect(PackStore.openEarlier(folder, 'v1')?.load(KEY), `byte ${at}`).toBeUndefined()
    }
    writeFileSync(pack, bytes)
    expect(PackStore.openEarlier(folder, 'v1')?.load(KEY)).toEqual(PAGE)
  })

  test('the pack is rewritten when less than half of it is used', () => {
    const folder = newFolder()
    const store = new PackStore(folder, 'v1')
    for (let at = 0; at < 10; at += 1) store.put(hashBytes(String(at)), PAGE)
    store.put(KEY, PAGE)
    store.finish(ENTRIES, new Set([KEY]))
    const [pack = ''] = readdirSync(folder).filter((name) => name.endsWith('.pack'))
    expect(statSync(join(folder, pack)).size).toBeLessThan(1_000)
    expect(new PackStore(folder, 'v1').load(KEY)).toEqual(PAGE)
  })

  test('opening the earlier store of a folder without an earlier build returns undefined', () => {
    expect(PackStore.openEarlier(newFolder(), 'v1')).toBeUndefined()
  })
})

describe('the memory store', () => {
  testArtifactStore(() => new MemoryStore())

  test('the memory store prefers its own version of a page to that of an earlier build', () => {
    const earlier = new PackStore(newFolder(), 'v1')
    earlier.put(KEY, PAGE)
    const store = new MemoryStore(earlier)
    expect(store.load(KEY)).toEqual(PAGE)
    store.put(KEY, { ...PAGE, html: 'now' })
    expect(store.load(KEY)?.html).toBe('now')
    expect(earlier.load(KEY)?.html).toBe(PAGE.html)
  })
})
