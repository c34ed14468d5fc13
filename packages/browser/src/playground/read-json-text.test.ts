import { describe, expect, test } from 'vitest'
import { lineOf, placeOf, readJsonText } from './read-json-text.ts'

const TEXT = '{\n  "name": "Fern",\n  "tags": [1, true],\n  "a/b": {"c": null}\n}'

describe('JSON text', () => {
  test('a value has its position, and a missing value has the position of its parent', () => {
    const read = readJsonText(TEXT)
    const at = (path: string) => {
      const { start, end } = placeOf(read, path)
      return `${lineOf(TEXT, start)} ${TEXT.slice(start, end)}`
    }
    expect(at('/name')).toBe('2 "Fern"')
    expect(at('/tags')).toBe('3 [')
    expect(at('/tags/1')).toBe('3 true')
    expect(at('/a~1b/c')).toBe('4 null')
    expect(at('/a~1b/d')).toBe('4 {')
    expect(at('/more')).toBe('1 {')
  })

  test('tokens of JSON text are marked for highlighting', () => {
    const kinds = readJsonText(TEXT).marks.map(({ kind }) => kind)
    expect(kinds).toEqual(['key', 'string', 'key', 'number', 'word', 'key', 'key', 'word'])
  })

  test.each([
    ['', 0],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['{"a": "x\ny"}', 6],
    ['["\\q"]', 1],
    ['[01]', 2],
    ['{} x', 3],
    ['{"a": ', 6],
    ['nul', 0],
  ])('the position of the first error is found in invalid JSON: %j', (text, at) => {
    expect(readJsonText(text).faultAt).toBe(at)
    expect(() => JSON.parse(text)).toThrow()
  })

  test.each(['1', ' null ', '"\\u00e9"', '[]', '{}', '[{"a":[-1.5e3]}]'])(
    'valid JSON has no error: %s',
    (text) => {
      expect(readJsonText(text).faultAt).toBeUndefined()
      expect(() => JSON.parse(text)).not.toThrow()
    },
  )
})
