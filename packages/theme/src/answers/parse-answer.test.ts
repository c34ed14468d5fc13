import { describe, expect, test } from 'vitest'
import { HOSTILE_ANSWERS } from './hostile-answers.case.ts'
import { type Block, parseAnswer } from './parse-answer.ts'
import type { Inline } from './parse-inline.ts'
import { safeLink } from './safe-link.ts'

const SITE = { origin: 'https://docs.example.com', base: '' }
const parse = (text: string, site = SITE) => parseAnswer(text, site).map(({ block }) => block)

/** Prints a part as text: a link with its target, any other part with its type. */
function print(part: Block | Inline): string {
  const all = (parts: readonly (Block | Inline)[]) => parts.map(print).join('')
  switch (part.type) {
    case 'text':
      return part.text
    case 'code':
      return 'label' in part ? `{code ${part.label}: ${part.text}}` : `{code: ${part.text}}`
    case 'break':
      return '{break}'
    case 'citation':
      return `{cite ${part.number}}`
    case 'link':
      return `{link ${part.link.href}${part.link.host === undefined ? '' : ` at ${part.link.host}`}: ${all(part.children)}}`
    case 'list':
      return `{${part.start === undefined ? 'list' : `list from ${part.start}`}: ${part.items.map(all).join('; ')}}`
    case 'table':
      return `{table: ${part.rows.map((row) => row.map(all).join(', ')).join('; ')}}`
    default:
      return `{${part.type}: ${all(part.children)}}`
  }
}
const printed = (text: string) => parse(text).map(print).join(' ')

describe('parsed answers', () => {
  test.each([
    [
      'Plain *a* **b** `c` ***d***.',
      '{paragraph: Plain {emphasis: a} {strong: b} {code: c} {strong: {emphasis: d}}.}',
    ],
    ['One [1]. Two [2][3].', '{paragraph: One{cite 1}. Two{cite 2}{cite 3}.}'],
    ['`list[1]` and snake_case_name', '{paragraph: {code: list[1]} and snake_case_name}'],
    ['a  \nb\nc', '{paragraph: a{break}b\nc}'],
    ['# Title\ntext', '{heading: Title} {paragraph: text}'],
    [
      '- a\n- b\n  more\n\n  para\n- c',
      '{list: {paragraph: a}; {paragraph: b\nmore}{paragraph: para}; {paragraph: c}}',
    ],
    [
      '1. a\n   ```sh\n   x\n   ```\n2. b',
      '{list from 1: {paragraph: a}{code sh: x}; {paragraph: b}}',
    ],
    ['- a\n  - b\n    - c', '{list: {paragraph: a}{list: {paragraph: b}{list: {paragraph: c}}}}'],
    [
      '```json docs.json\n{\n  "a": 1\n}\n```\nafter',
      '{code docs.json: {\n  "a": 1\n}} {paragraph: after}',
    ],
    ['~~~\n```\n~~~', '{code : ```}'],
    ['> a\n> b', '{quote: {paragraph: a\nb}}'],
    ['| a | b |\n|---|:-:|\n| `x\\|y` | 2 |', '{table: a, b; {code: x|y}, 2}'],
    ['[a](/b#c) [d](guide)', '{paragraph: {link /b#c: a} {link /guide: d}}'],
    ['[a](https://docs.example.com/x?y=1)', '{paragraph: {link /x?y=1: a}}'],
    [
      '[a](https://other.example/x)',
      '{paragraph: {link https://other.example/x at other.example: a}}',
    ],
    [
      'See https://other.example/x.',
      '{paragraph: See {link https://other.example/x: https://other.example/x}.}',
    ],
    ['\\*no\\* \\[1]', '{paragraph: *no* [1]}'],
    ['![words](/a.png)', '{paragraph: words}'],
    ['<b>x</b>', '{paragraph: <b>x</b>}'],
  ])('the answer %j is parsed as Markdown', (text, expected) => {
    expect(printed(text)).toBe(expected)
  })

  test('a growing answer keeps its completed blocks unchanged', () => {
    const text = 'One.\n\n- a\n- b\n\n```js\nx\n```\n\nLast'
    const whole = parseAnswer(text, SITE)
    for (let end = 1; end <= text.length; end += 1) {
      const blocks = parseAnswer(text.slice(0, end), SITE)
      for (const [index, { source }] of blocks.slice(0, -1).entries())
        expect(source).toBe(whole[index]?.source)
    }
  })
})

describe('links in answers', () => {
  test.each([
    ['/a', { href: '/docs/a', host: undefined }],
    ['/docs/a', { href: '/docs/a', host: undefined }],
    ['https://docs.example.com/other', { href: '/other', host: undefined }],
    ['//evil.example/a', { href: 'https://evil.example/a', host: 'evil.example' }],
    ['/\\evil.example/a', { href: 'https://evil.example/a', host: 'evil.example' }],
    [
      'https://dосs.example/',
      { href: 'https://xn--ds-fmcm.example/', host: 'xn--ds-fmcm.example' },
    ],
    ['http://docs.example.com/', { href: 'http://docs.example.com/', host: 'docs.example.com' }],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['mailto:a@b.example', undefined],
    ['https://docs.example.com@evil.example/', undefined],
    [`/${'a'.repeat(3_000)}`, undefined],
  ])('the address %s becomes a safe link or no link', (address, expected) => {
    expect(safeLink(address, { ...SITE, base: '/docs' })).toEqual(expected)
  })
})

const KINDS = new Set([
  ...['paragraph', 'heading', 'code', 'list', 'quote', 'table'],
  ...['text', 'strong', 'emphasis', 'link', 'citation', 'break'],
])
/** Matches invisible control and format characters, except line breaks, tabs and joiners. */
const HIDDEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/u

describe('hostile answers', () => {
  test('there are at least 60 hostile answers', () =>
    expect(HOSTILE_ANSWERS.length).toBeGreaterThanOrEqual(60))

  test.each(HOSTILE_ANSWERS)(
    'a hostile answer with %s becomes text and links that show their host',
    (_, answer) => {
      const started = performance.now()
      const blocks = parse(answer)
      expect(performance.now() - started).toBeLessThan(1_000)
      expect(blocks.map(print).join('')).not.toMatch(HIDDEN)
      const parts: (Block | Inline)[] = [...blocks]
      for (const part of parts) {
        expect(KINDS).toContain(part.type)
        if ('children' in part) parts.push(...part.children)
        if (part.type === 'list') parts.push(...part.items.flat())
        if (part.type === 'table') parts.push(...part.rows.flat(2))
        if (part.type !== 'link') continue
        const { href, host } = part.link
        const isOwn = /^\/(?![/\\])/.test(href)
        if (isOwn) continue
        expect(href).toMatch(/^https?:\/\//)
        // A bare URL already shows its host.
        if (host === undefined) expect(part.children).toEqual([{ type: 'text', text: href }])
        else expect(host).toBe(new URL(href).host)
      }
    },
  )
})
