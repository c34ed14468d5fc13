import { expect, test } from 'vitest'
import { WordPieces } from './word-pieces.ts'

const VOCABULARY = ['[CLS]', '[SEP]', '[UNK]', 'hello', 'wor', '##ld', ',', '!', '中', '文']
const pieces = new WordPieces(
  Object.fromEntries(VOCABULARY.map((piece, number) => [piece, number])),
)

test.each([
  ['Hello, Wörld!', [0, 3, 6, 4, 5, 7, 1]],
  ['hello\u0000\n\thello', [0, 3, 3, 1]],
  ['worldly', [0, 2, 1]],
  ['中文', [0, 8, 9, 1]],
  ['x'.repeat(101), [0, 2, 1]],
  ['', [0, 1]],
])('the text %j is split into the pieces %j', (text, numbers) => {
  expect(pieces.encode(text)).toEqual(numbers)
})

test('a long text is truncated, but still ends with the end marker', () => {
  const numbers = pieces.encode('hello '.repeat(1_000))
  expect(numbers).toHaveLength(256)
  expect(numbers.at(-1)).toBe(1)
})
