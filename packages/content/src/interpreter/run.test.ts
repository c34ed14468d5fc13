/** Tests each limit of an expression's cost with values just below and above it. */
import { describe, expect, test } from 'vitest'
import { evaluateText, runText } from '../../testing/evaluate-text.ts'
import { CONTENT_LIMITS as LIMITS } from '../tree/content-limits.ts'

const STEPS = 'limit: It needs more steps than the limit allows'
const DEEP = 'limit: It is nested deeper than the limit allows'
const LONG_TEXT = 'limit: The expression creates a string that is too long'
const LONG_LIST = 'limit: The expression creates an array that is too long'

describe('the step limit', () => {
  test('an endless loop in an expression is stopped', () => {
    expect(runText('let i = 0; while (i < 100000) i++; return i')).toBe(100_000)
    expect(runText('for (;;) ;')).toBe(STEPS)
  })

  test('the more work a method does, the more steps it costs', () => {
    const lists = 'const list = Array.from({ length: 50000 });'
    expect(runText(`${lists} return list.map(() => list.length).length`)).toBe(50_000)
    expect(runText(`${lists} return list.map(() => list.slice()).length`)).toBe(STEPS)
    expect(runText(`${lists} return list.map(() => "a".repeat(100000)).length`)).toBe(STEPS)
  })
})

describe('the depth limit', () => {
  test('recursive calls are limited in depth', () => {
    const nested = (depth: number) => runText(`const f = n => n ? f(n - 1) : 0; return f(${depth})`)
    expect(nested(90)).toBe(0)
    expect(nested(LIMITS.evaluationDepthMax)).toBe(DEEP)
    expect(runText('const f = () => f(); return f()')).toBe(DEEP)
  })

  test('nested operators are limited in depth', () => {
    expect(evaluateText(`${'!'.repeat(LIMITS.evaluationDepthMax - 1)}1`)).toBe(false)
    expect(evaluateText(`${'!'.repeat(LIMITS.evaluationDepthMax)}1`)).toBe(DEEP)
  })

  test('the nesting depth is restored after an error is caught', () => {
    const caught = 'try { missing } catch {}'
    expect(runText(`for (let i = 0; i < 1000; i++) { ${caught} } return 1`)).toBe(1)
  })
})

describe('the string limit', () => {
  const max = LIMITS.textLengthMax

  test.each([
    [`"a".repeat(${max}).length`, max],
    [`"a".repeat(${max + 1})`, LONG_TEXT],
    [`"a".repeat(-1)`, LONG_TEXT],
    [`"a".padStart(${max}).length`, max],
    [`"a".padStart(${max + 1})`, LONG_TEXT],
    [`("a".repeat(${max - 1}) + "b").length`, max],
    [`"a".repeat(${max}) + "b"`, LONG_TEXT],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the author
    ['`${"a".repeat(1000000)}${"a".repeat(1000000)}`', LONG_TEXT],
    ['"aa".repeat(1000).replaceAll("a", "b".repeat(10000))', LONG_TEXT],
  ])('the string limit applies to %s', (text, value) => expect(evaluateText(text)).toBe(value))
})

describe('the list limit', () => {
  const max = LIMITS.listLengthMax

  test.each([
    [`Array.from({ length: ${max} }).length`, max],
    [`Array.from({ length: ${max + 1} })`, LONG_LIST],
    [`"a".repeat(${max}).split("").length`, max],
    [`"a".repeat(${max + 1}).split("")`, LONG_LIST],
    [`(list => [...list, ...list].length)(Array.from({ length: ${max / 2} }))`, max],
    [`(list => [...list, 1, ...list])(Array.from({ length: ${max / 2} }))`, LONG_LIST],
    [`(list => list.concat(list, 1))(Array.from({ length: ${max / 2} }))`, LONG_LIST],
    ['{ length: 1e9 }.length', 1e9],
    ['Array.from({ length: 1e9 })', LONG_LIST],
  ])('the list limit applies to %s', (text, value) => expect(evaluateText(text)).toBe(value))
})
