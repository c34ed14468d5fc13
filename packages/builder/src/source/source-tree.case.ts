/** What every source tree does. Run against each of them. */
import { expect, test } from 'vitest'
import type { SourceTree } from './source-tree.ts'

/** Opens a tree with these files, wherever that is. */
export type OpenTree = (files: Readonly<Record<string, string | Uint8Array>>) => SourceTree

export function testSourceTree(open: OpenTree): void {
  const bytes = Uint8Array.from([0, 255, 10, 13, 0])
  const files = { 'b/page.mdx': '# Grün\r\n', 'a.bin': bytes, 'docs.json': '{}', 'b/a.mdx': '' }

  test('lists its files with `/`, sorted', () => {
    expect(open(files).files).toEqual(['a.bin', 'b/a.mdx', 'b/page.mdx', 'docs.json'])
  })

  test('gives texts and bytes as they are', () => {
    const tree = open(files)
    expect(tree.read('b/page.mdx')).toBe('# Grün\r\n')
    expect(tree.read('b/a.mdx')).toBe('')
    expect([...(tree.readBytes('a.bin') ?? [])]).toEqual([...bytes])
    expect(Buffer.from(tree.readBytes('b/page.mdx') ?? []).toString()).toBe('# Grün\r\n')
  })

  test('gives the first bytes of a file, or all where it is shorter', () => {
    const tree = open(files)
    expect([...(tree.readHead('a.bin', 2) ?? [])]).toEqual([0, 255])
    expect([...(tree.readHead('a.bin', 100) ?? [])]).toEqual([...bytes])
  })

  test.each(['', 'b', 'b/', '../a.bin', 'b/../a.bin', '/a.bin', 'constructor', 'missing.mdx'])(
    'has nothing at %j',
    (path) => {
      const tree = open(files)
      expect(tree.read(path)).toBeUndefined()
      expect(tree.readBytes(path)).toBeUndefined()
      expect(tree.readHead(path, 10)).toBeUndefined()
      expect(tree.changedAt(path)).toBeUndefined()
    },
  )

  test('has a stamp for a file and none for what is not there', () => {
    const tree = open(files)
    expect(tree.stampOf('a.bin')).not.toBe('')
    expect(tree.stampOf('missing.mdx')).toBe('')
  })
}
