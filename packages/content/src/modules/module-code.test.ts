import { describe, expect, test } from 'vitest'
import { createPageParser } from '../parse-page.ts'
import type { PageNode } from '../tree/page-tree.ts'
import { islandNames, moduleCode } from './module-code.ts'
import { ModuleLoader } from './module-loader.ts'

function codeOf(file: string, text: string): string {
  const loaded = new ModuleLoader(() => text).loadPath(file)
  return loaded === undefined ? '' : moduleCode(loaded)
}

describe('the code of a file', () => {
  test('of a page it is imports and exports, each in its place', () => {
    const page =
      '---\na: 1\n---\n\nimport A from "./a"\n\n# Wörds $5 and $6\n\nexport const B = 1\n'
    const code = codeOf('a.mdx', page)
    expect(code).toBe(
      '   \n    \n   \n\nimport A from "./a"\n\n                 \n\nexport const B = 1\n',
    )
  })

  test('of a module it is the text', () => {
    expect(codeOf('a.jsx', 'export const A = 1')).toBe('export const A = 1')
  })

  test('of plain Markdown it is nothing', () => {
    expect(codeOf('a.md', 'export const A = 1').trim()).toBe('')
  })
})

describe('the names that islands of a file can have', () => {
  test.each([
    ['const A = 1, b = 2; let C; function D() {}; class E {}', ['A', 'C', 'D', 'E']],
    ['export const A = 1; export function B() {}', ['A', 'B']],
    ["import A from 'a'; import { B } from 'b'; export { C } from 'c'", []],
    ['export default () => 1', ['default']],
    ['export default function A() {}', ['default', 'A']],
    ['const A = 1; export { A as default }', ['A', 'default']],
    ['const then = 1, __proto__ = 2, constructor = 3', []],
  ])('%s', (code, names) => {
    expect(islandNames(code)).toEqual(names)
  })

  test('what is not JavaScript has none', () => {
    expect(islandNames('type A = 1')).toBeUndefined()
  })

  test('a default export without a name is the island `default`', () => {
    const text = 'export default () => <b>{useId()}</b>'
    const parse = createPageParser({ read: (file) => (file === 'a.jsx' ? text : undefined) })
    const { children } = parse('page.mdx', "import A from '../a.jsx'\n\n<A />\n")
    expect(children.map(islandOf)).toEqual([{ file: 'a.jsx', name: 'default' }])
  })
})

function islandOf(node: PageNode): unknown {
  return typeof node !== 'string' && node.kind === 'island' ? node.source : node
}
