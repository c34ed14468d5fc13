import { describe, expect, test } from 'vitest'
import { lineOf, placeOf, readJsonText } from './read-json-text.ts'

const TEXT = '{\n  "name": "Fern",\n  "tags": [1, true],\n  "a/b": {"c": null}\n}'

describe('a text of JSON', () => {
  test('has the place of each value; of what is missing, that of what should hold it', () => {
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

  test('has marks for its colors', () => {
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
  ])('that is none has the place where it ends to be: %j', (text, at) => {
    expect(readJsonText(text).faultAt).toBe(at)
    expect(() => JSON.parse(text)).toThrow()
  })

  test.each(['1', ' null ', '"\\u00e9"', '[]', '{}', '[{"a":[-1.5e3]}]'])('is read: %s', (text) => {
    expect(readJsonText(text).faultAt).toBeUndefined()
    expect(() => JSON.parse(text)).not.toThrow()
  })
})
