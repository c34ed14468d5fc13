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
  test('the code of a page consists of its imports and exports at their original places', () => {
    const page =
      '---\na: 1\n---\n\nimport A from "./a"\n\n# Wörds $5 and $6\n\nexport const B = 1\n'
    const code = codeOf('a.mdx', page)
    expect(code).toBe(
      '   \n    \n   \n\nimport A from "./a"\n\n                 \n\nexport const B = 1\n',
    )
  })

  test('the code of a module is its unchanged text', () => {
    expect(codeOf('a.jsx', 'export const A = 1')).toBe('export const A = 1')
  })

  test('the code of plain Markdown is empty', () => {
    expect(codeOf('a.md', 'export const A = 1').trim()).toBe('')
  })
})

describe('island names', () => {
  test.each([
    ['const A = 1, b = 2; let C; function D() {}; class E {}', ['A', 'C', 'D', 'E']],
    ['export const A = 1; export function B() {}', ['A', 'B']],
    ["import A from 'a'; import { B } from 'b'; export { C } from 'c'", []],
    ['export default () => 1', ['default']],
    ['export default function A() {}', ['default', 'A']],
    ['const A = 1; export { A as default }', ['A', 'default']],
    ['const then = 1, __proto__ = 2, constructor = 3', []],
  ])('the island names of `%s` are found', (code, names) => {
    expect(islandNames(code)).toEqual(names)
  })

  test('code that is not JavaScript has no island names', () => {
    expect(islandNames('type A = 1')).toBeUndefined()
  })

  test('an unnamed default export has the island name `default`', () => {
    const text = 'export default () => <b>{useId()}</b>'
    const parse = createPageParser({ read: (file) => (file === 'a.jsx' ? text : undefined) })
    const { children } = parse('page.mdx', "import A from '../a.jsx'\n\n<A />\n")
    expect(children.map(islandOf)).toEqual([{ file: 'a.jsx', name: 'default' }])
  })
})

function islandOf(node: PageNode): unknown {
  return typeof node !== 'string' && node.kind === 'island' ? node.source : node
}
