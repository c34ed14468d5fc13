import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasNames, readFolderNames } from './folder-names.ts'

/** After this time, a change would give a folder another stamp. */
const SETTLED_MS = 3_000

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-names-'))
  mkdirSync(join(root, 'a/b'), { recursive: true })
  writeFileSync(join(root, 'a/b/one.txt'), '1')
})
afterEach(() => rmSync(root, { recursive: true }))

test('names that are unchanged are recognized, whether the folders are recent or not', () => {
  const known = readFolderNames(root)
  const nowMs = statSync(root).mtimeMs
  expect(hasNames(root, known, nowMs)).toBe(true)
  expect(hasNames(root, known, nowMs + SETTLED_MS)).toBe(true)
})

test('the content of files does not matter', () => {
  const known = readFolderNames(root)
  writeFileSync(join(root, 'a/b/one.txt'), 'another text')
  expect(hasNames(root, known, Date.now() + SETTLED_MS)).toBe(true)
})

test('a file that was added and removed does not matter', () => {
  const known = readFolderNames(root)
  writeFileSync(join(root, 'a/two.txt'), '')
  rmSync(join(root, 'a/two.txt'))
  expect(hasNames(root, known, Date.now() + SETTLED_MS)).toBe(true)
})

test.each<[string, () => void]>([
  ['an added file', () => writeFileSync(join(root, 'a/b/two.txt'), '')],
  ['a removed file', () => rmSync(join(root, 'a/b/one.txt'))],
  ['an added folder', () => mkdirSync(join(root, 'a/c'))],
  ['a removed folder', () => rmSync(join(root, 'a/b'), { recursive: true })],
  [
    'a file in place of a folder',
    () => {
      rmSync(join(root, 'a/b'), { recursive: true })
      writeFileSync(join(root, 'a/b'), '')
    },
  ],
  ['a removed root', () => rmSync(join(root, 'a'), { recursive: true })],
])('%s is noticed within one tick of the clock', (_, change) => {
  const known = readFolderNames(root)
  change()
  expect(hasNames(root, known, statSync(root).mtimeMs)).toBe(false)
})

test('a folder that is older than the known names is not listed again, and a changed one is', () => {
  const first = readFolderNames(root)
  const marked = { ...first, names: 'known before' }
  const settled = Date.now() + SETTLED_MS
  expect(readFolderNames(root, { names: marked, atMs: settled })).toEqual(marked)
  expect(readFolderNames(root, { names: marked, atMs: statSync(root).mtimeMs })).toEqual(first)
  writeFileSync(join(root, 'two.txt'), '')
  expect(readFolderNames(root, { names: marked, atMs: settled })).toEqual(readFolderNames(root))
})
