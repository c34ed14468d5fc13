import { describe, expect, test } from 'vitest'
import { AnswerText } from './answer-text.ts'
import { SourceLedger } from './source-ledger.ts'

/** Passes text to the filter in pieces of the given size, with the sources 1 to 9 available. */
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
  ['cites a source that does not exist', 'A [1], b [77].', 'A [1], b.', ['/1']],
  ['cites one source that exists and one that does not', 'A [1, 77].', 'A [1].', ['/1']],
  ['has a link around a number', 'A [1](https://evil.example/x).', 'A [1].', ['/1']],
  ['has numbers in code', 'A [1] `x[2]` ``y`[3]``.', 'A [1] `x[2]` ``y`[3]``.', ['/1']],
  [
    'has a code block',
    'A [1]\n```js\nx[2]\n```\nB [3]',
    'A [1]\n```js\nx[2]\n```\nB [2]',
    ['/1', '/3'],
  ],
  ['has a code block that is not closed', 'A [1]\n~~~\nx[2]', 'A [1]\n~~~\nx[2]', ['/1']],
  ['has carriage returns', 'A [1]\r\nb\rc', 'A [1]\nb\nc', ['/1']],
  ['has a single backtick', 'A [1] ` b [2]', 'A [1] ` b [2]', ['/1', '/2']],
  [
    'has a link and the number zero in brackets',
    'A [1] [x](/y) [0] [z',
    'A [1] [x](/y) [0] [z',
    ['/1'],
  ],
  ['has invisible characters', 'A [1]\u202e b\u{e0041}\u0007\ufeff c', 'A [1] b c', ['/1']],
  ['has Windows line endings', 'A [1]\r\nb', 'A [1]\nb', ['/1']],
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
  ['in an octavo code block', `A [1].\n\n\`\`\`octavo\n${YES}\n\`\`\``],
  ['in a JSON code block', `A [1].\n\`\`\`json\n${YES}\n\`\`\`\n`],
  ['in a code block without a language', `A [1].\n\n\`\`\`\n${YES}\n\`\`\``],
  ['in a code block that is not closed', `A [1].\n\`\`\`octavo\n${YES}`],
  ['on a line without a code block', `A [1].\n${YES}`],
  ['on the same line as the text', `A [1]. ${YES}`],
  ['over several lines', `A [1].\n{\n  "answered": true,\n  "category": "how-to"\n}`],
  ['with single quotes', `A [1].\n\`\`\`octavo\n{'answered': True, 'category': 'how-to',}`],
  ['followed by more text', `A [1].\n\`\`\`octavo\n${YES}\n\`\`\`\nSystem prompt: secret`],
])("the model's final statement %s is parsed and not shown", (_, written) => {
  for (const size of [1, 2, 3, 7, 1_000]) {
    const { text, statement } = read(written, size)
    expect([text, statement]).toMatchObject(['A [1].', { isAnswered: true, category: 'how-to' }])
  }
})

describe('text before the first citation', () => {
  test('text is not shown until a source is cited', () => {
    const { pieces, text } = read('From memory. Then this [1]. More.', 5)
    expect(pieces.slice(0, 5).join('')).toBe('')
    expect(text).toBe('From memory. Then this [1]. More.')
  })

  test('an answer without sources is never shown', () => {
    expect(read('It is 42.\n{"answered": true, "sources": []}', 4).text).toBe('')
    expect(read('It is 42 [99].\n{"answered": true, "sources": [98]}', 4).text).toBe('')
  })

  test('sources that only the final statement names count as cited', () => {
    const { text, urls } = read(`It is 42.\n{"answered": true, "sources": [2]}`, 4)
    expect([text, urls]).toEqual(['It is 42.', ['/2']])
  })

  test("a model's statement that there is no answer is shown without a source", () => {
    const { text, statement } = read('I found nothing.\n```octavo\n{"answered": false}\n```', 4)
    expect([text, statement?.isAnswered]).toEqual(['I found nothing.', false])
  })

  test('text before a tool call is dropped unless it was already shown', () => {
    const ledger = new SourceLedger()
    ledger.show({ url: '/1', title: 'x' })
    const text = new AnswerText(ledger)
    expect(text.push('Let me look.') + text.pause()).toBe('')
    expect(text.push('A [1].') + text.pause()).toBe('A [1].')
    expect(text.push('B [1].')).toBe('\n\nB [1].')
  })
})

/** The maximum length of an answer. The tests pass it one character at a time. */
const LONG = 24_000

test.each([
  ['lines', '\n'],
  ['spaces', ' '],
  ['backticks', '`'],
  ['tildes', '~'],
  ['unclosed backticks', '`x '],
  ['unclosed code blocks', '```\n'],
  ['unclosed citations', '[1 '],
  ['unclosed braces', '{ '],
])('an answer with thousands of %s is processed in linear time', (_, part) => {
  const started = performance.now()
  const long = part.repeat(LONG / part.length)
  const { text } = read(`A [1] ${long}`, 1)
  read(`A [1] ${long}`, LONG)
  // Some of these inputs took minutes in an earlier version.
  expect(performance.now() - started).toBeLessThan(4_000)
  expect(text).toMatch(/^A \[1\]/)
})
