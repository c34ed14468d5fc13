import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BUILD_JOURNAL, BUILD_RECORD } from '../source/read-folder.ts'
import { OutputFolder } from './output-folder.ts'
import type { FinishedOutput } from './site-output.ts'

let root: string

beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), 'octavo-output-')), 'dist')
})

afterEach(() => rmSync(dirname(root), { recursive: true, force: true }))

/** Runs a complete build that writes the given files. */
function build(files: Readonly<Record<string, string>>): FinishedOutput {
  const output = new OutputFolder(root)
  for (const [path, text] of Object.entries(files)) output.write(path, text, { access: 'default' })
  return output.finish()
}

/** Returns all files in the folder except the build record. */
function listed(): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== BUILD_RECORD)
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted()
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** An old modification time. A file that still has it was not written again. */
const LONG_AGO = new Date(1_000_000_000_000)
const age = (path: string) => utimesSync(join(root, path), LONG_AGO, LONG_AGO)
const isOld = (path: string) => statSync(join(root, path)).mtimeMs === LONG_AGO.getTime()

describe('a second build in the same folder', () => {
  test('an unchanged file is not rewritten, but a changed file is', () => {
    build({ 'index.html': 'a', 'guide/index.html': 'b' })
    age('index.html')
    age('guide/index.html')
    const output = build({ 'index.html': 'a', 'guide/index.html': 'c' })
    expect(isOld('index.html')).toBe(true)
    expect(read('guide/index.html')).toBe('c')
    expect(output.writtenCount).toBe(1)
    expect(output.count).toBe(2)
  })

  test('obsolete files of an earlier build and their empty folders are removed', () => {
    build({ 'a/b/c.html': '1', 'a/d.html': '2', 'e.html': '3' })
    build({ 'a/d.html': '2' })
    expect(listed()).toEqual(['a/d.html'])
    expect(existsSync(join(root, 'a/b'))).toBe(false)
  })

  test('files in the output folder that a build did not write are never touched', () => {
    mkdirSync(join(root, 'a'), { recursive: true })
    writeFileSync(join(root, 'a/theirs.txt'), 'theirs')
    build({ 'a/ours.html': '1' })
    build({ 'index.html': '2' })
    expect(listed()).toEqual(['a/theirs.txt', 'index.html'])
  })

  test('a file that was deleted from the folder is written again', () => {
    build({ 'index.html': 'a' })
    rmSync(join(root, 'index.html'))
    build({ 'index.html': 'a' })
    expect(read('index.html')).toBe('a')
  })

  test('a build without changes writes nothing, not even the record', () => {
    build({ 'index.html': 'a' })
    age(BUILD_RECORD)
    expect(build({ 'index.html': 'a' }).writtenCount).toBe(0)
    expect(isOld(BUILD_RECORD)).toBe(true)
  })

  test('a file can become a folder and a folder can become a file', () => {
    build({ guide: 'a file', 'a/b/c': 'below a folder' })
    build({ 'guide/index.html': 'below a folder', a: 'a file' })
    expect(listed()).toEqual(['a', 'guide/index.html'])
  })
})

describe('files with a key', () => {
  test('a file with the same key is kept even if its content is not written', () => {
    const first = new OutputFolder(root)
    first.write('page.html', 'text', { key: 'key 1', access: 'default' })
    first.finish()
    const second = new OutputFolder(root)
    expect(second.keep('page.html', { key: 'key 1', access: 'default' })).toBe(true)
    expect(second.has('page.html')).toBe(true)
    second.finish()
    expect(read('page.html')).toBe('text')
  })

  test.each([
    ['with another key', 'page.html', 'key 2'],
    ['that was never written', 'other.html', 'key 1'],
  ])('a file %s is not treated as up to date', (_, path, key) => {
    const first = new OutputFolder(root)
    first.write('page.html', 'text', { key: 'key 1', access: 'default' })
    first.finish()
    expect(new OutputFolder(root).keep(path, { key, access: 'default' })).toBe(false)
  })

  test('a deleted file is not treated as up to date', () => {
    const first = new OutputFolder(root)
    first.write('page.html', 'text', { key: 'key 1', access: 'default' })
    first.finish()
    rmSync(join(root, 'page.html'))
    expect(new OutputFolder(root).keep('page.html', { key: 'key 1', access: 'default' })).toBe(
      false,
    )
  })

  test('only the first content is kept if a path is written twice', () => {
    const output = new OutputFolder(root)
    output.write('page.html', 'first', { access: 'default' })
    output.write('page.html', 'second', { access: 'default' })
    output.finish()
    expect(read('page.html')).toBe('first')
  })
})

describe('interrupted builds', () => {
  test('an interrupted build leaves a journal, which makes the next build rewrite its files', () => {
    build({ 'index.html': 'a', 'old.html': 'b' })
    const cut = new OutputFolder(root)
    cut.write('index.html', 'half', { access: 'default' })
    cut.write('new.html', 'c', { access: 'default' })
    expect(existsSync(join(root, BUILD_JOURNAL))).toBe(true)
    // The bytes of the file no longer match the record, as after a power failure.
    writeFileSync(join(root, 'index.html'), '')
    const next = new OutputFolder(root)
    expect(next.keepNamed('index.html', 'default')).toBe(false)
    next.write('index.html', 'a', { access: 'default' })
    next.finish()
    expect(listed()).toEqual(['index.html'])
    expect(read('index.html')).toBe('a')
  })
})

describe('untrusted build records', () => {
  test.each(['', '{', 'null', '{"outputs":1}', '[]'])(
    'a build record with the invalid content %j is ignored',
    (text) => {
      build({ 'index.html': 'a' })
      writeFileSync(join(root, BUILD_RECORD), text)
      expect(new OutputFolder(root).earlier()).toEqual([])
    },
  )

  test('a build record cannot name files outside the folder', () => {
    const outside = join(dirname(root), 'outside.txt')
    writeFileSync(outside, 'theirs')
    mkdirSync(root)
    const paths = ['../outside.txt', 'a/../../outside.txt', '..\\outside.txt', outside]
    const outputs = Object.fromEntries(paths.map((path) => [path, { sha256: '', key: '' }]))
    writeFileSync(join(root, BUILD_RECORD), JSON.stringify({ outputs }))
    writeFileSync(join(root, BUILD_JOURNAL), paths.map((path) => `${path}\n`).join(''))
    build({ 'index.html': 'a' })
    expect(readFileSync(outside, 'utf8')).toBe('theirs')
  })
})

describe('files written in parts', () => {
  test('a file written in parts exists after it is closed, with the correct hash', () => {
    const output = new OutputFolder(root)
    const parts = output.openParts('llms-full.txt', { key: 'key', access: 'default' })
    parts.add('ab')
    parts.add(new Uint8Array([99]))
    expect(existsSync(join(root, 'llms-full.txt'))).toBe(false)
    parts.close()
    output.finish()
    expect(read('llms-full.txt')).toBe('abc')
    expect(output.entries()).toMatchObject([
      {
        path: 'llms-full.txt',
        sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        size: 3,
      },
    ])
  })

  test('a file that was never closed is removed by the next build', () => {
    const cut = new OutputFolder(root)
    cut.openParts('index.bin', { key: 'key', access: 'default' }).add('a'.repeat(2_000_000))
    expect(listed()).toContain('index.bin.unfinished')
    build({ 'index.html': 'a' })
    expect(listed()).toEqual(['index.html'])
  })
})
