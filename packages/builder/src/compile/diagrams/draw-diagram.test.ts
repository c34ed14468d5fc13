/** Tests which diagrams the build draws, and that a drawing has nothing but shapes and text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { xmlTokens } from '../../source/images/xml-tokens.ts'
import { openDiagrams } from './draw-diagram.ts'
import { isWhole } from './is-whole.ts'

const draw = async (source: string) => (await openDiagrams())(source)

describe('diagrams that the build draws', () => {
  test.each([
    ['flowchart LR\n  A[Write] --> B{Check}\n  B -->|good| C(Publish)', ['Write', 'Check', 'good']],
    ['graph TD;\n  a[Bed]-->b;\n  b==>c;', ['Bed', 'b', 'c']],
    [
      '%% About gardens\nflowchart TB\n  subgraph one [Garden]\n    Fern\n  end\n  Fern --> Moss',
      ['Garden', 'Fern'],
    ],
    ['stateDiagram-v2\n  [*] --> Dry\n  Dry --> Wet: rain', ['Dry', 'Wet', 'rain']],
    [
      'classDiagram\n  class Plant {\n    +String name\n    +water()\n  }\n  Plant <|-- Fern',
      ['Plant', 'name'],
    ],
    [
      'erDiagram\n  GARDEN ||--o{ PLANT : has\n  PLANT {\n    string name PK\n  }',
      ['GARDEN', 'has', 'PK'],
    ],
  ])('%s', async (source, texts) => {
    const svg = await draw(source)
    for (const text of texts) expect(svg).toContain(`>${text}`)
  })

  test('the same source always has the same drawing, and two diagrams share no ids', async () => {
    const [one = '', same, other = ''] = await Promise.all(
      ['graph LR\nA-->B', 'graph LR\nA-->B', 'graph LR\nA-->C'].map(draw),
    )
    expect(one).toBe(same)
    const ids = (svg: string) => [...svg.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set([...ids(one), ...ids(other)]).size).toBe(ids(one).length * 2)
  })
})

describe('diagrams that are left to the script', () => {
  test.each([
    ['of another kind', 'sequenceDiagram\n  A->>B: Hi'],
    ['with settings', '%%{init: {"theme": "dark"}}%%\ngraph LR\n  A --> B'],
    ['with a title', '---\ntitle: Plants\n---\ngraph LR\n  A --> B'],
    ['with a link', 'graph LR\n  A --> B\n  click A "https://example.com"'],
    ["with an author's colors", 'graph LR\n  A --> B\n  style A fill:#f9f'],
    ['with classes', 'graph LR\n  A:::warm --> B\n  classDef warm fill:#f00'],
    ['with an icon', 'graph LR\n  A[fa:fa-leaf Leaf] --> B'],
    ['that is not valid', 'graph LR\n  A ~~ --> [B'],
    ['with words that the library skips', 'erDiagram\n  GARDEN PLANT'],
    ['whose label follows later', 'graph LR\n  A --> B\n  A[Fern]'],
    ['that is empty', ''],
  ])('a diagram %s', async (_, source) => {
    expect(await draw(source)).toBeUndefined()
  })

  const edges = (count: number) =>
    `graph LR\n${Array.from({ length: count }, (_, index) => `n${index} --> n${index + 1}`).join('\n')}`

  test('a diagram of 100 lines is drawn, and one of 101 lines is not', async () => {
    expect(await draw(edges(99))).toBeDefined()
    expect(await draw(edges(100))).toBeUndefined()
  })

  test('a diagram of 4,000 characters is drawn, and one of 4,001 is not', async () => {
    const labeled = (size: number) =>
      `graph LR\n  A["${'plant '.repeat(900)}`
        .slice(0, size - 2)
        .padEnd(size - 2, 'x')
        .concat('"]')
    expect(await draw(labeled(4_000))).toBeDefined()
    expect(await draw(labeled(4_001))).toBeUndefined()
  })

  test('nine joined nodes are drawn, and more are not', async () => {
    const joined = (count: number) =>
      `graph LR\n  ${Array.from({ length: count + 1 }, (_, index) => `n${index}`).join(' & ')} --> x`
    expect(await draw(joined(9))).toBeDefined()
    expect(await draw(joined(10))).toBeUndefined()
  })

  test('the diagrams of a page have at most 400 lines together', async () => {
    const drawOnPage = await openDiagrams()
    const drawn = Array.from({ length: 5 }, () => drawOnPage(edges(99)))
    expect(drawn.map((svg) => svg !== undefined)).toEqual([true, true, true, true, false])
  })
})

test('a drawing has every word of its source', () => {
  const source = 'flowchart LR\n  a["Big plant"] -->|needs| b(Water)'
  const svg = (...texts: readonly string[]) => texts.map((text) => `<text>${text}</text>`).join('')
  expect(isWhole(source, svg('Big plant', 'needs', 'Water'))).toBe(true)
  expect(isWhole(source, svg('Big', 'plant', 'needs', 'Water'))).toBe(true)
  expect(isWhole(source, svg('Big plant', 'Water'))).toBe(false)
  expect(isWhole(source, svg('Big', 'needs', 'Water'))).toBe(false)
  expect(isWhole('graph LR\n  A --> B', svg('A'))).toBe(false)
})

test('whatever an author writes, a drawing has only shapes and text, and refers to nothing outside', async () => {
  const hostile = fc.constantFrom(
    '<img src=x onerror=alert(1)>',
    '</text><script>alert(1)</script>',
    '"',
    '&lt;b&gt;',
    '<br/>',
    ']]>',
    '<!--',
    'url(https://evil.example)',
    'javascript:alert(1)',
    '<a href="//evil.example">x</a>',
    '{{x}}',
    '#quot;',
    'Fern',
    '\u0000',
  )
  const label = fc.array(hostile, { maxLength: 4 }).map((parts) => parts.join(' '))
  const kind = fc.constantFrom('graph LR', 'stateDiagram-v2', 'classDiagram', 'erDiagram')
  const line = fc.oneof(
    label.map((text) => `A["${text}"] --> B`),
    label.map((text) => `A -->|${text}| C`),
    label.map((text) => `A --> B: ${text}`),
    label.map((text) => `A ||--o{ B : "${text}"`),
    label.map((text) => `class A["${text}"]`),
  )
  await fc.assert(
    fc.asyncProperty(kind, fc.array(line, { minLength: 1, maxLength: 4 }), async (first, lines) => {
      const svg = await draw([first, ...lines].join('\n'))
      for (const token of xmlTokens(svg ?? '')) {
        expect(['open', 'close', 'text']).toContain(token.kind)
        if (token.kind !== 'open') continue
        expect(token.name).toMatch(
          /^(?:svg|g|defs|marker|path|rect|circle|ellipse|line|poly\w+|text|tspan)$/,
        )
        for (const { name, value } of token.attributes) {
          expect(name).not.toMatch(/^on|href|src/i)
          expect(value).toMatch(/^(?:[\w\s.,#()%+-]*|(?:m\w+-inline-size:\d+px;?){2})$/)
          expect(value).not.toMatch(/url\((?!#)/)
        }
      }
    }),
    { numRuns: 60 },
  )
})
