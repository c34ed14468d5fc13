/** Contract tests that every source tree must pass. */
import { expect, test } from 'vitest'
import type { SourceTree } from './source-tree.ts'

/** Opens a tree with the given files. */
export type OpenTree = (files: Readonly<Record<string, string | Uint8Array>>) => SourceTree

export function testSourceTree(open: OpenTree): void {
  const bytes = Uint8Array.from([0, 255, 10, 13, 0])
  const files = { 'b/page.mdx': '# Grün\r\n', 'a.bin': bytes, 'docs.json': '{}', 'b/a.mdx': '' }

  test('a source tree lists its files in sorted order and with `/` in their paths', () => {
    expect(open(files).files).toEqual(['a.bin', 'b/a.mdx', 'b/page.mdx', 'docs.json'])
  })

  test('a source tree returns the texts and bytes of files unchanged', () => {
    const tree = open(files)
    expect(tree.read('b/page.mdx')).toBe('# Grün\r\n')
    expect(tree.read('b/a.mdx')).toBe('')
    expect([...(tree.readBytes('a.bin') ?? [])]).toEqual([...bytes])
    expect(Buffer.from(tree.readBytes('b/page.mdx') ?? []).toString()).toBe('# Grün\r\n')
  })

  test('a source tree returns the first bytes of a file, or all bytes of a shorter one', () => {
    const tree = open(files)
    expect([...(tree.readHead('a.bin', 2) ?? [])]).toEqual([0, 255])
    expect([...(tree.readHead('a.bin', 100) ?? [])]).toEqual([...bytes])
  })

  test.each(['', 'b', 'b/', '../a.bin', 'b/../a.bin', '/a.bin', 'constructor', 'missing.mdx'])(
    'a source tree contains no file at %j',
    (path) => {
      const tree = open(files)
      expect(tree.read(path)).toBeUndefined()
      expect(tree.readBytes(path)).toBeUndefined()
      expect(tree.readHead(path, 10)).toBeUndefined()
      expect(tree.changedAt(path)).toBeUndefined()
    },
  )

  test('a source tree returns a stamp for a file, and an empty stamp for a missing file', () => {
    const tree = open(files)
    expect(tree.stampOf('a.bin')).not.toBe('')
    expect(tree.stampOf('missing.mdx')).toBe('')
  })
}
