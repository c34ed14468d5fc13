import { describe, expect, test } from 'vitest'
import { hasPassage } from './passage-text.ts'

describe('passages', () => {
  test.each([
    ['Water **every** [morning](/hose "Hose").', 'every morning.'],
    ['See [the list](https://example.com/a_(b)) first.', 'the list first'],
    ['An ![image](a.png) here', 'image here'],
    ['It’s “wet”', 'it\'s "wet"'],
  ])(
    'the text %s contains a passage regardless of Markdown syntax and quote style',
    (text, passage) => {
      expect(hasPassage(text, [passage])).toBe(true)
      expect(hasPassage(text, ['dry'])).toBe(false)
    },
  )

  test.each(['[', '[](', '[a](b(', '![x]((', '[]()('])(
    'a long text that repeats %s is searched in linear time',
    (part) => {
      const timeOf = (repeated: string) => {
        const text = repeated.repeat(300_000 / repeated.length)
        const started = performance.now()
        hasPassage(text, ['x'])
        return performance.now() - started
      }
      // Quadratic time would be thousands of times as long.
      expect(timeOf(part)).toBeLessThan(200 * Math.max(10, timeOf('[a](b)')))
    },
  )
})
