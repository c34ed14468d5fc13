/** Tests the expressions that a page may use: literals, operators, members, calls, patterns. */
import { describe, expect, test } from 'vitest'
import { evaluateText } from '../../testing/evaluate-text.ts'
import type { Value } from './value.ts'

type Row = readonly [text: string, value: Value]

function table(rows: readonly Row[]): void {
  test.each(rows)('the expression %s evaluates to %j', (text, value) =>
    expect(evaluateText(text)).toEqual(value),
  )
}

describe('literals', () => {
  table([
    ['1', 1],
    ['0x1f', 31],
    ['1_000', 1000],
    ['1e3', 1000],
    ['"a\\n\\u0062"', 'a\nb'],
    ["'it\\'s'", "it's"],
    ['true', true],
    ['null', null],
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['[1, , "a"]', [1, undefined, 'a']],
    ['[...[1, 2], ..."ab"]', [1, 2, 'a', 'b']],
    ['{ a: 1, "b c": 2, 3: 4, ["d" + 1]: 5 }', { a: 1, 'b c': 2, '3': 4, d1: 5 }],
    ['{ ...{ a: 1, b: 2 }, b: 3, ...null }', { a: 1, b: 3 }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the author
    ['`a${1 + 1}b${[1, 2]}`', 'a2b1,2'],
  ])

  test.each([
    ['10n', 'unsupported: BigInt literals such as `1n` are not evaluated at build time'],
    ['{ get a() { return 1 } }', 'unsupported: Getters and setters are not supported'],
    ['[...1]', 'unsupported: `...` needs an array'],
    ['[...{ a: 1 }]', 'unsupported: `...` needs an array'],
  ])('the expression %s is rejected: %s', (text, problem) =>
    expect(evaluateText(text)).toBe(problem),
  )
})

describe('operators', () => {
  table([
    ['1 + 2 * 3 - 4 / 2', 5],
    ['7 % 4', 3],
    ['2 ** 10', 1024],
    ['1 + "2"', '12'],
    ['"5" * "2"', 10],
    ['true + 1', 2],
    ['null + 1', 1],
    ['undefined + 1', Number.NaN],
    ['[1, 2] + ""', '1,2'],
    ['5 & 3', 1],
    ['5 | 3', 7],
    ['5 ^ 3', 6],
    ['1 << 4', 16],
    ['-16 >> 2', -4],
    ['-1 >>> 28', 15],
    ['~5', -6],
    ['1 < 2', true],
    ['"10" < "9"', true],
    ['10 < "9"', false],
    ['2 >= 2', true],
    ['1 == "1"', true],
    ['1 === "1"', false],
    ['null == undefined', true],
    ['null === undefined', false],
    ['NaN === NaN', false],
    ['[] == []', false],
    ['"a" in { a: 1 }', true],
    ['"b" in { a: 1 }', false],
    ['!0', true],
    ['-"3"', -3],
    ['+"3"', 3],
    ['+{}', Number.NaN],
    ['void 1', undefined],
    ['0 || "a"', 'a'],
    ['0 && "a"', 0],
    ['0 ?? "a"', 0],
    ['null ?? "a"', 'a'],
    ['1 ? "a" : "b"', 'a'],
    ['"" ? "a" : "b"', 'b'],
    ['(1, 2, 3)', 3],
  ])

  test('operands that `&&`, `||` and `?:` skip are not evaluated', () => {
    expect(evaluateText('true || missing')).toBe(true)
    expect(evaluateText('false && missing')).toBe(false)
    expect(evaluateText('1 ?? missing')).toBe(1)
    expect(evaluateText('true ? 1 : missing')).toBe(1)
  })
})

describe('typeof', () => {
  table([
    ['typeof 1', 'number'],
    ['typeof "a"', 'string'],
    ['typeof true', 'boolean'],
    ['typeof null', 'object'],
    ['typeof []', 'object'],
    ['typeof {}', 'object'],
    ['typeof (() => 1)', 'function'],
    ['typeof Math.max', 'function'],
    ['typeof undefined', 'undefined'],
    ['typeof missing', 'undefined'],
    ['typeof window', 'undefined'],
  ])
})

describe('members', () => {
  table([
    ['{ a: { b: 1 } }.a.b', 1],
    ['{ a: 1 }["a"]', 1],
    ['{ a: 1 }.b', undefined],
    ['[1, 2][1]', 2],
    ['[1, 2].length', 2],
    ['[1, 2][5]', undefined],
    ['"abc"[1]', 'b'],
    ['"abc".length', 3],
    ['null?.a', undefined],
    ['null?.a.b.c', undefined],
    ['{ a: null }.a?.b()', undefined],
    ['{}.a?.()', undefined],
  ])

  test.each([
    ['null.a', 'unsupported: Cannot read `a` of an undefined value'],
    ['{}.a.b', 'unsupported: Cannot read `b` of an undefined value'],
    ['{}.a()', 'unsupported: `.a()` is not evaluated at build time'],
    ['1()', 'unsupported: The called value is not a function'],
  ])('the expression %s is rejected: %s', (text, problem) =>
    expect(evaluateText(text)).toBe(problem),
  )

  test('inherited members of JavaScript objects are undefined', () => {
    const names = ['constructor', '__proto__', 'prototype', 'hasOwnProperty', 'valueOf', 'caller']
    for (const subject of ['{}', '(() => 1)', 'Math', 'Math.max', 'Object', 'true']) {
      for (const name of names) expect(evaluateText(`${subject}.${name}`), subject).toBeUndefined()
    }
    for (const subject of ['[]', '""', '(1)', '/a/']) {
      expect(evaluateText(`${subject}.constructor`), subject).toBeUndefined()
      expect(evaluateText(`${subject}.__proto__`), subject).toBeUndefined()
    }
  })

  test('`__proto__` is an ordinary key', () => {
    expect(evaluateText('Object.keys({ ["__proto__"]: 1 })')).toEqual(['__proto__'])
    expect(evaluateText('{ ["__proto__"]: { a: 1 } }.a')).toBeUndefined()
    expect(evaluateText('Object.keys(JSON.parse("{\\"__proto__\\": 1}"))')).toEqual(['__proto__'])
  })
})

describe('functions', () => {
  table([
    ['(a => a + 1)(1)', 2],
    ['((a, b = 2) => a + b)(1)', 3],
    ['((a, ...rest) => rest)(1, 2, 3)', [2, 3]],
    ['(({ a, b: { c } }) => a + c)({ a: 1, b: { c: 2 } })', 3],
    ['(([a, , b = 9]) => a + b)([1, 2])', 10],
    ['(({ a, ...rest }) => rest)({ a: 1, b: 2, c: 3 })', { b: 2, c: 3 }],
    ['(({ ["a" + 1]: x }) => x)({ a1: 5 })', 5],
    ['(function fact(n) { return n < 2 ? 1 : n * 2 })(5)', 10],
    ['((...args) => args.length)(...[1, 2], 3)', 3],
    ['(a => b => a + b)(1)(2)', 3],
    ['((a) => a)()', undefined],
  ])

  test.each([
    ['(({ a }) => a)(null)', 'unsupported: An undefined or null value cannot be destructured'],
    ['(([a]) => a)({})', 'unsupported: A value that is not an array cannot be destructured as one'],
    ['(async () => 1)()', 'browser: Async functions and generators run only in a browser'],
    ['(function* () {})()', 'browser: Async functions and generators run only in a browser'],
  ])('the expression %s is rejected: %s', (text, problem) =>
    expect(evaluateText(text)).toBe(problem),
  )
})

describe('forbidden expressions', () => {
  test.each([
    ['missing', 'undefined-name: `missing` is not defined'],
    ['window.location', 'browser: `window` exists only in a browser'],
    ['fetch("/")', 'browser: `fetch` exists only in a browser'],
    ['new Date()', 'browser: `new Date` is not evaluated at build time'],
    ['new Thing()', 'unsupported: `new Thing` is not evaluated at build time'],
    ['process.env', 'undefined-name: `process` is not defined'],
    ['require("fs")', 'undefined-name: `require` is not defined'],
    ['eval("1")', 'undefined-name: `eval` is not defined'],
    ['Function("return 1")', 'undefined-name: `Function` is not defined'],
    ['import("fs")', 'unsupported: `import()` is not evaluated at build time'],
    ['import.meta', 'unsupported: `import.meta` is not evaluated at build time'],
    ['this', 'unsupported: `this` is not evaluated at build time'],
    ['class {}', 'unsupported: `class` is not evaluated at build time'],
    ['String.raw`a`', 'unsupported: `a tagged template` is not evaluated at build time'],
    ['delete {}.a', 'unsupported: `delete` is not evaluated at build time'],
    ['1 instanceof 2', 'unsupported: `instanceof` does not work with these values'],
    ['missing = 1', 'undefined-name: `missing` is not defined'],
    ['Math = 1', 'unsupported: `Math` cannot be changed'],
    ['Math.max = 1', 'unsupported: A value that all pages share cannot be changed'],
    ['"a".b = 1', 'unsupported: `b` cannot be set here'],
    ['(1).b = 1', 'unsupported: `b` cannot be set here'],
    ['[].a = 1', 'unsupported: `a` cannot be set here'],
    ['1 2', 'malformed: Unexpected token'],
    ['', 'malformed: Unexpected token'],
    ['1); (2', 'malformed: Unexpected text'],
  ])('the expression %s is rejected: %s', (text, problem) =>
    expect(evaluateText(text)).toBe(problem),
  )
})
