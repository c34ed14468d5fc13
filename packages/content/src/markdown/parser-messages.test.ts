/**
 * Tests the parser's message for each mistake. Repairs depend on these messages, so if they differ
 * in a new parser version, this test fails instead of an author's page.
 */
import { mdxToMdast } from 'satteri'
import { describe, expect, test } from 'vitest'
import { parseMarkdown } from './parse-markdown.ts'
import { offsetOfMessage, PARSER_MESSAGES } from './repair-mdx.ts'

function messageFor(text: string): string {
  try {
    mdxToMdast(text)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return '(none)'
}

/** Returns the diagnostics for the author; empty if the text is shown as intended. */
function problemsOf(text: string): readonly string[] {
  return parseMarkdown(text, 'mdx').problems.map(({ code, message }) => `${code} ${message}`)
}

const NOT_A_TAG = (text: string) =>
  `content/unescaped-character \`${text}\` is not a complete tag, so it is shown as text.`
const NOT_AN_EXPRESSION = (text: string) =>
  `content/unescaped-character \`${text}\` is not a valid expression, so it is shown as text.`

type Mistake = {
  readonly text: string
  readonly message: string
  readonly parts: readonly (keyof typeof PARSER_MESSAGES)[]
  readonly problems: readonly string[]
}

const MISTAKES: readonly Mistake[] = [
  {
    text: '<br>\n\ntext',
    message: '1:1: Expected a closing tag for `<br>` (1:1) (mdx-jsx:unexpected-character)',
    parts: ['missingClosingTag'],
    problems: ['content/syntax `<br>` is never closed.'],
  },
  {
    text: '<Note>a\nb\n</Note>',
    message:
      '1:1: Expected a closing tag for `<Note>` (1:1) before the end of `paragraph` (mdx-jsx:unexpected-character)',
    parts: ['missingClosingTag', 'beforeTheEnd'],
    problems: ['content/syntax `<Note>` opens in the middle of a paragraph and closes outside it.'],
  },
  {
    text: '- <b>\n\ntext',
    message:
      '1:3: Expected a closing tag for `<b>` (1:3) before the end of `listItem` (mdx-jsx:unexpected-character)',
    parts: ['missingClosingTag', 'beforeTheEnd'],
    problems: [NOT_A_TAG('<b>')],
  },
  {
    text: '<a></b></a>',
    message:
      '1:4: Unexpected closing tag `</b>`, expected corresponding closing tag for `<a>` (1:1) (mdx-jsx:unexpected-character)',
    parts: ['otherClosingTag'],
    problems: [NOT_A_TAG('</b></a>')],
  },
  {
    text: 'a </expression> b',
    message:
      '1:3: Unexpected closing tag `</expression>`, expected an open tag first (mdx-jsx:unexpected-character)',
    parts: [],
    problems: [NOT_A_TAG('</expression> b')],
  },
  {
    text: 'Takes <1 ms',
    message:
      '1:7: Unexpected character after `<`, expected a valid JSX tag (note: to create a link in MDX, use `[text](url)`) (mdx-jsx:unexpected-character)',
    parts: [],
    problems: [NOT_A_TAG('<1 ms')],
  },
  {
    text: 'a <!-- b --> c',
    message:
      '1:3: Unexpected character `!` (U+0021) before name, expected a character that can start a name, such as a letter, `$`, or `_` (note: to create a comment in MDX, use `{/* text */}`) (mdx-jsx:unexpected-character)',
    parts: [],
    problems: [],
  },
  {
    text: 'a {b',
    message:
      '1:3: Unexpected end of file in expression, expected a corresponding closing brace for `{` (mdx-jsx:unexpected-character)',
    parts: ['openExpression'],
    problems: [NOT_AN_EXPRESSION('{b')],
  },
  {
    text: 'a {"b": 1}',
    message:
      '1:7: Could not parse expression with oxc: Expected `,` or `)` but found `:` (mdx-jsx:unexpected-character)',
    parts: ['wrongExpression'],
    problems: [NOT_AN_EXPRESSION('{"b": 1}')],
  },
  {
    text: 'a {{ b(1) }} c',
    message:
      '1:8: Could not parse expression with oxc: Unexpected token (mdx-jsx:unexpected-character)',
    parts: ['wrongExpression'],
    problems: [NOT_AN_EXPRESSION('{{ b(1) }} c')],
  },
  {
    text: '<Note>\n<Card title="a > b">\n</Note>',
    message:
      '3:1: Unexpected closing tag `</Note>`, expected corresponding closing tag for `<Card>` (2:1) (mdx-jsx:unexpected-character)',
    parts: ['otherClosingTag'],
    problems: ['content/syntax `<Card>` is never closed.'],
  },
]

describe.each(MISTAKES)('$text', ({ text, message, parts, problems }) => {
  test('the parser reports the message that repairs expect', () => {
    expect(messageFor(text)).toBe(message)
    const names = Object.keys(PARSER_MESSAGES) as (keyof typeof PARSER_MESSAGES)[]
    expect(names.filter((name) => message.includes(PARSER_MESSAGES[name]))).toEqual(parts)
  })

  test('the mistake is repaired without falling back to plain Markdown', () => {
    expect(problemsOf(text)).toEqual(problems)
  })
})

test('every parser message that repairs search for occurs in a test case', () => {
  expect(new Set(MISTAKES.flatMap(({ parts }) => parts))).toEqual(
    new Set(Object.keys(PARSER_MESSAGES)),
  )
})

describe('message offsets', () => {
  test.each([
    ['a\nb <1', 4],
    ['a\r\nb <1', 5],
    ['a\rb <1', 4],
    ['\r\r\n\n\rb <1', 7],
    ['é😀 <1', 4],
  ])("the offset of the parser's message is correct in %j", (text, offset) => {
    expect(offsetOfMessage(text, messageFor(text))).toBe(offset)
    expect(text.charAt(offset)).toBe('<')
  })

  test('a parser message without a position has no offset', () => {
    expect(offsetOfMessage('a', 'The page has no content.')).toBeUndefined()
  })
})
