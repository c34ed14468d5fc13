import { describe, expect, test } from 'vitest'
import { matchesPattern } from './bounded-pattern.ts'

describe('patterns of authors', () => {
  test.each<[pattern: string, text: string, isMatch: boolean]>([
    ['^[A-Z]{2}-\\d+$', 'AB-12', true],
    ['^[A-Z]{2}-\\d+$', 'AB-1x', false],
    ['b', 'abc', true],
    ['^(?:a|b){3}$', 'aba', true],
    ['^(\\d{4})-(\\d\\d)?$', '2026-', true],
    ['^\\p{Lu}+$', 'ÄÖ', true],
    ['^[\\w.-]+@[\\w.]+$', 'ada@example.com', true],
  ])('the pattern %s is run on %s', (pattern, text, isMatch) =>
    expect(matchesPattern(pattern, text)).toBe(isMatch),
  )

  test.each([
    ['a repeated group', '^(a+)+$'],
    ['a repeated group in a counted one', '^(?:(?:a*)*){3}$'],
    ['a backreference', '^(a)\\1$'],
    ['a lookahead', '^(?=a)a$'],
    ['many quantifiers', '^a*a*a*a*a*a*$'],
    ['large counts', '^(?:(?:a{100}){100}){100}$'],
    ['an unclosed group', '^(a'],
    ['an unclosed class', '[a'],
    ['an option of another language', '(?i)abc'],
    ['an anchor of another language', '\\Aabc\\z'],
    ['a named class of another language', '^[[:alpha:]]$'],
    ['a possessive quantifier', '^a++$'],
  ])('a pattern with %s is not run', (_name, pattern) =>
    expect(matchesPattern(pattern, 'a'.repeat(40))).toBeUndefined(),
  )

  test('a long text is not matched with several quantifiers', () => {
    expect(matchesPattern('^a*b*$', 'a'.repeat(50))).toBe(true)
    expect(matchesPattern('^a*b*$', 'a'.repeat(50_000))).toBeUndefined()
  })
})
