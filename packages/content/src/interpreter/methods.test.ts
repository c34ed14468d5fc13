/** Tests the methods of strings, lists, numbers and patterns in an expression. */
import { describe, expect, test } from 'vitest'
import { evaluateText } from '../../testing/evaluate-text.ts'
import type { Value } from './value.ts'

type Row = readonly [text: string, value: Value]

function table(rows: readonly Row[]): void {
  test.each(rows)('the expression %s evaluates to %j', (text, value) =>
    expect(evaluateText(text)).toEqual(value),
  )
}

describe('methods of strings', () => {
  table([
    ['"abc".at(-1)', 'c'],
    ['"abc".charAt(1)', 'b'],
    ['"abc".charCodeAt(0)', 97],
    ['"a".concat("b", 1)', 'ab1'],
    ['"abc".endsWith("c")', true],
    ['"abc".startsWith("b")', false],
    ['"abc".includes("b")', true],
    ['"abcb".indexOf("b")', 1],
    ['"abcb".indexOf("b", 2)', 3],
    ['"abcb".lastIndexOf("b")', 3],
    ['"a".localeCompare("b")', -1],
    ['"b1 b2".match(/b[0-9]/g)', ['b1', 'b2']],
    ['"a".match(/b/)', null],
    ['"1".padStart(3, "0")', '001'],
    ['"1".padEnd(3)', '1  '],
    ['"ab".repeat(3)', 'ababab'],
    ['"a-a".replace("a", "b")', 'b-a'],
    ['"a-a".replaceAll("a", "b")', 'b-b'],
    ['"a1b2".replace(/[0-9]/g, "#")', 'a#b#'],
    ['"ab".replace("a", (found) => found.toUpperCase())', 'Ab'],
    ['"ab".replace("a", "$&$&")', '$&$&b'],
    ['"abc".slice(-2)', 'bc'],
    ['"abc".slice(0, 2)', 'ab'],
    ['"a,b".split(",")', ['a', 'b']],
    ['"ab".split("")', ['a', 'b']],
    ['"a b".split(/ /)', ['a', 'b']],
    ['"ab".split()', ['ab']],
    ['"abcd".substr(1, 2)', 'bc'],
    ['"abcd".substr(-2)', 'cd'],
    ['"abcd".substring(2, 1)', 'b'],
    ['"A".toLowerCase() + "b".toUpperCase()', 'aB'],
    ['"A".toLocaleLowerCase() + "b".toLocaleUpperCase()', 'aB'],
    ['" a ".trim()', 'a'],
    ['" a ".trimStart() + "|"', 'a |'],
    ['" a ".trimEnd()', ' a'],
    ['"a".toString() + "b".valueOf()', 'ab'],
  ])
})

describe('methods of lists', () => {
  table([
    ['[1, 2].at(-1)', 2],
    ['[1].concat([2], 3)', [1, 2, 3]],
    ['["a"].entries()', [[0, 'a']]],
    ['[1, 2].every(n => n > 0)', true],
    ['[1, 2].some(n => n > 1)', true],
    ['[1, 2, 3].filter((n, index) => index > 0)', [2, 3]],
    ['[1, 2].find(n => n > 1)', 2],
    ['[1, 2].find(n => n > 5)', undefined],
    ['[1, 2].findIndex(n => n > 5)', -1],
    ['[1, [2, [3]]].flat()', [1, 2, [3]]],
    ['[1, [2, [3]]].flat(Infinity)', [1, 2, 3]],
    ['[1, 2].flatMap(n => [n, n])', [1, 1, 2, 2]],
    ['[1].forEach(n => n)', undefined],
    ['[1, NaN].includes(NaN)', true],
    ['[1, 2].indexOf(2)', 1],
    ['[1, 2, 1].lastIndexOf(1)', 2],
    ['[1, null, "a"].join("-")', '1--a'],
    ['[1, 2].join()', '1,2'],
    ['[7, 8].keys()', [0, 1]],
    ['[1, 2].map((n, index, all) => n + index + all.length)', [3, 5]],
    ['[1, 2, 3].reduce((sum, n) => sum + n)', 6],
    ['[1, 2].reduce((sum, n) => sum + n, "")', '12'],
    ['[].reduce((sum, n) => sum + n, 5)', 5],
    ['[1, 2, 3].slice(1)', [2, 3]],
    ['[2, 10, 1].sort()', [1, 10, 2]],
    ['[2, 10, 1].sort((a, b) => a - b)', [1, 2, 10]],
    ['[2, 1].toSorted()', [1, 2]],
    ['[1, 2].reverse()', [2, 1]],
    ['[1, 2].toReversed()', [2, 1]],
    ['[1, 2].toString()', '1,2'],
    ['[1, 2].values()', [1, 2]],
    [
      '(list => [list.push(3), list.pop(), list.unshift(0), list.shift(), list])([1])',
      [2, 3, 2, 0, [1]],
    ],
  ])
})

describe('methods of numbers and patterns', () => {
  table([
    ['(1.256).toFixed(2)', '1.26'],
    ['(1).toFixed()', '1'],
    ['(1234.5).toLocaleString()', '1,234.5'],
    ['(12).toString() + (1).valueOf()', '121'],
    ['/b/.test("abc")', true],
    ['/^b/.test("abc")', false],
    ['/B/i.test("abc")', true],
  ])
})

describe('regular expressions without backtracking', () => {
  test.each(['/a+/', '/a|b+/', '/[a-z]*/', '/\\(\\)/', '/a{2}/'])(
    'the regular expression %s is accepted',
    (pattern) => {
      expect(evaluateText(`typeof ${pattern}.test("a")`)).toBe('boolean')
    },
  )

  test.each(['/(a)/', '/(a+)+/', '/a+b+/', '/a*a*/', '/(?=a)/', '/a?b?/'])(
    'the regular expression %s is rejected',
    (pattern) => {
      const problem =
        'unsupported: The expression uses a regular expression that is not evaluated at build time'
      expect(evaluateText(`${pattern}.test("a")`)).toBe(problem)
      expect(evaluateText(`"a".replace(${pattern}, "b")`)).toBe(problem)
    },
  )
})

test.each([
  ['"a".normalize()', 'browser: `.normalize()` is not evaluated at build time'],
  ['"a".matchAll(/a/g)', 'browser: `.matchAll()` is not evaluated at build time'],
  ['[1].splice(0)', 'browser: `.splice()` is not evaluated at build time'],
  ['(1).toPrecision(2)', 'browser: `.toPrecision()` is not evaluated at build time'],
  ['/a/.exec("a")', 'unsupported: `.exec()` is not evaluated at build time'],
  ['"a".match("a")', 'unsupported: The expression needs a regular expression'],
  [
    '[<b />].join()',
    'unsupported: The expression joins values that are not strings, or the result is too long',
  ],
])('the expression %s is rejected: %s', (text, problem) => expect(evaluateText(text)).toBe(problem))
