import { describe, expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const KEYS = ['navigation', 'navbar', 'name', 'footer', 'favicon', 'theme']

describe('nearest', () => {
  test.each([
    ['navigaton', 'navigation'],
    ['Navbar', 'navbar'],
    ['nmae', 'name'],
    ['foter', 'footer'],
    ['faviconn', 'favicon'],
  ])('%s is taken for %s', (typed, meant) => {
    expect(nearest(typed, KEYS)).toBe(meant)
  })

  test.each(['x', 'colors', 'something-else', '', 'n'.repeat(5_000)])(
    '%s is near nothing',
    (typed) => {
      expect(nearest(typed, KEYS)).toBeUndefined()
    },
  )
})
