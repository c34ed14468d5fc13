import { describe, expect, test } from 'vitest'
import {
  checkWords,
  countWords,
  proseOf,
  readAvoidedWords,
  shrinkCounts,
} from './tidy/avoided-words.ts'
import { checkFunctions } from './tidy/long-functions.ts'
import {
  checkFixtureList,
  checkFolders,
  checkImports,
  checkReach,
  checkShape,
  checkTemplates,
} from './tidy.ts'

describe('import direction of packages', () => {
  test('the builder may use the model', () => {
    expect(checkImports('packages/builder/src/a.ts', "from '@octavo/model'")).toEqual([])
  })

  test('the model may not use the builder', () => {
    expect(checkImports('packages/model/src/a.ts', "from '@octavo/builder'")).toEqual([
      'model may not import @octavo/builder; see MAY_IMPORT in scripts/tidy.ts',
    ])
  })

  test('a package may not import a file inside another package', () => {
    expect(
      checkImports('packages/cli/src/a.ts', "from '@octavo/model/src/limits.ts'"),
    ).toHaveLength(1)
  })

  test('a package that MAY_IMPORT does not list is rejected', () => {
    expect(checkImports('packages/utils/src/a.ts', '')).toHaveLength(1)
  })

  test('a package may not import from scripts/ or lab/', () => {
    const path = 'packages/cli/testing/a.ts'
    expect(checkReach(path, "import { a } from '../src/scripts/a.ts'\n")).toEqual([])
    expect(checkReach(path, "import { a } from '../../../scripts/a.ts'\n")).toHaveLength(1)
    expect(checkReach(path, "import { a } from '../../../lab/parts/a.ts'\n")).toHaveLength(1)
  })
})

describe('import direction of folders', () => {
  const path = 'packages/search/src/format/a.ts'

  test('a folder may import earlier folders, and types from any folder', () => {
    expect(checkFolders(path, "import { a } from '../words/split-words.ts'\n")).toEqual([])
    expect(checkFolders(path, "import type { A } from '../writer/a.ts'\n")).toEqual([])
  })

  test('a folder may not import later folders or files next to the folders', () => {
    expect(checkFolders(path, "import { a } from '../writer/a.ts'\n")).toHaveLength(1)
    expect(checkFolders(path, "import {\n  a,\n} from '../index.ts'\n")).toHaveLength(1)
  })

  test('a service area may import types from earlier areas and its own', () => {
    const file = 'packages/service/src/reading/access/a.ts'
    expect(checkFolders(file, "import type { A } from '../../people/users/a.ts'\n")).toEqual([])
    expect(checkFolders(file, "import type { A } from '../mcp/a.ts'\n")).toEqual([])
    expect(checkFolders(file, "import { a } from '../mcp/a.ts'\n")).toHaveLength(1)
    expect(checkFolders(file, "import type { A } from '../../answers/gaps/a.ts'\n")).toHaveLength(1)
  })

  test('a folder that FOLDER_ORDER does not list is rejected', () => {
    expect(checkFolders('packages/search/src/new/a.ts', '')).toHaveLength(1)
  })
})

describe('function length', () => {
  const linesOf = (count: number) => 'a()\n'.repeat(count - 2)

  test.each([
    ['a declaration', (body: string) => `function run() {\n${body}}`],
    ['a closure with a name', (body: string) => `const run = () => {\n${body}}`],
    ['a method', (body: string) => `class A { run() {\n${body}} }`],
    ['a private method', (body: string) => `class A { #run() {\n${body}} }`],
  ])('a function that is %s is reported if it has more than 70 lines', (_, textOf) => {
    expect(checkFunctions('a.ts', textOf(linesOf(70)))).toEqual([])
    expect(checkFunctions('a.ts', textOf(linesOf(71)))).toEqual([
      'run has 71 lines; split it (limit 70)',
    ])
  })
})

describe('dashboard templates', () => {
  const path = 'packages/dashboard/src/a.ts'
  const lineOf = (columns: number) => `<p>${'x'.repeat(columns - 3)}`

  test('a markup line of the dashboard has at most 120 columns', () => {
    expect(checkTemplates(path, lineOf(120))).toEqual([])
    expect(checkTemplates(path, `\n${lineOf(121)}`)).toEqual([
      'line 2: 121 columns; break it (limit 120)',
    ])
  })

  test('sentences and icon data of the dashboard can be longer than 120 columns', () => {
    expect(checkTemplates(path, 'x'.repeat(200))).toEqual([])
    expect(checkTemplates(path, `  <path d="${'M0 0'.repeat(40)}"/>`)).toEqual([])
  })
})

describe('file rules', () => {
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
  ])('the file %s with the text %s is reported', (path, text, violation) => {
    expect(checkShape(path, text)).toContain(violation)
  })

  test.each(["from 'node:fs'", 'Date.now()', 'new Date()', 'Math.random()', "fetch('x')"])(
    'the model may not contain %s because it is pure',
    (text) => {
      expect(checkShape('packages/model/src/a.ts', text)).toHaveLength(1)
      expect(checkShape('packages/builder/src/a.ts', text)).toEqual([])
    },
  )

  test('an ordinary file has no violations', () => {
    expect(checkShape('packages/model/src/page-path.ts', 'export const a = 1')).toEqual([])
  })
})

describe('list of fixtures', () => {
  test('a folder of fixtures that the README does not name is reported', () => {
    const text = '| Roots | root-is-tabs<br>root-is-a-list | `checks/dead-link` |'
    expect(checkFixtureList(text, ['root-is-tabs', 'root-is-a-list', 'dead-link'])).toEqual([])
    expect(checkFixtureList(text, ['root-is'])).toEqual([
      'fixtures/README.md: does not list the folder root-is',
    ])
  })
})

describe('avoided words of the glossary', () => {
  const glossary =
    '| `moss` | a plant |\n\n## Do not use\n\n| `fern`, `tall moss` | plant |\n| shrub | tree |\n'
  const words = readAvoidedWords(glossary)
  const count = (path: string, text: string) => countWords([{ path, text }], words)

  test('only words in backticks in the table "Do not use" of the glossary are checked', () => {
    expect(words).toEqual([
      { word: 'fern', instead: 'plant' },
      { word: 'tall moss', instead: 'plant' },
    ])
  })

  test('words in comments and test titles are counted, but not those in strings and names', () => {
    const text = "// one\nconst two = 'three' // four\n/** five */\ntest('six', () => {})\n"
    expect(proseOf({ path: 'a.test.ts', text }).split(/\s+/)).toEqual(
      expect.arrayContaining(['one', 'four', 'five', 'six']),
    )
    expect(proseOf({ path: 'a.test.ts', text })).not.toMatch(/two|three/)
    expect(proseOf({ path: 'a.ts', text })).not.toContain('six')
  })

  test('words in the titles of parameterized tests are counted', () => {
    const text = "test.each([['moss']])(\n  '%s is green', () => {})"
    expect(proseOf({ path: 'a.test.ts', text })).toContain('%s is green')
  })

  test('words in Markdown are counted, except those in code', () => {
    expect(proseOf({ path: 'a.md', text: 'one `two`\n```ts\nthree\n```\nfour' })).toMatch(
      /^one\s+four$/,
    )
  })

  test('avoided words are counted per package, ignoring case and line breaks', () => {
    const text = '/**\n * Fern, ferns and tall\n * moss.\n */\n'
    expect(count('packages/model/src/a.ts', text)).toEqual({
      fern: { 'packages/model': 1 },
      'tall moss': { 'packages/model': 1 },
    })
    expect(count('docs/a/b.mdx', 'fern')).toEqual({ fern: { docs: 1 }, 'tall moss': {} })
    expect(count('README.md', 'fern')).toEqual({ fern: { '.': 1 }, 'tall moss': {} })
  })

  test('the count of an avoided word may not grow in any part of the repository', () => {
    const allowed = { fern: { docs: 2 } }
    expect(checkWords({ fern: { docs: 2 } }, allowed, words)).toEqual([])
    expect(checkWords({ fern: { docs: 3 } }, allowed, words)).toHaveLength(1)
    expect(checkWords({ fern: { lab: 1 } }, allowed, words)).toHaveLength(1)
  })

  test('the stored counts of avoided words never grow, except for new words', () => {
    const counts = { fern: { docs: 1, lab: 5, scripts: 1 }, moss: { docs: 7 } }
    expect(shrinkCounts(counts, { fern: { docs: 2, lab: 4 } })).toEqual({
      fern: { docs: 1, lab: 4 },
      moss: { docs: 7 },
    })
  })
})
