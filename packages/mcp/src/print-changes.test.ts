import { expect, test } from 'vitest'
import { parseSince } from './print-changes.ts'

test.each([
  ['1', { number: 1 }],
  ['#999999999', { number: 999_999_999 }],
  ['2026-02-28', { at: new Date('2026-02-28T00:00Z') }],
  ['2026-02-28T10:00Z', { at: new Date('2026-02-28T10:00Z') }],
  ['2026-02-28T10:00:30.5+02:00', { at: new Date('2026-02-28T08:00:30.500Z') }],
])('%s is a deployment or a time', (text, since) => {
  expect(parseSince(text)).toEqual(since)
})

test.each([
  '',
  '0',
  '-1',
  '1.5',
  '1000000000',
  '##1',
  '2026-02-29',
  '2026-13-01',
  '2026-2-3',
  '2026-02-28T10:00',
  '2026-02-28T25:00Z',
  '2026-02-28T10:00+99:00',
  'yesterday',
])('"%s" is neither a deployment nor a time', (text) => {
  expect(parseSince(text)).toBe(undefined)
})
