/**
 * Tests the plain YAML reader with random text: if it can read the text, its rows must be the same
 * as those from js-yaml's events.
 */
import fc from 'fast-check'
import { CORE_SCHEMA, dump } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { readTwice } from '../../testing/read-yaml-twice.ts'

describe('plain YAML reader and js-yaml', () => {
  test('the plain reader reads random YAML tokens like js-yaml', () => {
    const sign = fc.constantFrom(
      'a',
      'key',
      ': ',
      ':',
      ':\n',
      '- ',
      '-',
      '-\n',
      '\n',
      '\n ',
      '\n  ',
      '\n    ',
      ' ',
      '#',
      ' # c',
      "'",
      '"',
      "''",
      '\\',
      '\\n',
      '\\\n',
      '|',
      '>',
      '|\n',
      '>-\n',
      '|2\n',
      '+',
      '2',
      '[',
      ']',
      '{',
      '}',
      ', ',
      ',',
      'a: ',
      '"a": ',
      "'b': ",
      '\t',
      '\r\n',
      '\r',
      '---\n',
      '...',
      '&a ',
      '*a',
      '!t ',
      '? ',
      '<<: ',
      '%',
      '@',
      '~',
      'null',
      '1',
      '-1',
      '0x1F',
      '.inf',
      'é',
      '\u{1f600}',
      '\ufeff',
      '\u2028',
      '\x85',
      '\\u00e9',
      '\n\n',
      '\n \n',
      '\n# c\n',
    )
    const soup = fc.array(fc.oneof({ weight: 9, arbitrary: sign }, fc.string()), { maxLength: 16 })
    fc.assert(
      fc.property(soup, (signs) => {
        expectTheSame(signs.join(''))
      }),
    )
  })

  test('the plain reader reads random documents like js-yaml, even damaged ones', () => {
    const damage = fc.record({
      at: fc.nat(),
      removed: fc.nat(2),
      added: fc.constantFrom('', ' ', '  ', '\n', ':', '- ', '#', '"', "'", ']', '\t', ',', '&a'),
    })
    const damages = fc.oneof(fc.constant([]), fc.array(damage, { maxLength: 2 }))
    fc.assert(
      fc.property(documents(), damages, fc.boolean(), (document, all, isWindows) => {
        let text = document
        for (const { at, removed, added } of all) {
          const place = at % (text.length + 1)
          text = text.slice(0, place) + added + text.slice(place + removed)
        }
        expectTheSame(isWindows ? text.replaceAll('\n', '\r\n') : text)
      }),
    )
  })

  test('the plain reader reads values printed by js-yaml like js-yaml', () => {
    const value = fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 })
    const options = fc.record({
      indent: fc.integer({ min: 1, max: 4 }),
      flowLevel: fc.integer({ min: -1, max: 3 }),
      lineWidth: fc.constantFrom(-1, 10, 80),
      seqNoIndent: fc.boolean(),
      quoteStyle: fc.constantFrom('single' as const, 'double' as const),
      forceQuotes: fc.boolean(),
      flowSkipCommaSpace: fc.boolean(),
      flowSkipColonSpace: fc.boolean(),
    })
    fc.assert(
      fc.property(value, options, (any, style) => {
        const text = dump(any, { ...style, schema: CORE_SCHEMA })
        const plain = expectTheSame(text)
        // Keys on several lines, and characters that the plain reader does not handle.
        const isUnusual = /^[ -]*\? /m.test(text) || /[\x7f-\x9f\ufeff]/.test(text)
        if (!isUnusual) expect(plain, text).not.toBe('unusual')
      }),
    )
  })
})

function expectTheSame(text: string) {
  const { plain, events } = readTwice(text)
  if (plain !== 'unusual') expect(plain, JSON.stringify(text)).toEqual(events)
  return plain
}

/** Returns a random value as text, to be written after a key or a dash in this column. */
type Written = (column: number, isItem: boolean) => string

/** Generates whole documents, most of them valid. */
function documents(): fc.Arbitrary<string> {
  const { node } = fc.letrec<Record<'node' | 'flow', Written>>((tie) => ({
    flow: fc.oneof({ depthSize: 'small' }, inlineTexts(), flows(tie('flow'))),
    node: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(inlineTexts(), blockTexts()).map((text) => behindSpace(text)),
      fc.constant<Written>(() => ''),
      tie('flow').map((flow) => behindSpace(flow)),
      blocks(tie('node')),
      blocks(tie('node')),
    ),
  }))
  const beginning = fc.constantFrom('', '', '', '---\n', '# c\n', '\ufeff', '--- # c\n\n')
  const end = fc.constantFrom('', '\n', '\n', '\n\n# c', '\n...\n', ' ')
  return fc
    .tuple(beginning, blocks(node), end)
    .map(([before, written, after]) => `${before}${written(-1, false).slice(1)}${after}`)
}

function behindSpace(text: Written): Written {
  return (column) => ` ${text(column, false)}`
}

const PLAIN_TEXTS = [
  'a',
  'b c',
  'x:y',
  'a#b',
  '-1',
  '1.5',
  '0x1F',
  '1_000',
  '~',
  'TRUE',
  '.inf',
  'a, b',
  'a]',
  "it's",
  'a "b"',
  '$ref',
  '/a/{b}',
  'é',
  '---',
  '...',
  '<<',
  '-',
  '?',
  ':a',
  '&a',
  'a:',
  '|',
]
const FOLDS = ['\n', '\n', ' \n', '\n\n', '\n  \n', ' # c\n']
const LINE_ENDS = ['\n', '\n', '\n', '\n', '\n\n', '  \n', '\n   \n', ' # c\n', '\n # c\n']

function inlineTexts(): fc.Arbitrary<Written> {
  return fc.oneof(
    fc.constantFrom(...PLAIN_TEXTS).map(
      (text): Written =>
        () =>
          text,
    ),
    texts(PLAIN_TEXTS, ''),
    texts(['a', 'b c', ': ', ' #', "''", '"', '\\', ''], "'"),
    texts(['a', 'b c', ': ', ' #', "'", '\\n', '\\"', '\\u00e9', '\\\n', '\\x4'], '"'),
  )
}

function texts(words: readonly string[], quote: string): fc.Arbitrary<Written> {
  const furtherLine = fc.tuple(fc.constantFrom(...FOLDS), fc.nat(2), fc.constantFrom(...words))
  return fc
    .tuple(fc.constantFrom(...words), fc.array(furtherLine, { maxLength: 3 }))
    .map(([first, lines]) => (column) => {
      const further = lines.map(([end, more, text]) => `${end}${spaces(column + 1 + more)}${text}`)
      return `${quote}${first}${further.join('')}${quote}`
    })
}

function blockTexts(): fc.Arbitrary<Written> {
  const header = fc.constantFrom(
    '|',
    '>',
    '|-',
    '>-',
    '|+',
    '>+',
    '|2',
    '>1-',
    '|+3',
    '| # c',
    '>x',
  )
  const text = fc.constantFrom('a', 'b  ', 'c: d', '- e', '# f', '', '', '\tg', "'")
  const lines = fc.array(fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), text), { maxLength: 5 })
  return fc.tuple(header, fc.nat(2), lines).map(
    ([first, step, all]) =>
      (column) =>
        [first, ...all.map(([more, line]) => `${spaces(column + 1 + step + more)}${line}`)].join(
          '\n',
        ),
  )
}

const KEYS = ['a', 'b', '"c"', "'d' ", '200', '$ref', 'e f', 'a:b', '~', "'it''s'", '/a/{b}', '<<']

/** Generates lists and mappings in brackets. */
function flows(value: fc.Arbitrary<Written>): fc.Arbitrary<Written> {
  const colon = fc.constantFrom(': ', ': ', ': ', ' : ', ':')
  const gap = fc.constantFrom('', ' ', ' ', '\n', ' # c\n', '\n\n')
  const entry = fc.record({ gap, key: fc.constantFrom(...KEYS), colon, value })
  return fc
    .record({
      entries: fc.array(entry, { maxLength: 3 }),
      isObject: fc.boolean(),
      last: gap,
      step: fc.constantFrom(0, 1, 1, 1, 2),
    })
    .map(({ entries, isObject, last, step }) => (column) => {
      const lead = (text: string) =>
        text.endsWith('\n') ? `${text}${spaces(column + step)}` : text
      const written = entries.map((one) => {
        const key = isObject ? `${one.key}${one.colon}` : ''
        return `${lead(one.gap)}${key}${one.value(column, false)}`
      })
      const [open, close] = isObject ? '{}' : '[]'
      return `${open}${written.join(',')}${lead(last)}${close}`
    })
}

/** Generates lists and mappings by indentation. After a dash, they may start on the same line. */
function blocks(value: fc.Arbitrary<Written>): fc.Arbitrary<Written> {
  const end = fc.constantFrom(...LINE_ENDS)
  const entry = fc.record({ key: fc.constantFrom(...KEYS), value, end })
  return fc
    .record({
      entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
      isList: fc.boolean(),
      step: fc.nat(2),
      isCompact: fc.boolean(),
    })
    .map(({ entries, isList, step, isCompact }) => (parent, isItem) => {
      // A list may start in the column of its key. The top level starts in the first column.
      const isOnLine = isItem && isCompact
      const isLevel = isList && step === 0 && !isItem && parent >= 0
      const column = parent < 0 ? 0 : parent + (isLevel ? 0 : 1 + step + (isOnLine ? 1 : 0))
      const lines = entries.map((one) => {
        const begin = isList ? '-' : `${one.key}:`
        return `${begin}${one.value(column, isList)}`
      })
      const joined = lines.map((line, at) => {
        const before = entries[at - 1]
        return before === undefined ? line : `${before.end}${spaces(column)}${line}`
      })
      return `${isOnLine ? spaces(1 + step) : `\n${spaces(column)}`}${joined.join('')}`
    })
}

function spaces(count: number): string {
  return ' '.repeat(count)
}
