import { describe, expect, test } from 'vitest'
import { parseDocument } from './parse-document.ts'

/** Returns the line and column of a word in the description of a document. */
function placeOf(file: string, source: string, word: string): string {
  const document = parseDocument(file, source, () => {})
  const node = document?.field(document.root, 'description')
  if (document === undefined || node === undefined) throw new Error('There is no description.')
  const at = document.text(node).indexOf(word)
  if (at < 0) throw new Error(`There is no "${word}" in "${document.text(node)}".`)
  const { line, column } = document.placeAt(document.offsets(node)(at))
  return `${line}:${column}`
}

describe('offsets of words', () => {
  test.each([
    ['as written', '{ "description": "See here." }', '1:23'],
    ['after an escape', '{ "description": "\\"See\\"\\n here." }', '1:29'],
    ['after an escaped letter', '{ "description": "S\\u00e9e \\ud83c\\udf31 here." }', '1:41'],
  ])('a word is located in JSON text: %s', (_, source, expected) => {
    expect(placeOf('openapi.json', source, 'here')).toBe(expected)
  })

  test.each([
    ['plain', 'description: See here.\n', '1:18'],
    ['plain, on its second line', 'description: See\n  the words\n\n  here.\n', '4:3'],
    ['in single quotes', "description: 'It''s here.'\n", '1:21'],
    ['in single quotes, on its second line', "description: 'It''s\n  all here.'\n", '2:7'],
    ['in double quotes', 'description: "\\"See\\" \\U0001F331 here."\n', '1:34'],
    ['in double quotes, after a continued line', 'description: "See \\\n   \\ here."\n', '2:6'],
    ['in a literal block', 'description: |\n  See\n\n    all\n  over here.\n', '5:8'],
    ['in a literal block with an indicator', 'description: |2-\n    See\n   here.\n', '3:4'],
    ['in a folded block', 'description: >-\n  See\n  over\n\n  here.\n', '5:3'],
    ['in a folded block with an indented line', 'description: >\n  See\n    all\n  here.\n', '4:3'],
    ['with Windows line breaks', 'description: |\r\n  See\r\n  here.\r\n', '3:3'],
    ['in brackets', '{ description: "See\n  here." }\n', '2:3'],
    ['behind an alias', 'summary: &a |\n  See\n  here.\ndescription: *a\n', '3:3'],
  ])('a word is located in YAML text: %s', (_, source, expected) => {
    expect(placeOf('openapi.yaml', source, 'here')).toBe(expected)
  })
})

test('an offset after the end of a text is mapped to its end in the file', () => {
  const document = parseDocument('openapi.json', '{ "description": "a\\n" }', () => {})
  const node = document?.field(document.root, 'description') ?? 0
  expect(document?.offsets(node)(99)).toBe(21)
})
