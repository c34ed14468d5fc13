import { describe, expect, test } from 'vitest'
import {
  type AccessLabel,
  accessOfAll,
  accessOfAny,
  givesAccess,
  groupsLabel,
  implies,
  mayRead,
} from './access.ts'

const STRANGER = { isLetIn: false, groups: new Set<string>() }
const LET_IN = { isLetIn: true, groups: new Set<string>() }
const inGroups = (...groups: readonly string[]) => ({ isLetIn: false, groups: new Set(groups) })

describe('who has a label', () => {
  test('a stranger has `public` only', () => {
    expect(mayRead(STRANGER, 'public')).toBe(true)
    expect(mayRead(STRANGER, 'default')).toBe(false)
    expect(mayRead(STRANGER, ['a'])).toBe(false)
  })

  test('whoever the site lets in has `default`, and a group lets in', () => {
    expect(mayRead(LET_IN, 'default')).toBe(true)
    expect(mayRead(LET_IN, ['a'])).toBe(false)
    expect(mayRead(inGroups('b'), 'default')).toBe(true)
  })

  test('any of the groups is enough, and no group lets nobody in', () => {
    expect(mayRead(inGroups('b'), ['a', 'b'])).toBe(true)
    expect(mayRead(inGroups('c'), ['a', 'b'])).toBe(false)
    expect(mayRead(inGroups('a', 'b'), [])).toBe(false)
  })
})

describe('labels are ordered', () => {
  test.each<readonly [AccessLabel, AccessLabel, boolean]>([
    ['public', 'public', true],
    ['public', 'default', false],
    ['default', 'public', true],
    ['default', ['a'], false],
    [['a'], 'default', true],
    [['a'], ['a', 'b'], true],
    [['a', 'b'], ['a'], false],
    [['a'], ['b'], false],
    [[], ['a'], true],
  ])('%j implies %j: %s', (label, other, expected) => {
    expect(implies(label, other)).toBe(expected)
  })
})

describe('a file of several pages', () => {
  test('that they use has the loosest label', () => {
    expect(accessOfAny(['default', 'public', ['a']])).toBe('public')
    expect(accessOfAny(['default', ['a']])).toBe('default')
    expect(accessOfAny([['a'], ['a', 'b']])).toEqual(['a', 'b'])
    expect(accessOfAny([['b'], ['a'], ['b']])).toEqual({ any: [['a'], ['b']] })
  })

  test('that mixes them needs all labels', () => {
    expect(accessOfAll(['default', 'public'])).toBe('default')
    expect(accessOfAll(['public', ['a']])).toEqual(['a'])
    expect(accessOfAll([['a'], ['a', 'b']])).toEqual(['a'])
    const both = accessOfAll([['b'], ['a'], 'default'])
    expect(both).toEqual({ all: [['a'], ['b']] })
    expect(mayRead(inGroups('a'), both)).toBe(false)
    expect(mayRead(inGroups('a', 'b'), both)).toBe(true)
  })

  test('of none is not for everybody', () => {
    expect(accessOfAny([])).toBe('default')
    expect(accessOfAll([])).toBe('default')
  })

  test('is open to the readers of a page whose label gives access', () => {
    expect(givesAccess(['a'], { any: [['a'], ['b']] })).toBe(true)
    expect(givesAccess(['c'], { any: [['a'], ['b']] })).toBe(false)
    expect(givesAccess(['a'], { all: [['a'], ['b']] })).toBe(false)
  })
})

test('groups make the same label in any order', () => {
  expect(groupsLabel(['b', 'a', 'b'])).toEqual(groupsLabel(['a', 'b']))
})
