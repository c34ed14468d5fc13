import { formatDiagnostic } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import type { IslandCode } from '../compile/find-islands.ts'
import { islandModuleUrl } from '../compile/island-address.ts'
import { compileIslands } from './compile-islands.ts'
import { islandAssets } from './island-assets.ts'
import { ISLAND_LIMITS } from './island-limits.ts'

const COUNTER = `export const Counter = ({ from }) => {
  const [count, setCount] = useState(from)
  return <button onClick={() => setCount(count + 1)}>{count}</button>
}`

const { runtime } = await islandAssets()

/**
 * Compiles the given files of a site, or all files, and returns the code and formatted diagnostics.
 */
async function compile(
  site: Readonly<Record<string, string>>,
  files = Object.keys(site),
  code: readonly IslandCode[] = [],
) {
  const asked: string[] = []
  const texts = new Map(Object.entries(site))
  const read = (path: string) => {
    asked.push(path)
    return texts.get(path)
  }
  const { modules, diagnostics } = await compileIslands({ read, files, code, runtime })
  return {
    asked,
    codes: modules.map(({ code }) => code),
    names: modules.map(({ names }) => names),
    problems: diagnostics.map(formatDiagnostic),
  }
}

/** Returns the names that a compiled module imports from the runtime. */
function importsOf(code = ''): readonly string[] {
  const statements = code.matchAll(/import\{([^}]*)\}from"\.\/runtime-[\da-f]{16}\.js"/g)
  const names = [...statements].flatMap(([, list = '']) => list.split(','))
  return names.map((name) => name.replace(/ as .*/, '')).toSorted()
}

/** Returns the names that a compiled module exports. */
function exportsOf(code = ''): readonly string[] {
  const list = /export\{([^}]*)\}/.exec(code)?.[1] ?? ''
  return list.split(',').map((name) => name.replace(/.* as /, ''))
}

describe('names that authors use without an import', () => {
  test('hooks without an import are imported from the runtime', async () => {
    const { codes, problems } = await compile({ 'a.jsx': COUNTER })
    expect(problems).toEqual([])
    expect(importsOf(codes[0])).toEqual(['jsx', 'useState'])
  })

  test('imports from react and members of React use the runtime', async () => {
    const { codes, problems } = await compile({
      'a.jsx': `import React, { useRef as ref } from 'react'
        export const A = () => <b ref={ref()}>{React.useState(1)[0]}</b>`,
    })
    expect(problems).toEqual([])
    expect(importsOf(codes[0])).toEqual(['React', 'jsx', 'useRef'])
  })

  test('a name that the author defines takes precedence over a built-in name', async () => {
    const { codes, problems } = await compile({
      'a.jsx': `const { useState } = React
        const Card = ({ h }) => h.map((h) => <i>{h}</i>)
        export const A = () => <Card h={useState([])} />`,
    })
    expect(problems).toEqual([])
    expect(importsOf(codes[0])).toEqual(['React', 'jsx'])
  })

  test('built-in components and their members become plain elements', async () => {
    const { codes } = await compile({
      'a.jsx': 'export const A = () => <Card><Tree.Folder name="a" /></Card>',
    })
    expect(codes[0]).toContain('("Card",[])')
    expect(codes[0]).toContain('("Tree",["Folder","File"])')
    expect(importsOf(codes[0])).toEqual(['builtIn', 'builtIn', 'jsx'])
  })

  test('a React name that the runtime does not have is reported with its place', async () => {
    const { codes, problems } = await compile({
      'a.jsx': "import { useFormStatus } from 'react'\nexport const A = () => useFormStatus()",
    })
    expect(codes).toEqual([])
    expect(problems).toEqual([
      `error  a.jsx:1:10  content/import
  The browser code cannot be compiled, so it is omitted: No matching export in \`react-names\` for import "useFormStatus".
  Hint: Fix the file. Until then, only the static content of its components is shown.`,
    ])
  })
})

describe('code of a page', () => {
  const page = "export const plant = 'Rose'\n\n<button onClick={…}>Water</button>\n"
  const at = { file: 'page.mdx', line: 3, column: 1 }

  test("code in a page can use the page's exports, and code at the same place is compiled once", async () => {
    const one = { ...at, name: 'Island_3_1', text: '() => ({ onClick: () => alert(plant) })' }
    const { codes, names, problems } = await compile({ 'page.mdx': page }, ['page.mdx'], [one, one])
    expect(problems).toEqual([])
    expect(names).toEqual([['Island_3_1']])
    expect(codes[0]).toContain('alert(')
    expect(exportsOf(codes[0])).toEqual(['Island_3_1'])
  })

  test('code that cannot be compiled is reported at its place in the page', async () => {
    const first = { ...at, line: 2, name: 'Island_2_1', text: '() => (\nplant\n)' }
    const second = { ...at, name: 'Island_3_1', text: '() => ({\nonClick: () => (plant = 1) })' }
    const { codes, problems } = await compile({ 'page.mdx': page }, ['page.mdx'], [second, first])
    expect(codes).toEqual([])
    expect(problems).toEqual([expect.stringContaining('error  page.mdx:3:1  content/import')])
    expect(problems[0]).toContain('Cannot assign to "plant" because it is a constant')
  })
})

describe('the module of an island file', () => {
  test("the URL of an island's module depends only on the file path", () => {
    expect(islandModuleUrl('snippets/a.jsx')).toBe('/_octavo/islands/49b97c461d4fc53b.js')
  })

  test('a module exports components by the names under which they are defined', async () => {
    const { codes, names } = await compile({
      'a.jsx': `const Local = () => <b />
        function Other() { return <i /> }
        export const data = [1], Third = class extends React.Component {}
        export { Local as Renamed }
        export default Other`,
    })
    expect(names).toEqual([['Local', 'Other', 'Third', 'default']])
    expect(exportsOf(codes[0]).toSorted()).toEqual(['Local', 'Other', 'Third', 'default'])
  })

  test('an export alias does not replace a component with the same name', async () => {
    const { codes, problems } = await compile({
      'a.jsx': `const A = () => <b>first</b>
        const B = () => <b>second</b>
        export { A as B }`,
    })
    expect(problems).toEqual([])
    expect(exportsOf(codes[0]).toSorted()).toEqual(['A', 'B'])
  })

  test('the module of an island exports an anonymous default export', async () => {
    const { codes } = await compile({ 'a.jsx': 'export default () => <b>{useId()}</b>' })
    expect(exportsOf(codes[0])).toEqual(['default'])
  })

  test('names such as `__proto__` and `constructor` work like any other name', async () => {
    const { codes, problems, names } = await compile({
      '__proto__.jsx': `const __proto__ = 1, constructor = 2
        export const Object = () => <b __proto__={__proto__}>{constructor}</b>`,
      'constructor.jsx':
        "import { Object } from './__proto__.jsx'\nexport const A = () => <Object />",
    })
    expect(problems).toEqual([])
    expect(names).toEqual([['Object'], ['A']])
    expect(codes).toHaveLength(2)
  })

  test('TypeScript files and imports without file extensions are compiled', async () => {
    const { codes, problems, names } = await compile(
      {
        'a.tsx': `import { label } from './label'
          type Props = { readonly from: number }
          const enumerate = 1
          export const Counter = ({ from }: Props) => {
            const [count] = useState<number>(from)
            return <b>{label(count) as string}</b>
          }`,
        'label.ts': "export const label = (count: number): string => 'no. ' + count",
      },
      ['a.tsx'],
    )
    expect(problems).toEqual([])
    expect(names).toEqual([['Counter']])
    expect(codes[0]).toContain('no. ')
  })

  test('the module of a page contains its imports and exports but not its Markdown', async () => {
    const page = `---
title: A page
---

import { Counter } from '/snippets/counter.jsx'

# Words that are not code

export const Two = () => <><Counter from={first} /><Counter from={2} /></>

{useState(1)} <div onClick={() => 1}>{

export const first = 1
`
    const { codes, problems } = await compile({ 'a.mdx': page, 'snippets/counter.jsx': COUNTER }, [
      'a.mdx',
    ])
    expect(problems).toEqual([])
    expect(exportsOf(codes[0])).toEqual(['Two'])
    expect(codes[0]).not.toContain('Words')
  })
})

describe('imports of islands', () => {
  test('files of the site that an island imports are bundled, even with circular imports', async () => {
    const { codes, problems } = await compile(
      {
        'snippets/a.jsx': "import B from './b.jsx'\nexport const A = () => <B>{useId()}</B>",
        'snippets/b.jsx':
          "import { A } from '/snippets/a.jsx'\nexport default ({ deep }) => deep ? <A /> : 'leaf'",
      },
      ['snippets/a.jsx'],
    )
    expect(problems).toEqual([])
    expect(codes[0]).toContain('"leaf"')
  })

  test('a package import is reported with its place, and other files still compile', async () => {
    const { codes, problems } = await compile({
      'a.jsx':
        "// words\nimport {\n  debounce,\n} from 'lodash'\nexport const A = () => debounce()",
      'b.jsx': COUNTER,
    })
    expect(codes).toHaveLength(1)
    expect(problems).toEqual([
      `error  a.jsx:2:1  content/import
  The import cannot be resolved: \`lodash\` is a package, and pages can import only files of the site.
  Hint: Import an \`.mdx\`, \`.md\`, \`.jsx\` or \`.tsx\` file of the site by its path.`,
    ])
  })

  test.each([
    ['../../../etc/passwd', '`../../../etc/passwd` points outside the documentation folder'],
    ['/etc/../../a.jsx', '`/etc/../../a.jsx` points outside the documentation folder'],
    ['./data.json', '`./data.json` is not a Markdown or JSX file'],
    [
      'file:///etc/passwd',
      '`file:///etc/passwd` is a package, and pages can import only files of the site',
    ],
    ['https://a.test/a.js', 'the file `https:/a.test/a.js` does not exist'],
    ['node:fs', '`node:fs` is a package, and pages can import only files of the site'],
    [
      'octavo-global:mount',
      '`octavo-global:mount` is a package, and pages can import only files of the site',
    ],
  ])("an island's import of %s is rejected", async (written, reason) => {
    const { codes, problems, asked } = await compile({
      'a.jsx': `import x from '${written}'\nexport const A = () => x`,
    })
    expect(codes).toEqual([])
    expect(problems.map((problem) => problem.split('\n')[1]?.trim())).toEqual([
      `The import cannot be resolved: ${reason}.`,
    ])
    expect(asked.filter((path) => path.startsWith('/') || path.includes('..'))).toEqual([])
  })

  test('dynamic imports and require are rejected with their place', async () => {
    const { problems } = await compile({
      'a.jsx': "export const A = () => import('left-pad')",
      'b.jsx': "export const B = () => require('fs')",
    })
    expect(problems.map((problem) => problem.split('\n')[0])).toEqual([
      'error  a.jsx:1:31  content/import',
      'error  b.jsx:1:32  content/import',
    ])
  })

  test('Markdown that a component shows in the browser is reported', async () => {
    const { codes, problems } = await compile(
      {
        'a.jsx': "import Text from './text.mdx'\nexport const A = () => <Text>{useId()}</Text>",
        'text.mdx': '# Words',
      },
      ['a.jsx'],
    )
    expect(codes).toHaveLength(1)
    expect(problems).toEqual([
      `error  a.jsx:1:1  content/needs-browser
  A component that runs in the browser uses \`text.mdx\`, a Markdown file, which is not available there.
  Hint: Put the Markdown on the page, inside the component's tag, and use it as \`children\`.`,
    ])
  })

  test('Markdown that only the page shows is not reported', async () => {
    const { problems } = await compile(
      { 'a.mdx': `import Text from './text.mdx'\n\n${COUNTER}\n\n<Text />`, 'text.mdx': '# Words' },
      ['a.mdx'],
    )
    expect(problems).toEqual([])
  })
})

describe('files that do not compile', () => {
  test('a syntax error is reported with line and column, and other files still compile', async () => {
    const broken = "export const A = () => <b>\n  <i>äö</i> {'é' 1}\n</b>"
    const { codes, problems } = await compile({
      'a.jsx': broken,
      'b.jsx': COUNTER,
      'c.tsx': broken,
    })
    expect(codes).toHaveLength(1)
    expect(problems).toEqual([
      `error  a.jsx:2:18  content/import
  The browser code cannot be compiled, so it is omitted: Unexpected token.
  Hint: Fix the file. Until then, only the static content of its components is shown.`,
      `error  c.tsx:2:18  content/import
  The browser code cannot be compiled, so it is omitted: Expected "}" but found "1".
  Hint: Fix the file. Until then, only the static content of its components is shown.`,
    ])
  })

  test('an island file that does not exist is reported', async () => {
    const { problems } = await compile({}, ['a.jsx'])
    expect(problems.map((problem) => problem.split('\n')[0])).toEqual([
      'error  a.jsx:1:1  content/import',
    ])
  })

  test('an island file that exceeds the nesting limit is reported', async () => {
    const { problems } = await compile({
      'a.jsx': `export const A = ${'('.repeat(3_000)}1${')'.repeat(3_000)}`,
    })
    expect(problems.join()).toContain('256')
  })

  test('deeply nested JSX is reported and does not affect other files', async () => {
    const deep = 100_000
    const { problems, codes } = await compile({
      'a.jsx': `export const A = () => ${'<a>'.repeat(deep)}${'</a>'.repeat(deep)}`,
      'b.jsx': COUNTER,
    })
    expect(problems).toHaveLength(1)
    expect(codes).toHaveLength(1)
  })

  test('an enum is rejected, because its values could grow exponentially', async () => {
    const { problems } = await compile({
      'a.tsx': 'enum A { a = "x", b = a + a }\nexport const B = () => <b>{A.b}</b>',
    })
    expect(problems.join()).toContain('the file has an `enum`; use an object of constants instead')
  })

  test('an island file that imports more files than the limit is reported', async () => {
    const chain = Array.from({ length: ISLAND_LIMITS.filesMax }, (_, index) => [
      `f${index}.jsx`,
      `import { A as B } from './f${index + 1}.jsx'\nexport const A = () => <B />`,
    ])
    const site = Object.fromEntries([...chain, [`f${ISLAND_LIMITS.filesMax}.jsx`, COUNTER]])
    expect((await compile(site, ['f1.jsx'])).problems.join()).not.toContain('400 files')
    expect((await compile(site, ['f0.jsx'])).problems.join()).toContain('more than 400 files')
  })
})

describe('deterministic output of islands', () => {
  const site = {
    'a.jsx': COUNTER,
    'b.jsx': "import { Counter } from './a.jsx'\nexport const B = () => <Counter from={useId()} />",
    'c.mdx': `${COUNTER}\n\n<Counter from={1} />`,
  }

  test('two compilations with the files in different order have the same output', async () => {
    const first = await compile(site)
    const second = await compile(site, Object.keys(site).toReversed())
    expect(second.codes).toEqual(first.codes)
  })

  test('a file compiles to the same code alone, with other files, and with a broken file', async () => {
    const together = await compile(site)
    const alone = await compile(site, ['b.jsx'])
    const beside = await compile({ ...site, 'd.jsx': '<' })
    expect(alone.codes[0]).toBe(together.codes[1])
    expect(beside.codes).toEqual(together.codes)
  })

  test('our own scripts are named by their content hash', async () => {
    const [first, second] = await Promise.all([islandAssets(), islandAssets()])
    expect(first).toEqual(second)
    expect(first.runtime.path).toMatch(/^\/_octavo\/islands\/runtime-[\da-f]{16}\.js$/)
    expect(first.loader.path).toMatch(/^\/_octavo\/islands\/load-[\da-f]{16}\.js$/)
    expect(first.loader.code.length).toBeLessThan(1_000)
    for (const { code } of [first.runtime, first.loader])
      expect(code).not.toMatch(/\beval\(|new Function/)
  })
})
