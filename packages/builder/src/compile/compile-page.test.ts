import { formatDiagnostic } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { createPageCompiler } from './compile-page.ts'
import { stripTypes } from './strip-types.ts'

function compile(files: Readonly<Record<string, string>>, page = 'page.mdx') {
  const compiler = createPageCompiler({
    read: (path) => files[path],
    factsOf: () => ({ exists: false, size: undefined }),
    variables: {},
    iconLibrary: undefined,
    stripTypes,
  })
  return compiler(page)
}

describe('TypeScript modules', () => {
  const page = "import { Price } from '/snippets/price.tsx'\n\n<Price plan={{ euros: 20 }} />"

  test('a TypeScript module and its imports are read and their types are removed', async () => {
    const { html, files, diagnostics } = await compile({
      'page.mdx': page,
      'snippets/price.tsx': `import type { Plan } from './missing'
import { currency } from './currency'
interface Props extends Plan { readonly euros: number }
const format = <T extends number>(value: T): string => \`\${value as number} \${currency}\`
export const Price = ({ plan }: { plan: Props }): JSX.Element => (
  <b>Costs &gt; 10: {format<number>(plan!.euros)}</b>
)
`,
      'snippets/currency.ts': 'export const currency = <string>"€" satisfies string',
    })
    expect(diagnostics).toEqual([])
    expect(html).toContain('<b>Costs &gt; 10: 20 €</b>')
    expect(files).toEqual(
      expect.arrayContaining(['snippets/price.tsx', 'snippets/currency.ts', 'snippets/currency']),
    )
  })

  test('a syntax error in a module is reported at its place and the page still compiles', async () => {
    const { html, diagnostics } = await compile({
      'page.mdx': `${page}\n\nAfter.`,
      'snippets/price.tsx': "type A = 'ä'\n\nexport const é = 'ö', Price: = () => <b />\n",
    })
    expect(html).toContain('After.')
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      `error  snippets/price.tsx:3:30  content/import
  The module cannot be parsed: Unexpected "=".
  Hint: Fix the syntax. Modules are JavaScript or TypeScript, with JSX.`,
    ])
  })

  test('diagnostics in a TypeScript module have the line and column in the original file', async () => {
    const { diagnostics } = await compile({
      'page.mdx': page,
      'snippets/price.tsx': `type Plan = {
  euros: number
}
const twice = (plan: Plan): number => nothing + plan.euros
export const Price = ({ plan }: { plan: Plan }) => <b>{twice(plan)}</b>
`,
    })
    expect(diagnostics).toMatchObject([
      { place: { file: 'snippets/price.tsx', line: 4, column: 39 } },
    ])
  })

  test('a module with an enum is rejected, because its values could grow exponentially', async () => {
    const { diagnostics } = await compile({
      'page.mdx': page,
      'snippets/price.tsx': 'export const Price = () => <b />\nenum A { a }',
    })
    expect(diagnostics).toMatchObject([
      {
        place: { file: 'snippets/price.tsx', line: 2, column: 1 },
        message:
          'The module cannot be parsed: the file has an `enum`; use an object of constants instead.',
      },
    ])
  })

  test('TypeScript modules can import each other up to 32 levels deep', async () => {
    const chain = (depth: number) => [
      ...Array.from({ length: depth - 1 }, (_, index) => [
        `snippets/${index === 0 ? 'price.tsx' : `f${index}.ts`}`,
        `export { Price } from './f${index + 1}.ts'`,
      ]),
      [`snippets/f${depth - 1}.ts`, 'export const Price = (): string => "deep"'],
    ]
    const within = await compile({ 'page.mdx': page, ...Object.fromEntries(chain(32)) })
    expect(within.html).toContain('deep')
    const beyond = await compile({ 'page.mdx': page, ...Object.fromEntries(chain(33)) })
    expect(beyond.diagnostics).toMatchObject([
      { message: expect.stringContaining('more than 32 levels deep') },
    ])
  })
})

describe('formulas', () => {
  test('a formula is rendered at compile time', async () => {
    const { html, diagnostics } = await compile({ 'page.mdx': 'So $x^2$.' })
    expect(html).toContain('<math>')
    expect(diagnostics).toEqual([])
  })

  test('an invalid formula is reported and shown as its source', async () => {
    const { html, diagnostics } = await compile({ 'page.mdx': 'Fine.\n\nSo $\\frac{1}$.' })
    expect(html).toContain('<code class="oct-math-source">\\frac{1}</code>')
    expect(diagnostics).toMatchObject([
      { code: 'content/syntax', place: { file: 'page.mdx', line: 3, column: 4 } },
    ])
  })

  test('an invalid formula in a snippet is reported in the snippet', async () => {
    const { diagnostics } = await compile({
      'page.mdx': "import S from '/snippets/s.mdx'\n\n<S />",
      'snippets/s.mdx': 'A\n\n$$\n\\nothing\n$$',
    })
    expect(diagnostics).toMatchObject([{ place: { file: 'snippets/s.mdx', line: 3 } }])
  })
})

describe('changelog updates', () => {
  test('a changelog update uses its `rss` texts in the feed, or else its page texts', async () => {
    const { updates } = await compile({
      'page.mdx':
        '<Update label="May" description="d" rss={{ title: "T" }}>a</Update>\n\n<Update label="June">b</Update>',
    })
    expect(updates).toMatchObject([
      { id: 'may', title: 'T', description: 'd' },
      { id: 'june', title: 'June', description: '' },
    ])
  })

  test('a diagram is drawn on the page, and is its source in the feed', async () => {
    const { html, updates } = await compile({
      'page.mdx': '<Update label="May">\n\n```mermaid\ngraph LR\n  A --> B\n```\n\n</Update>',
    })
    expect(html).toContain('<div class="oct-drawing" tabindex="0"><svg')
    expect(updates?.[0]?.html).toContain('graph LR')
    expect(updates?.[0]?.html).not.toContain('<svg')
  })
})

describe('the Visibility component', () => {
  test('text for agents is only in the Markdown, and text for humans is only in the HTML', async () => {
    const { html, markdown, sections } = await compile({
      'page.mdx':
        '<Visibility for="agents">machines</Visibility>\n\n<Visibility for="humans">people</Visibility>',
    })
    expect(html).toContain('people')
    expect(html).not.toContain('machines')
    expect(markdown).toBe('machines\n')
    expect(sections).toMatchObject([{ text: 'people' }])
  })
})

test('the table of contents omits headings that are only for agents', async () => {
  const { headings } = await compile({
    'page.mdx': '<Visibility for="agents">\n## Unseen\n</Visibility>\n\n## Visible',
  })
  expect(headings).toEqual([{ level: 2, id: 'visible', text: 'Visible' }])
})

describe('sections of a page', () => {
  async function sectionsOf(mdx: string) {
    const { sections } = await compile({ 'page.mdx': mdx })
    return sections.map(({ id, path, heading, text }) => [id, [...path, heading].join(' > '), text])
  }

  test('a paragraph that repeats a heading does not start a section', async () => {
    expect(await sectionsOf('Setup\n\nbefore\n\n## Setup\n\nSetup\n\ninside')).toEqual([
      ['', '', 'Setup\nbefore'],
      ['setup', 'Setup', 'Setup\ninside'],
    ])
  })

  test('each step of a page has its own section, which ends with the step', async () => {
    const mdx = `intro

## Install

how

<Steps>
  <Step title="Run \`init\`">
    first

    ### Details

    more
  </Step>
  <Step title="Twice">second</Step>
  <Step title="Twice">third</Step>
  <Step title="Aside" noAnchor>fourth</Step>
</Steps>

behind`
    expect(await sectionsOf(mdx)).toEqual([
      ['', '', 'intro'],
      ['install', 'Install', 'how\nAside\nfourth\nbehind'],
      ['run-init', 'Install > Run init', 'first'],
      ['details', 'Install > Run init > Details', 'more'],
      ['twice', 'Install > Twice', 'second'],
      ['twice-2', 'Install > Twice', 'third'],
    ])
  })

  test('each changelog entry has its own section', async () => {
    const mdx = `<Update label="May" description="2026" tags={['New']}>\n## Added\n\na\n</Update>`
    expect(await sectionsOf(`${mdx}\n\n<Update label="April">b</Update>`)).toEqual([
      ['', '', ''],
      ['may', 'May', '2026\nNew'],
      ['added', 'May > Added', 'a'],
      ['april', 'April', 'b'],
    ])
  })
})
