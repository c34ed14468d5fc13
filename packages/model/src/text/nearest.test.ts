import { describe, expect, test } from 'vitest'
import { isTypoOf, nearest } from './nearest.ts'

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

describe('a path that somebody mistyped', () => {
  test.each([
    ['guides/waterng', 'guides/watering'],
    ['guides/quick-start', 'guides/quickstart'],
    ['create-acount', 'create-account'],
  ])('%s is a slip of %s', (typed, meant) => {
    expect(isTypoOf(typed, meant)).toBe(true)
  })

  test.each([
    ['create-user', 'update-user'],
    ['api/v1/list', 'api/v2/list'],
    ['get-pot', 'set-pot'],
    ['import-data', 'export-data'],
    ['pot', 'pot-two'],
  ])('%s is another thing than %s', (typed, other) => {
    expect(isTypoOf(typed, other)).toBe(false)
  })
})
