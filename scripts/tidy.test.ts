import { describe, expect, test } from 'vitest'
import { checkFunctions } from './tidy/long-functions.ts'
import { checkFolders, checkImports, checkReach, checkShape, checkTemplates } from './tidy.ts'

describe('imports go in one direction', () => {
  test('the builder may use the model', () => {
    expect(checkImports('packages/builder/src/a.ts', "from '@octavo/model'")).toEqual([])
  })

  test('the model may not use the builder', () => {
    expect(checkImports('packages/model/src/a.ts', "from '@octavo/builder'")).toEqual([
      'model may not import @octavo/builder; see MAY_IMPORT in scripts/tidy.ts',
    ])
  })

  test('nobody reaches into another package', () => {
    expect(
      checkImports('packages/cli/src/a.ts', "from '@octavo/model/src/limits.ts'"),
    ).toHaveLength(1)
  })

  test('a package that the layers do not name is refused', () => {
    expect(checkImports('packages/utils/src/a.ts', '')).toHaveLength(1)
  })

  test('a package imports neither scripts/ nor lab/', () => {
    const path = 'packages/cli/testing/a.ts'
    expect(checkReach(path, "import { a } from '../src/scripts/a.ts'\n")).toEqual([])
    expect(checkReach(path, "import { a } from '../../../scripts/a.ts'\n")).toHaveLength(1)
    expect(checkReach(path, "import { a } from '../../../lab/parts/a.ts'\n")).toHaveLength(1)
  })
})

describe('folders of a package have a direction', () => {
  const path = 'packages/search/src/format/a.ts'

  test('a folder may import the ones before it, and types of any', () => {
    expect(checkFolders(path, "import { a } from '../words/split-words.ts'\n")).toEqual([])
    expect(checkFolders(path, "import type { A } from '../writer/a.ts'\n")).toEqual([])
  })

  test('it may not import one behind it, nor a file beside the folders', () => {
    expect(checkFolders(path, "import { a } from '../writer/a.ts'\n")).toHaveLength(1)
    expect(checkFolders(path, "import {\n  a,\n} from '../index.ts'\n")).toHaveLength(1)
  })

  test('an area of the service takes types from areas before it and from its own', () => {
    const file = 'packages/service/src/reading/access/a.ts'
    expect(checkFolders(file, "import type { A } from '../../people/users/a.ts'\n")).toEqual([])
    expect(checkFolders(file, "import type { A } from '../mcp/a.ts'\n")).toEqual([])
    expect(checkFolders(file, "import { a } from '../mcp/a.ts'\n")).toHaveLength(1)
    expect(checkFolders(file, "import type { A } from '../../answers/gaps/a.ts'\n")).toHaveLength(1)
  })

  test('a folder that the order does not name is refused', () => {
    expect(checkFolders('packages/search/src/new/a.ts', '')).toHaveLength(1)
  })
})

describe('a function', () => {
  const linesOf = (count: number) => 'a()\n'.repeat(count - 2)

  test.each([
    ['a declaration', (body: string) => `function run() {\n${body}}`],
    ['a closure with a name', (body: string) => `const run = () => {\n${body}}`],
    ['a method', (body: string) => `class A { run() {\n${body}} }`],
    ['a private method', (body: string) => `class A { #run() {\n${body}} }`],
  ])('%s has 70 lines at most', (_, textOf) => {
    expect(checkFunctions('a.ts', textOf(linesOf(70)))).toEqual([])
    expect(checkFunctions('a.ts', textOf(linesOf(71)))).toEqual([
      'run has 71 lines; split it (limit 70)',
    ])
  })
})

describe('a template of the dashboard', () => {
  const path = 'packages/dashboard/src/a.ts'
  const lineOf = (columns: number) => `<p>${'x'.repeat(columns - 3)}`

  test('has lines of at most 120 columns', () => {
    expect(checkTemplates(path, lineOf(120))).toEqual([])
    expect(checkTemplates(path, `\n${lineOf(121)}`)).toEqual([
      'line 2: 121 columns; break it (limit 120)',
    ])
  })

  test('may have a longer sentence, and the data of an icon', () => {
    expect(checkTemplates(path, 'x'.repeat(200))).toEqual([])
    expect(checkTemplates(path, `  <path d="${'M0 0'.repeat(40)}"/>`)).toEqual([])
  })
})

describe('the shape of a file', () => {
  test.each([
    ['packages/model/src/utils.ts', '', 'name the file after what it provides'],
    ['packages/model/src/parseJson.ts', '', 'name the file in kebab-case'],
    ['packages/model/src/a.ts', 'export default 1', 'default export; export a name'],
    ['packages/model/src/a.ts', "export * from './b.ts'", 'export *; list the names'],
    ['packages/cli/src/a.ts', 'process.env', 'reads the environment; only env.ts does'],
    [
      'packages/cli/src/a.ts',
      'f({ ...{ a, b } })',
      'spreads a fresh object; write its properties, so that typos are found',
    ],
    ['packages/builder/src/a.ts', 'x\n'.repeat(401), '402 lines; split it (limit 400)'],
  ])('%s: %s', (path, text, offence) => {
    expect(checkShape(path, text)).toContain(offence)
  })

  test.each(["from 'node:fs'", 'Date.now()', 'new Date()', 'Math.random()', "fetch('x')"])(
    'the model is pure: no %s',
    (text) => {
      expect(checkShape('packages/model/src/a.ts', text)).toHaveLength(1)
      expect(checkShape('packages/builder/src/a.ts', text)).toEqual([])
    },
  )

  test('a plain file is tidy', () => {
    expect(checkShape('packages/model/src/page-path.ts', 'export const a = 1')).toEqual([])
  })
})
