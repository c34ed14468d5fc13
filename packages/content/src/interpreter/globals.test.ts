/** Tests the names that every expression can use. */
import { describe, expect, test } from 'vitest'
import { evaluateText } from '../../testing/evaluate-text.ts'
import { BROWSER_NAMES, createGlobals } from './globals.ts'
import type { Value } from './value.ts'

type Row = readonly [text: string, value: Value]

function table(rows: readonly Row[]): void {
  test.each(rows)('the expression %s evaluates to %j', (text, value) =>
    expect(evaluateText(text)).toEqual(value),
  )
}

describe('Object and Array', () => {
  table([
    ['Object.keys({ a: 1, b: 2 })', ['a', 'b']],
    ['Object.values({ a: 1 })', [1]],
    ['Object.entries({ a: 1 })', [['a', 1]]],
    ['Object.entries(["x"])', [['0', 'x']]],
    ['Object.keys(null)', []],
    ['Object.fromEntries([["a", 1], 2])', { a: 1 }],
    ['Object.assign({ a: 1 }, { b: 2 }, null)', { a: 1, b: 2 }],
    ['Object.freeze({ a: 1 })', { a: 1 }],
    ['Array.from({ length: 3 }, (_, index) => index * 2)', [0, 2, 4]],
    ['Array.from("ab")', ['a', 'b']],
    ['Array.from([1, 2])', [1, 2]],
    ['Array.isArray([])', true],
    ['Array.isArray("a")', false],
    ['Array.of(1, 2)', [1, 2]],
  ])
})

describe('numbers', () => {
  table([
    ['Math.max(1, 3, 2) + Math.min(1, 3)', 4],
    ['[Math.round(1.5), Math.floor(1.9), Math.ceil(1.1), Math.trunc(-1.9)]', [2, 1, 2, -1]],
    ['[Math.abs(-1), Math.sign(-5), Math.sqrt(9), Math.pow(2, 3)]', [1, -1, 3, 8]],
    ['[Math.log(1), Math.log2(8), Math.log10(100)]', [0, 3, 2]],
    ['Math.PI > 3 && Math.E > 2', true],
    ['Number("12") + Number("")', 12],
    ['[Number.isInteger(1), Number.isFinite(1 / 0), Number.isNaN("a")]', [true, false, false]],
    ['[Number.parseFloat("1.5x"), Number.parseInt("12px"), parseInt("ff", 16)]', [1.5, 12, 255]],
    ['[parseFloat("2.5"), isNaN("a")]', [2.5, true]],
    ['Infinity > 1e308', true],
  ])
})

describe('strings', () => {
  table([
    ['String(1) + String(null)', '1null'],
    ['String.fromCharCode(97, 98)', 'ab'],
    ['[Boolean(""), Boolean("a")]', [false, true]],
    ['encodeURIComponent("a b&c/ü")', 'a%20b%26c%2F%C3%BC'],
    ['encodeURI("/a b/ü")', '/a%20b/%C3%BC'],
    ['decodeURIComponent("a%20b")', 'a b'],
    ['encodeURIComponent("\\ud800")', '%EF%BF%BD'],
    ['JSON.parse("[1, {\\"a\\": null}]")', [1, { a: null }]],
    ['JSON.stringify({ a: [1, undefined, "b"], c: undefined })', '{"a":[1,null,"b"]}'],
    ['JSON.stringify([1], null, 2)', '[\n  1\n]'],
  ])

  test.each([
    ['JSON.parse("{")', 'unsupported: The expression parses invalid JSON'],
    ['decodeURIComponent("%")', 'unsupported: The expression decodes an invalid URI component'],
    ['Object.assign(Math, { a: 1 })', 'unsupported: The expression changes a read-only value'],
    ['Object.assign("a", {})', 'unsupported: The expression changes a read-only value'],
    ['Math.random()', 'browser: `.random()` is not evaluated at build time'],
    [
      'Object.defineProperty({}, "a", {})',
      'unsupported: `.defineProperty()` is not evaluated at build time',
    ],
    [
      'Object.getPrototypeOf({})',
      'unsupported: `.getPrototypeOf()` is not evaluated at build time',
    ],
  ])('the expression %s is rejected: %s', (text, problem) =>
    expect(evaluateText(text)).toBe(problem),
  )
})

describe('React hooks in their initial state', () => {
  table([
    ['useState(1)[0]', 1],
    ['useState(() => 2)[0]', 2],
    ['useState(1)[1](5)', undefined],
    ['useReducer((state) => state, 3)[0]', 3],
    ['useMemo(() => 4, [])', 4],
    ['useRef(5).current', 5],
    ['useRef().current', null],
    ['useCallback(a => a)(6)', 6],
    ['useEffect(() => missing)', undefined],
    ['React.useState(7)[0]', 7],
    ['useSyncExternalStore(null, null, () => 8)', 8],
    ['useTransition()[0]', false],
  ])
})

test('browser globals are not defined in expressions', () => {
  const globals = createGlobals()
  expect([...BROWSER_NAMES].filter((name) => globals.has(name))).toEqual([])
  for (const name of ['Date', 'localStorage', 'setTimeout', 'globalThis', 'console', 'Map'])
    expect(evaluateText(`${name}.a`)).toBe(`browser: \`${name}\` exists only in a browser`)
})

test('a page cannot change values that all pages share', () => {
  for (const name of ['Object', 'Array', 'Math', 'JSON', 'React'])
    expect(evaluateText(`${name}.keys = 1`)).toMatch(/^unsupported: A value that all pages share/)
})
