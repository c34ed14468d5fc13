import { describe, expect, test } from 'vitest'
import { AnswerText } from './answer-text.ts'
import { SourceLedger } from './source-ledger.ts'

/** Reads a text in pieces of the given size, with sources 1 to 9 available. */
function read(written: string, size: number) {
  const ledger = new SourceLedger()
  for (let number = 1; number <= 9; number += 1) ledger.show({ url: `/${number}`, title: 'x' })
  const text = new AnswerText(ledger)
  const pieces: string[] = []
  for (let at = 0; at < written.length; at += size)
    pieces.push(text.push(written.slice(at, at + size)))
  const last = text.end()
  return {
    pieces,
    text: [...pieces, last.text].join(''),
    statement: last.statement,
    urls: ledger.cited.map(({ url }) => url),
  }
}

const YES = '{"answered": true, "category": "how-to", "sources": [1]}'

test.each([
  ['cites', 'Use it [3]. Or not [1].', 'Use it [1]. Or not [2].', ['/3', '/1']],
  ['cites twice', 'A [2], b [2].', 'A [1], b [1].', ['/2']],
  ['cites several at once', 'A [2, 3][4].', 'A [1][2][3].', ['/2', '/3', '/4']],
  ['cites in other brackets', 'A【2†source】 and [^3].', 'A[1] and [2].', ['/2', '/3']],
  ['invents one', 'A [1], b [77].', 'A [1], b.', ['/1']],
  ['invents one among others', 'A [1, 77].', 'A [1].', ['/1']],
  ['links a number', 'A [1](https://evil.example/x).', 'A [1].', ['/1']],
  ['has numbers in code', 'A [1] `x[2]` ``y`[3]``.', 'A [1] `x[2]` ``y`[3]``.', ['/1']],
  [
    'has a block of code',
    'A [1]\n```js\nx[2]\n```\nB [3]',
    'A [1]\n```js\nx[2]\n```\nB [2]',
    ['/1', '/3'],
  ],
  ['has an open block', 'A [1]\n~~~\nx[2]', 'A [1]\n~~~\nx[2]', ['/1']],
  ['ends lines in another way', 'A [1]\r\nb\rc', 'A [1]\nb\nc', ['/1']],
  ['has a lone mark', 'A [1] ` b [2]', 'A [1] ` b [2]', ['/1', '/2']],
  ['has a link and a footnote of zero', 'A [1] [x](/y) [0] [z', 'A [1] [x](/y) [0] [z', ['/1']],
  ['hides words', 'A [1]\u202e b\u{e0041}\u0007\ufeff c', 'A [1] b c', ['/1']],
  ['has lines of Windows', 'A [1]\r\nb', 'A [1]\nb', ['/1']],
  ['has emoji and accents', 'é 👩‍👩‍👧 [1] नि', 'é 👩‍👩‍👧 [1] नि', ['/1']],
  ['ends in spaces', '\n A [1] \n\n', 'A [1]', ['/1']],
  ['has braces', 'A [1] { b: 1 } {"answer": 2}', 'A [1] { b: 1 } {"answer": 2}', ['/1']],
])('an answer that %s is shown correctly for any chunk size', (_, written, shown, urls) => {
  for (const size of [1, 2, 3, 7, 1_000]) {
    const { text, urls: cited, statement } = read(written, size)
    expect([text, cited, statement]).toEqual([shown, urls, undefined])
  }
})

test.each([
  ['in its block', `A [1].\n\n\`\`\`octavo\n${YES}\n\`\`\``],
  ['in a block of JSON', `A [1].\n\`\`\`json\n${YES}\n\`\`\`\n`],
  ['in a block without a name', `A [1].\n\n\`\`\`\n${YES}\n\`\`\``],
  ['in a block that is not closed', `A [1].\n\`\`\`octavo\n${YES}`],
  ['on a line', `A [1].\n${YES}`],
  ['in the line of the text', `A [1]. ${YES}`],
  ['over several lines', `A [1].\n{\n  "answered": true,\n  "category": "how-to"\n}`],
  ['in other quotes', `A [1].\n\`\`\`octavo\n{'answered': True, 'category': 'how-to',}`],
  ['with more behind it', `A [1].\n\`\`\`octavo\n${YES}\n\`\`\`\nSystem prompt: secret`],
])('a statement %s is parsed and not shown', (_, written) => {
  for (const size of [1, 2, 3, 7, 1_000]) {
    const { text, statement } = read(written, size)
    expect([text, statement]).toMatchObject(['A [1].', { isAnswered: true, category: 'how-to' }])
  }
})

describe('text before the first citation', () => {
  test('text is held back until a source is cited', () => {
    const { pieces, text } = read('From memory. Then this [1]. More.', 5)
    expect(pieces.slice(0, 5).join('')).toBe('')
    expect(text).toBe('From memory. Then this [1]. More.')
  })

  test('an answer without sources is never shown', () => {
    expect(read('It is 42.\n{"answered": true, "sources": []}', 4).text).toBe('')
    expect(read('It is 42 [99].\n{"answered": true, "sources": [98]}', 4).text).toBe('')
  })

  test('sources named only in the final statement count as cited', () => {
    const { text, urls } = read(`It is 42.\n{"answered": true, "sources": [2]}`, 4)
    expect([text, urls]).toEqual(['It is 42.', ['/2']])
  })

  test('a statement that there is no answer is shown without a source', () => {
    const { text, statement } = read('I found nothing.\n```octavo\n{"answered": false}\n```', 4)
    expect([text, statement?.isAnswered]).toEqual(['I found nothing.', false])
  })

  test('text written before a tool call is dropped unless it was already shown', () => {
    const ledger = new SourceLedger()
    ledger.show({ url: '/1', title: 'x' })
    const text = new AnswerText(ledger)
    expect(text.push('Let me look.') + text.pause()).toBe('')
    expect(text.push('A [1].') + text.pause()).toBe('A [1].')
    expect(text.push('B [1].')).toBe('\n\nB [1].')
  })
})

/** The maximum length of an answer, fed one character at a time. */
const LONG = 24_000

test.each([
  ['lines', '\n'],
  ['spaces', ' '],
  ['marks of code', '`'],
  ['other marks of code', '~'],
  ['open marks', '`x '],
  ['open blocks', '```\n'],
  ['open citations', '[1 '],
  ['open braces', '{ '],
])('thousands of %s are processed in linear time', (_, part) => {
  const started = performance.now()
  const long = part.repeat(LONG / part.length)
  const { text } = read(`A [1] ${long}`, 1)
  read(`A [1] ${long}`, LONG)
  // Some of these inputs used to take minutes.
  expect(performance.now() - started).toBeLessThan(4_000)
  expect(text).toMatch(/^A \[1\]/)
})
