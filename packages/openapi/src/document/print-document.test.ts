import { describe, expect, test } from 'vitest'
import { parseDocument } from './parse-document.ts'
import { printDocument } from './print-document.ts'

const TEXTS = [
  '',
  ' a',
  'a ',
  'yes',
  'No',
  '1.10',
  '2024-01-01',
  '/plants/{id}',
  '#/components/a',
  'a: b',
  '- a',
  'one\ntwo',
  'one\n\n  two\n',
  'one\n',
  'one\n\n',
  '\none',
  'one \ntwo',
  'one\r\ntwo',
  'tab\tin\ntext',
  '\u0007 bell\n\u2028',
  '😀 "quoted" \\ back',
]
const VALUE = {
  texts: TEXTS,
  keys: Object.fromEntries(TEXTS.map((text, index) => [`${text}${index === 0 ? 'x' : ''}`, text])),
  nested: [[], {}, [[1, [2]], { a: [{ b: null, c: true }] }], -1.5e300],
}

describe('a printed document', () => {
  test.each(['json', 'yaml'] as const)('has the same values in %s', (format) => {
    const document = parseDocument('a.json', JSON.stringify(VALUE), () => {})
    const printed = document === undefined ? '' : printDocument(document, format)
    const problems: string[] = []
    const again = parseDocument(`a.${format}`, printed, ({ message }) => problems.push(message))
    expect(problems).toEqual([])
    expect(again?.value(again.root)).toEqual(VALUE)
  })

  test('keeps numbers as they are written', () => {
    const document = parseDocument(
      'a.yaml',
      'a: 1.10\nb: 12345678901234567890\nc: 0x1F\n',
      () => {},
    )
    const printed = document === undefined ? '' : printDocument(document, 'yaml')
    expect(printed).toBe('a: 1.10\nb: 12345678901234567890\nc: 31\n')
  })

  test('prints a list without keys and an empty document', () => {
    const list = parseDocument('a.json', '[[1], "a"]', () => {})
    const empty = parseDocument('a.json', '{}', () => {})
    expect(list && printDocument(list, 'yaml')).toBe('- - 1\n- a\n')
    expect(empty && printDocument(empty, 'yaml')).toBe('{}\n')
  })
})
