import { expect, test } from 'vitest'
import { diagnose, type Fix } from '../diagnostics/diagnostic.ts'
import { fixText } from './fix-text.ts'

function fixed(text: string, ...fixes: readonly [column: number, fix: Fix][]) {
  const diagnostics = fixes.map(([column, fix]) =>
    diagnose('content/tag', { file: 'a.mdx', line: 1, column }, { message: '', hint: '', fix }),
  )
  const { text: result, count } = fixText(text, diagnostics)
  return { result, count }
}
const tag = (distance: number): Fix => ({
  find: '<tip',
  put: '<Tip',
  closing: { find: '</tip', put: '</Tip', distance },
})

test('a fix of a tag also replaces the closing tag, and fixes between the tags are applied too', () => {
  const inner: Fix = { find: '<br>', put: '<br />' }
  expect(fixed('<tip>a<br>b</tip>', [1, tag(11)], [7, inner])).toEqual({
    result: '<Tip>a<br />b</Tip>',
    count: 2,
  })
})

test('a fix is not applied if the closing tag is not at the expected place', () => {
  expect(fixed('<tip>a</b></tip>', [1, tag(6)])).toEqual({ result: '<tip>a</b></tip>', count: 0 })
})

test('only the first of two overlapping fixes is applied', () => {
  const whole: Fix = { find: 'a</tip>', put: 'b</tip>' }
  expect(fixed('<tip>a</tip>', [6, whole], [1, tag(6)])).toEqual({
    result: '<Tip>a</Tip>',
    count: 1,
  })
  expect(fixed('abc', [1, { find: 'ab', put: 'x' }], [2, { find: 'bc', put: 'y' }])).toEqual({
    result: 'xc',
    count: 1,
  })
})

test('a fix finds its text at a distance from the place', () => {
  const fix: Fix = { find: 'titel', put: 'title', distance: 6 }
  expect(fixed('<Card titel="a" />', [1, fix]).result).toBe('<Card title="a" />')
})
