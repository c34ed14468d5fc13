import { describe, expect, test } from 'vitest'
import { isTypoOf, nearest } from './nearest.ts'

const KEYS = ['navigation', 'navbar', 'name', 'footer', 'favicon', 'theme']

describe('nearest candidates', () => {
  test.each([
    ['navigaton', 'navigation'],
    ['Navbar', 'navbar'],
    ['nmae', 'name'],
    ['foter', 'footer'],
    ['faviconn', 'favicon'],
  ])('%s is corrected to %s', (typed, meant) => {
    expect(nearest(typed, KEYS)).toBe(meant)
  })

  test.each(['x', 'colors', 'something-else', '', 'n'.repeat(5_000)])(
    '%s has no close candidate',
    (typed) => {
      expect(nearest(typed, KEYS)).toBeUndefined()
    },
  )
})

describe('mistyped paths', () => {
  test.each([
    ['guides/waterng', 'guides/watering'],
    ['guides/quick-start', 'guides/quickstart'],
    ['create-acount', 'create-account'],
  ])('%s is a typo of %s', (typed, meant) => {
    expect(isTypoOf(typed, meant)).toBe(true)
  })

  test.each([
    ['create-user', 'update-user'],
    ['api/v1/list', 'api/v2/list'],
    ['get-pot', 'set-pot'],
    ['import-data', 'export-data'],
    ['pot', 'pot-two'],
  ])('%s is not a typo of %s', (typed, other) => {
    expect(isTypoOf(typed, other)).toBe(false)
  })
})
