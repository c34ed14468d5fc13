import { describe, expect, test } from 'vitest'
import { createPageParser } from './parse-page.ts'
import { CONTENT_LIMITS as LIMITS } from './tree/content-limits.ts'
import { plainText } from './tree/plain-text.ts'

const parse = createPageParser({ read: () => undefined })

function codes(text: string, file = 'page.mdx'): readonly string[] {
  return parse(file, text).diagnostics.map(({ code }) => code)
}

function textOf(text: string): string {
  return plainText(parse('page.mdx', text).children)
}

const repeat = (text: string, times: number) => text.repeat(times)
/** Text that makes a page large without exceeding any other limit. */
const padding = repeat('word, word\n\n', 2_000)

describe('limits of a page (content/limit)', () => {
  test('a page larger than pageSizeMax is rejected', () => {
    const line = 'word, word, word\n\n'
    const size = LIMITS.pageSizeMax - (LIMITS.pageSizeMax % line.length)
    expect(codes(repeat(line, size / line.length))).toEqual([])
    expect(codes(repeat(line, size / line.length + 1))).toEqual(['content/limit'])
  })

  test('code with brackets nested deeper than bracketDepthMax is rejected', () => {
    const nested = (depth: number) =>
      `${padding}{${repeat('(', depth - 1)}1${repeat(')', depth - 1)}}`
    expect(textOf(nested(LIMITS.bracketDepthMax))).toMatch(/\n1$/)
    expect(codes(nested(LIMITS.bracketDepthMax + 1))).toEqual(['content/limit'])
  })

  test('a chain of operators longer than chainLengthMax is rejected', () => {
    const chain = (length: number) => `{[${repeat('a=', length)}1, 2]}`
    // The parser accepts this chain, which is far below its stack limit, but it is too deep to
    // evaluate.
    expect(parse('page.mdx', chain(LIMITS.chainLengthMax)).diagnostics).toMatchObject([
      { code: 'content/limit', message: expect.stringContaining('nested deeper') },
    ])
    expect(parse('page.mdx', chain(LIMITS.chainLengthMax + 1)).diagnostics).toMatchObject([
      { code: 'content/limit', message: expect.stringContaining('chains more than') },
    ])
  })

  test('a block with more Markdown characters than blockSignsMax is rejected', () => {
    const signs = (count: number) => `${padding}${repeat('a* ', count)}`
    expect(codes(signs(LIMITS.blockSignsMax))).toEqual([])
    expect(codes(signs(LIMITS.blockSignsMax + 1))).toEqual(['content/limit'])
  })

  test('a block with more braces than blockBracesMax is rejected', () => {
    const braces = (count: number) => `${padding}${repeat('{1} ', count)}`
    expect(codes(braces(LIMITS.blockBracesMax))).toEqual([])
    expect(codes(braces(LIMITS.blockBracesMax + 1))).toEqual(['content/limit'])
  })

  test('blocks of other tools nested deeper than foreignDepthMax are text without a diagnostic', () => {
    const quoted = (depth: number) => `${repeat('> ', depth)}:::note`
    expect(codes(quoted(LIMITS.foreignDepthMax - 1))).toEqual(['content/foreign-syntax'])
    expect(codes(quoted(LIMITS.foreignDepthMax))).toEqual([])
  })

  test('a line with more markers than lineMarkersMax is rejected', () => {
    const quotes = (count: number) => `${padding}${repeat('> ', count)}a`
    expect(codes(quotes(LIMITS.lineMarkersMax))).toEqual([])
    expect(codes(quotes(LIMITS.lineMarkersMax + 1))).toEqual(['content/limit'])
  })

  test('a page with more open tags than openTagsMax is rejected', () => {
    const tags = (count: number) => `${padding}${repeat('<b>\n\n', count)}`
    expect(codes(tags(LIMITS.openTagsMax + 1))).toEqual(['content/limit'])
  })

  test('content nested deeper than treeDepthMax is shown as text', () => {
    const nested = (depth: number) => `${repeat('<b>', depth)}rose${repeat('</b>', depth)}`
    expect(codes(nested(LIMITS.treeDepthMax - 1))).toEqual([])
    expect(codes(nested(LIMITS.treeDepthMax + 1))).toEqual(['content/limit'])
    expect(textOf(nested(LIMITS.treeDepthMax + 1))).toBe('rose')
  })

  test('a page with more mistakes than repairsMax is shown as plain Markdown', () => {
    expect(codes(repeat('a <1 b\n\n', LIMITS.repairsMax))).toHaveLength(LIMITS.repairsMax)
    const page = parse('page.mdx', repeat('a <1 b\n\n', LIMITS.repairsMax + 1))
    expect(page.diagnostics.map(({ code }) => code)).toEqual(['content/syntax'])
    expect(plainText(page.children)).toContain('a <1 b')
  })

  test('nested snippets cannot create more nodes than nodesMax', () => {
    const files: Record<string, string> = { 'snippets/0.mdx': 'rose' }
    for (let level = 1; level <= 20; level += 1) {
      files[`snippets/${level}.mdx`] =
        `import A from './${level - 1}.mdx'\n\n<A />\n\n<A />\n\n<A />\n\n<A />`
    }
    const page = createPageParser({ read: (path) => files[path] })(
      'page.mdx',
      'import A from "/snippets/20.mdx"\n\n<A />',
    )
    expect([...new Set(page.diagnostics.map(({ code }) => code))]).toEqual(['content/limit'])
  })
})

describe('short expressions with a huge result (content/limit)', () => {
  test.each([
    [
      'deeply nested markup',
      '(() => { let m = <b>a</b>; for (let i = 0; i < 20000; i += 1) m = <b>{m}</b>; return m })()',
    ],
    [
      'the same markup repeated',
      '(() => { let m = <b>a</b>; for (let i = 0; i < 40; i += 1) m = <b>{m}{m}</b>; return m })()',
    ],
    [
      'deeply nested lists',
      '(() => { let m = []; for (let i = 0; i < 100000; i += 1) m = [m]; return m })()',
    ],
    [
      'a list of lists of lists',
      '(() => { let m = ["a"]; for (let i = 0; i < 40; i += 1) m = [m, m]; return m })()',
    ],
    [
      'a string doubled many times',
      '(() => { let m = "a"; for (let i = 0; i < 60; i += 1) m = m + m; return m })()',
    ],
    ['a circular object', '(() => { const m = {}; m.m = m; return JSON.stringify(m) })()'],
    ['a long replacement', '"a".repeat(100000).replaceAll("a", "b".repeat(100000))'],
  ])('an expression with %s exceeds a limit', (_, code) => {
    const started = performance.now()
    expect(codes(`{${code}}\n\nrose`)).toEqual(['content/limit'])
    expect(codes(`<Card title={${code}}>rose</Card>`).length).toBeLessThanOrEqual(1)
    expect(performance.now() - started).toBeQuick(3_000)
  })

  test('nested snippets that each show their children twice exceed a limit', () => {
    const read = () => '{children} {children}'
    const tags = [
      'import A from "/snippets/a.mdx"\n\n',
      repeat('<A>', 40),
      'rose',
      repeat('</A>', 40),
    ]
    const page = createPageParser({ read })('page.mdx', tags.join(''))
    expect([...new Set(page.diagnostics.map(({ code }) => code))]).toEqual(['content/limit'])
  })
})

/** Returns admonitions that are nested in one another. */
function nestedAdmonitions(depth: number): string {
  return Array.from({ length: depth }, (_, level) => `${repeat('    ', level)}!!! note\n\n`).join(
    '',
  )
}

describe('hostile pages', () => {
  test.each([
    ['open tags', repeat('<a>\n', 30_000)],
    ['open braces', repeat('{', 50_000)],
    ['many expressions', repeat('{a} ', 50_000)],
    ['nested lists on a line', `${repeat('- ', 100_000)}a`],
    ['underscores', repeat('a_', 100_000)],
    ['entities', repeat('&amp;', 100_000)],
    ['unary operators', `{${repeat('! ', 60_000)}1}`],
    ['unary operators without a space', `{${repeat('!', 60_000)}1}`],
    ['signs', `{${repeat('- ', 60_000)}1}`],
    ['assignments', `{${repeat('a=', 60_000)}1}`],
    ['labels', `export function f(){${repeat('a:', 60_000)}1}`],
    ['choices', `{${repeat('a?a:', 60_000)}1}`],
    ['new', `export const a = ${repeat('new ', 60_000)}a`],
    ['keyword operators', `{${repeat('typeof ', 60_000)}1}`],
    ['functions in functions', `{${repeat('()=>', 40_000)}1}`],
    ['conditions in conditions', `export function f(){${repeat('if(a)', 40_000)}1}`],
    ['tags in an expression', `{${repeat('<a>', 40_000)}${repeat('</a>', 40_000)}}`],
    ['expressions in tags', `${repeat('<a b={', 20_000)}1${repeat('}/>', 20_000)}`],
    ['nested arrays', `export const a = ${repeat('[', 20_000)}${repeat(']', 20_000)}`],
    ['open comment', repeat('<!--', 20_000)],
    ['prices', repeat('$5 and ', 5_000)],
    ['mistakes', repeat('a <1 {b} ', 500)],
    ['spaces', `a${repeat(' ', 1_000_000)}b`],
    ['open containers', repeat(':::note\n\n', 10_000)],
    ['containers in containers', `${repeat(':::note\n\n', 10_000)}${repeat(':::\n\n', 10_000)}`],
    ['open hints', repeat('{% hint style="info" %}\n\n', 5_000)],
    ['admonitions', repeat('!!! note\n\n    a\n\n', 10_000)],
    ['admonitions in admonitions', nestedAdmonitions(600)],
    ['tabs', repeat('=== "A"\n\n    a\n\n', 10_000)],
    ['blank lines after a tab', `=== "A"\n${repeat('\n', 200_000)}=== "B"`],
    ['keys', repeat('++a+', 50_000)],
    ['equals signs', repeat('==a', 50_000)],
    ['attribute lists', repeat('[a](b){ .c\n\n', 20_000)],
    ['cross-references', repeat('[a][', 50_000)],
    ['backticks of many lengths', Array.from({ length: 600 }, (_, n) => repeat('`', n)).join(' ')],
    ['fences with options', repeat('```js "a" /b/ ins={1} x={\n```\n\n', 20_000)],
    ['colons', repeat(':a', 100_000)],
  ])('a page with %s is parsed quickly', (_, source) => {
    for (const file of ['page.mdx', 'page.md']) {
      const started = performance.now()
      parse(file, source)
      expect(performance.now() - started, file).toBeQuick(3_000)
    }
  })
})
