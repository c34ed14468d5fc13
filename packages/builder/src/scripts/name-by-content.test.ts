import { expect, test } from 'vitest'
import { nameByContent } from './name-by-content.ts'

test('the names of files depend on the content of the files, even with circular references', () => {
  const named = (site: string, chunk: string) =>
    nameByContent([
      { name: `site-${site}.js`, code: `import("./zoom-${chunk}.js");1` },
      { name: `zoom-${chunk}.js`, code: `import("./site-${site}.js");2` },
    ])
  const here = named('AAAAAAA1', 'BBBBBBB2')
  expect(here).toEqual(named('CCCCCCC3', 'DDDDDDD4'))
  expect(here[0]?.code).toBe(`import("./${here[1]?.name}");1`)
  expect(here[0]?.name).toMatch(/^site-[\da-f]{8}\.js$/)
})

test('files with different content have different names, and two identical files get two names', () => {
  const [first, second] = nameByContent([
    { name: 'chunk-AAAAAAA1.js', code: 'import"./a-BBBBBBB2.js"' },
    { name: 'chunk-AAAAAAA2.js', code: 'import"./a-BBBBBBB2.js"' },
  ])
  expect(first?.name).not.toBe(second?.name)
  const [other] = nameByContent([{ name: 'chunk-AAAAAAA1.js', code: 'changed' }])
  expect(other?.name).not.toBe(first?.name)
})

test('the name of a file changes when any file that it loads changes, directly or indirectly', () => {
  const nameOf = (last: string) =>
    nameByContent([
      { name: 'site-AAAAAAA1.js', code: 'import("./a-BBBBBBB2.js")' },
      { name: 'a-BBBBBBB2.js', code: 'import"./b-CCCCCCC3.js"' },
      { name: 'b-CCCCCCC3.js', code: last },
      { name: 'beside-DDDDDDD4.js', code: '1' },
    ]).map(({ name }) => name)
  const [site, a, b, beside] = nameOf('one')
  expect([site, a, b].filter((name) => nameOf('two').includes(name ?? ''))).toEqual([])
  expect(nameOf('two')).toContain(beside)
})
