import { describe, expect, test } from 'vitest'
import { fillWords } from './fill-words.ts'
import { ENGLISH } from './interface-text.ts'

describe('texts with placeholders', () => {
  test('placeholders are replaced, but a placeholder without a value is kept', () => {
    expect(fillWords('{a} of {b} in {c}', { a: 1, b: 'two' })).toBe('1 of two in {c}')
  })

  test.each([
    [0, 'at least 0 characters'],
    [1, 'at least 1 character'],
    ['1', 'at least 1 character'],
    [11, 'at least 11 characters'],
  ])('a plural form agrees with the number %j', (value, wanted) => {
    expect(fillWords(ENGLISH.apiMinLength, { value })).toBe(wanted)
  })
})
