import { expect, test } from 'vitest'
import { mayBeForeign } from './may-be-foreign.ts'

/** A page with ordinary content: components, code with options, prices, ids and comments. */
const ORDINARY = `# Title {#id}

<Card title="A: b" style={{ width: '30%' }}>Costs $5 = **cheap**, see [a][1] at 10:30:45.</Card>

{/* A comment */}

\`\`\`js app.js {1,3-4} lines
const same = a === b && list[0][1] // 'text'
\`\`\`

[1]: https://example.com/#part
`

test('an ordinary page has no sign of another tool', () => {
  expect(mayBeForeign(ORDINARY, 'mdx')).toBe(false)
})

test.each([
  ':::note',
  '!!! note',
  '=== "Tab"',
  '{% hint %}',
  '/// note | Title',
  '--8<-- "a.md"',
  '[[toc]]',
  '*[HTML]: Hypertext',
  '## Title [#id]',
  '[text][package.Name]',
  'Press ++ctrl++',
  '\\(x^2\\)',
  '```js{1}',
  '```ts tab',
  '```mdx-code-block',
  '```py\na # (1)!\n```',
])('the text %j is recognized as possible syntax of another tool', (text) => {
  expect(mayBeForeign(`Text.\n\n${text}\n`, 'mdx')).toBe(true)
})

test('plain Markdown is always searched, since JSX is foreign in it', () => {
  expect(mayBeForeign('Text.', 'md')).toBe(true)
})
