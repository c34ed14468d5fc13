import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkLength } from './compile/check-length.ts'
import { loadSite } from './load/load-site.ts'
import { readFolder } from './source/read-folder.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-folder-'))
  writeFileSync(join(root, 'docs.json'), '{"navigation": {"pages": ["a"]}}')
  writeFileSync(join(root, 'a.mdx'), '---\ntitle: A\n---\n')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function codes(limits = { filesMax: 10, textSizeMax: 1_000 }) {
  return loadSite(readFolder(root, { limits })).diagnostics.map(({ code }) => code)
}

describe('limits of a folder, at and above each limit', () => {
  test('a folder can have up to filesMax files (file/too-many)', () => {
    expect(codes({ filesMax: 2, textSizeMax: 1_000 })).toEqual([])
    expect(codes({ filesMax: 1, textSizeMax: 1_000 })).toContain('file/too-many')
  })

  test('the size of a page can be up to textSizeMax (file/too-large)', () => {
    writeFileSync(join(root, 'a.mdx'), 'x'.repeat(1_000))
    expect(codes()).toEqual([])
    writeFileSync(join(root, 'a.mdx'), 'x'.repeat(1_001))
    expect(codes()).toEqual(['file/too-large'])
  })

  test('for a docs.json that is too large, only this problem is reported (file/too-large)', () => {
    writeFileSync(join(root, 'docs.json'), ' '.repeat(1_001))
    expect(codes()).toEqual(['file/too-large'])
  })

  test('an overlong rule in an ignore file is reported (file/ignore-rule)', () => {
    writeFileSync(join(root, '.mintignore'), 'b'.repeat(500))
    expect(codes()).toEqual([])
    writeFileSync(join(root, '.mintignore'), `# a comment\n${'b'.repeat(501)}`)
    expect(loadSite(readFolder(root)).diagnostics).toMatchObject([
      { code: 'file/ignore-rule', place: { file: '.mintignore', line: 2 } },
    ])
  })
})

describe("the length of a page's Markdown", () => {
  test('Markdown that is longer than agents read is reported (content/long-markdown)', () => {
    expect(checkLength('x'.repeat(50_000), 'a.mdx', 'this page')).toEqual([])
    expect(checkLength('x'.repeat(50_001), 'a.mdx', 'this page')).toMatchObject([
      { code: 'content/long-markdown', place: { file: 'a.mdx', line: 1 } },
    ])
  })
})

describe('files that are not content', () => {
  test('a symbolic link to a file outside the folder is not followed, not even by $ref', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'octavo-elsewhere-'))
    writeFileSync(join(elsewhere, 'secret.json'), '["a"]')
    symlinkSync(join(elsewhere, 'secret.json'), join(root, 'part.json'))
    symlinkSync(elsewhere, join(root, 'folder'))
    const config = { navigation: { groups: [{ group: 'A', pages: { $ref: './part.json' } }] } }
    writeFileSync(join(root, 'docs.json'), JSON.stringify(config))
    expect(codes()).toContain('part/not-found')
    expect(readFolder(root).files).toEqual(['a.mdx', 'docs.json'])
    rmSync(elsewhere, { recursive: true, force: true })
  })

  test('files in dot folders and node_modules are ignored, but not those in .well-known', () => {
    for (const folder of ['.git', 'node_modules', '.well-known']) {
      mkdirSync(join(root, folder))
      writeFileSync(join(root, folder, 'x.mdx'), '')
    }
    expect(readFolder(root).files).toEqual(['.well-known/x.mdx', 'a.mdx', 'docs.json'])
  })

  test('dot files are ignored unless a page can import them', () => {
    for (const name of ['.env', '.env.mdx', '.part.jsx', '.eslintrc.js', '._a.mdx', '.#a.mdx'])
      writeFileSync(join(root, name), '')
    expect(readFolder(root).files).toEqual(['.env.mdx', '.part.jsx', 'a.mdx', 'docs.json'])
  })
})
