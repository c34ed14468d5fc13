import { describe, expect, test } from 'vitest'
import { createPageCompiler } from './compile-page.ts'

function compile(files: Readonly<Record<string, string>>, page = 'page.mdx') {
  const compiler = createPageCompiler({
    read: (path) => files[path],
    factsOf: () => ({ isThere: false, size: undefined }),
    variables: {},
    iconLibrary: undefined,
  })
  return compiler(page)
}

describe('a formula', () => {
  test('is set when the page is compiled', async () => {
    const { html, diagnostics } = await compile({ 'page.mdx': 'So $x^2$.' })
    expect(html).toContain('<math>')
    expect(diagnostics).toEqual([])
  })

  test('that cannot be set is shown as its source, and its author is told where it is', async () => {
    const { html, diagnostics } = await compile({ 'page.mdx': 'Fine.\n\nSo $\\frac{1}$.' })
    expect(html).toContain('<code class="oct-math-source">\\frac{1}</code>')
    expect(diagnostics).toMatchObject([
      { code: 'content/syntax', place: { file: 'page.mdx', line: 3, column: 4 } },
    ])
  })

  test('of a snippet is reported in the snippet', async () => {
    const { diagnostics } = await compile({
      'page.mdx': "import S from '/snippets/s.mdx'\n\n<S />",
      'snippets/s.mdx': 'A\n\n$$\n\\nothing\n$$',
    })
    expect(diagnostics).toMatchObject([{ place: { file: 'snippets/s.mdx', line: 3 } }])
  })
})

describe('an update', () => {
  test('says in the feed what it says for the feed, else what it says on the page', async () => {
    const { updates } = await compile({
      'page.mdx':
        '<Update label="May" description="d" rss={{ title: "T" }}>a</Update>\n\n<Update label="June">b</Update>',
    })
    expect(updates).toMatchObject([
      { id: 'may', title: 'T', description: 'd' },
      { id: 'june', title: 'June', description: '' },
    ])
  })
})

describe('visibility', () => {
  test('what is for agents is in the Markdown only, what is for people in the HTML only', async () => {
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

test('the contents list leaves out headings that only agents read', async () => {
  const { headings } = await compile({
    'page.mdx': '<Visibility for="agents">\n## Unseen\n</Visibility>\n\n## Visible',
  })
  expect(headings).toEqual([{ level: 2, id: 'visible', text: 'Visible' }])
})

describe('sections', () => {
  async function sectionsOf(mdx: string) {
    const { sections } = await compile({ 'page.mdx': mdx })
    return sections.map(({ id, path, heading, text }) => [id, [...path, heading].join(' > '), text])
  }

  test('a paragraph that repeats a heading moves no boundary', async () => {
    expect(await sectionsOf('Setup\n\nbefore\n\n## Setup\n\nSetup\n\ninside')).toEqual([
      ['', '', 'Setup\nbefore'],
      ['setup', 'Setup', 'Setup\ninside'],
    ])
  })

  test('steps have sections of their own, which end with them', async () => {
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

  test('entries of a changelog have sections of their own', async () => {
    const mdx = `<Update label="May" description="2026" tags={['New']}>\n## Added\n\na\n</Update>`
    expect(await sectionsOf(`${mdx}\n\n<Update label="April">b</Update>`)).toEqual([
      ['', '', ''],
      ['may', 'May', '2026\nNew'],
      ['added', 'May > Added', 'a'],
      ['april', 'April', 'b'],
    ])
  })
})
