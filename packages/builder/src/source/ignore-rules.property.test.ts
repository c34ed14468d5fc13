import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseIgnoreRules } from './ignore-rules.ts'

const sign = fc.constantFrom(...'[]!^-\\*?/.#{}()|+$,:az \t\r\n\u0000é😀')
const text = fc.oneof(
  fc.string({ unit: sign, maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const path = fc
  .array(fc.constantFrom('a', 'z', '[z-a]', '*', 'a b', '.well-known', '..a', '\\', 'é'), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((names) => fc.constantFrom(names.join('/'), `${names.join('/')}/`))

test('the parser does not throw for any ignore file', () => {
  fc.assert(
    fc.property(text, path, (rules, asked) => {
      const { isIgnored } = parseIgnoreRules([{ file: '.octavoignore', text: rules }])
      expect(typeof isIgnored(asked)).toBe('boolean')
    }),
  )
})

test('no rule takes long for a name that almost matches it', () => {
  const rule = `${'*a'.repeat(200)}b`
  const { isIgnored } = parseIgnoreRules([{ file: '.octavoignore', text: rule }])
  const began = performance.now()
  expect(isIgnored('a'.repeat(255))).toBe(false)
  expect(performance.now() - began).toBeLessThan(1_000)
})
