import { printMarkdown } from '@octavo/content'
import type { MergedSchema } from '@octavo/openapi'
import { describe, expect, test } from 'vitest'
import { ENGLISH } from '../words/interface-text.ts'
import { factNodes } from './schema-facts.ts'

const factsOf = (schema: Partial<MergedSchema>) =>
  printMarkdown(factNodes({ refs: [], choices: [], ...schema }, ENGLISH)).trim()

describe('facts of a field', () => {
  test('equal bounds are one fact', () => {
    const rules = [
      ['minLength', 30],
      ['maxLength', 30],
      ['minItems', 1],
      ['maxItems', 1],
    ] as const
    expect(factsOf({ rules })).toBe('exactly 30 characters · exactly 1 item')
  })

  test.each([
    [
      [
        ['minLength', 1],
        ['maxLength', 2],
      ],
      'at least 1 character · at most 2 characters',
    ],
    [[['maxLength', 2]], 'at most 2 characters'],
    [
      [
        ['minLength', 1],
        ['minLength', 2],
        ['maxLength', 2],
      ],
      'at least 1 character · at least 2 characters · at most 2 characters',
    ],
  ] as const)('other bounds stay as they are: %j', (rules, text) =>
    expect(factsOf({ rules })).toBe(text),
  )

  test('the values of an enum are listed, and the default is marked', () => {
    expect(factsOf({ enum: ['a', 'b'], default: { value: 'b' } })).toBe('One of `a`, **`b`**')
  })
})
