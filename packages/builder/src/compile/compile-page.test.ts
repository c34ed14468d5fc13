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
    const { html, markdown, text } = await compile({
      'page.mdx':
        '<Visibility for="agents">machines</Visibility>\n\n<Visibility for="humans">people</Visibility>',
    })
    expect(html).toContain('people')
    expect(html).not.toContain('machines')
    expect(markdown).toBe('machines\n')
    expect(text).toBe('people')
  })
})
