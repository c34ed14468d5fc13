/** JSONPath (RFC 9535), as overlays use it. */
import { describe, expect, test } from 'vitest'
import { parseDocument } from '../document/parse-document.ts'
import { EditedDocument } from '../overlays/edited-document.ts'
import { parseJsonPath } from './parse-json-path.ts'
import { StepBudget, TooMuchWork, ValueSelector } from './select-values.ts'

const LIMITS = { nodesMax: 1_000_000, depthMax: 128 }

function select(path: string, json: unknown, steps = 1_000_000): unknown[] | string {
  const document = parseDocument('a.json', JSON.stringify(json), () => {})
  const query = parseJsonPath(path)
  if (!('segments' in query)) return query.message
  if (document === undefined) return 'no document'
  const selector = new ValueSelector(new EditedDocument(document, LIMITS), new StepBudget(steps))
  return selector.select(query).map(({ value }) => document.value(value as number))
}

const STORE = {
  books: [
    { title: 'Moss', price: 8.95, tags: ['green', 'wet'] },
    { title: 'Fern', price: 12.99, isbn: '0-553' },
    { title: 'Rose', price: 8.99, isbn: null },
    { title: 'Oak', price: 22.5, 'x-internal': true },
  ],
  'a.b': { "it's": 1 },
}

describe('a JSONPath', () => {
  test.each([
    ['$', [STORE]],
    ['$.books[0].title', ['Moss']],
    ["$['books'][-1]['title']", ['Oak']],
    ['$.books[1:3].title', ['Fern', 'Rose']],
    ['$.books[::-2].title', ['Oak', 'Fern']],
    ['$.books[0,2].title', ['Moss', 'Rose']],
    ['$..isbn', ['0-553', null]],
    ['$..tags[*]', ['green', 'wet']],
    ["$['a.b']['it\\'s']", [1]],
    ['$["a.b"]["it\\u0027s"]', [1]],
    ['$.books[?@.isbn].title', ['Fern', 'Rose']],
    ['$.books[?!@.isbn].title', ['Moss', 'Oak']],
    ['$.books[?@.isbn == null].title', ['Rose']],
    ['$.books[?@.price < 9 && @.isbn == null || @.x-internal == true].title', ['Rose', 'Oak']],
    ["$.books[?@.title >= 'Oak'].title", ['Rose', 'Oak']],
    [
      "$.books[?@.tags == ['green']]",
      'a value is missing: a path such as `@.name`, a string, a number',
    ],
    ['$.books[?length(@.title) == 4 && count(@.*) == 3].title', ['Moss', 'Fern', 'Rose']],
    ["$.books[?match(@.title, '[A-P].*')].title", ['Moss', 'Fern', 'Oak']],
    ["$.books[?search(@.title, 'o')].title", ['Moss', 'Rose']],
    ["$.books[?@.tags[?@ == 'wet']].title", ['Moss']],
    ['$.books[?@.price == $.books[2].price].title', ['Rose']],
    ['$.missing[*]', []],
  ])('%s selects these values', (path, expected) => {
    expect(select(path, STORE)).toEqual(expected)
  })

  test.each([
    '',
    'books',
    '$.',
    '$..',
    '$ ',
    '$.books[',
    '$.books[01]',
    '$.books[?]',
    "$.books[?@.title = 'Moss']",
    '$.books[?@.* == 1]',
    "$.books[?match(@.title, 'M') == true]",
    '$.books[?size(@) == 1]',
    "$['a]",
    '$[9007199254740993]',
    `$${'[?@'.repeat(30)}${']'.repeat(30)}`,
    `$.${'a'.repeat(4_001)}`,
  ])('%s is not valid', (path) => {
    expect(select(path, STORE)).toBeTypeOf('string')
  })

  test('ends when it looked at too many values', () => {
    expect(select('$..*', STORE, 100)).toHaveLength(21)
    expect(() => select('$..*', STORE, 50)).toThrow(TooMuchWork)
    const list = Array.from({ length: 200 }, () => [[]])
    expect(() => select('$..[?count($..*) > 1 && count($..*) > 2]', list)).toThrow(TooMuchWork)
  })

  test('ends for a pattern that would backtrack without end', () => {
    const text = { a: { b: 'a'.repeat(40) } }
    expect(() => select("$[?match(@.b, '(a+)+b')]", text)).toThrow(TooMuchWork)
    expect(select("$[?match(@.b, '(')]", text)).toEqual([])
  })
})
