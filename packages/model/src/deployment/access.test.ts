import { describe, expect, test } from 'vitest'
import {
  type AccessLabel,
  accessOfAll,
  accessOfAny,
  grantsAccess,
  groupsLabel,
  implies,
  mayRead,
} from './access.ts'

const ANONYMOUS = { hasSiteAccess: false, groups: new Set<string>() }
const SIGNED_IN = { hasSiteAccess: true, groups: new Set<string>() }
const inGroups = (...groups: readonly string[]) => ({
  hasSiteAccess: false,
  groups: new Set(groups),
})

describe('labels of readers', () => {
  test('an anonymous reader only has the `public` label', () => {
    expect(mayRead(ANONYMOUS, 'public')).toBe(true)
    expect(mayRead(ANONYMOUS, 'default')).toBe(false)
    expect(mayRead(ANONYMOUS, ['a'])).toBe(false)
  })

  test('a reader with site access or with any group has the `default` label', () => {
    expect(mayRead(SIGNED_IN, 'default')).toBe(true)
    expect(mayRead(SIGNED_IN, ['a'])).toBe(false)
    expect(mayRead(inGroups('b'), 'default')).toBe(true)
  })

  test('a reader needs one of the groups of a label, and a label without groups matches no reader', () => {
    expect(mayRead(inGroups('b'), ['a', 'b'])).toBe(true)
    expect(mayRead(inGroups('c'), ['a', 'b'])).toBe(false)
    expect(mayRead(inGroups('a', 'b'), [])).toBe(false)
  })
})

describe('implied labels', () => {
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
  ])('the label %j implies the label %j: %s', (label, other, expected) => {
    expect(implies(label, other)).toBe(expected)
  })
})

describe('access to a file of several pages', () => {
  test('a file that several pages use gets the widest label', () => {
    expect(accessOfAny(['default', 'public', ['a']])).toBe('public')
    expect(accessOfAny(['default', ['a']])).toBe('default')
    expect(accessOfAny([['a'], ['a', 'b']])).toEqual(['a', 'b'])
    expect(accessOfAny([['b'], ['a'], ['b']])).toEqual({ any: [['a'], ['b']] })
  })

  test('a file that mixes pages requires all of their labels', () => {
    expect(accessOfAll(['default', 'public'])).toBe('default')
    expect(accessOfAll(['public', ['a']])).toEqual(['a'])
    expect(accessOfAll([['a'], ['a', 'b']])).toEqual(['a'])
    const both = accessOfAll([['b'], ['a'], 'default'])
    expect(both).toEqual({ all: [['a'], ['b']] })
    expect(mayRead(inGroups('a'), both)).toBe(false)
    expect(mayRead(inGroups('a', 'b'), both)).toBe(true)
  })

  test('a file that belongs to no page is not public', () => {
    expect(accessOfAny([])).toBe('default')
    expect(accessOfAll([])).toBe('default')
  })

  test('one matching label is enough for `any` but not for `all`', () => {
    expect(grantsAccess(['a'], { any: [['a'], ['b']] })).toBe(true)
    expect(grantsAccess(['c'], { any: [['a'], ['b']] })).toBe(false)
    expect(grantsAccess(['a'], { all: [['a'], ['b']] })).toBe(false)
  })
})

test('the order of groups does not change the label', () => {
  expect(groupsLabel(['b', 'a', 'b'])).toEqual(groupsLabel(['a', 'b']))
})
