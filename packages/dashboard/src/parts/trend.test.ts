import { expect, test } from 'vitest'
import { html } from './html.ts'
import { changeOf, pointsOf, trendLine } from './trend.ts'

const text = (part: ReturnType<typeof changeOf>) => html`${part}`.toString()

test('a change has a sign, and has a color only if one direction is an improvement', () => {
  expect(text(changeOf(108, 100))).toBe('<span class="delta">+8%</span>')
  expect(text(changeOf(108, 100, 'more'))).toBe('<span class="delta good">+8%</span>')
  expect(text(changeOf(82, 100, 'fewer'))).toBe('<span class="delta good">−18%</span>')
  expect(text(changeOf(118, 100, 'fewer'))).toBe('<span class="delta poor">+18%</span>')
  expect(text(changeOf(100, 100, 'more'))).toBe('<span class="delta">0%</span>')
  expect(changeOf(5, 0)).toBeUndefined()
})

test('the change of a share is in percentage points, and is undefined without both shares', () => {
  expect(text(pointsOf(0.941, 0.929, 'more'))).toBe('<span class="delta good">+1.2 pts</span>')
  expect(pointsOf(undefined, 0.9)).toBeUndefined()
  expect(pointsOf(0.9, undefined)).toBeUndefined()
})

test('a trend line fills its box, skips days without a value, and needs at least two days', () => {
  const line = text(trendLine([0, undefined, 10, 5], 'people'))
  expect(line).toContain('<polyline points="0,27 50,3 100,15"/>')
  expect(text(trendLine([4, 4], 'missed'))).toContain('points="0,15 100,15"')
  expect(trendLine([7], 'people')).toBeUndefined()
  expect(trendLine([undefined, 7], 'people')).toBeUndefined()
})
