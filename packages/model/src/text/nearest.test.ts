import { describe, expect, test } from 'vitest'
import { correctionOf, isTypoOf, nearest } from './nearest.ts'

const KEYS = ['navigation', 'navbar', 'name', 'footer', 'favicon', 'theme']

describe('nearest candidates', () => {
  test.each([
    ['navigaton', 'navigation'],
    ['Navbar', 'navbar'],
    ['nmae', 'name'],
    ['foter', 'footer'],
    ['faviconn', 'favicon'],
  ])('the typo %s is corrected to %s', (typed, meant) => {
    expect(nearest(typed, KEYS)).toBe(meant)
  })

  test.each(['x', 'colors', 'something-else', '', 'n'.repeat(5_000)])(
    'no candidate is close to %s',
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
  ])('the path %s is a typo of %s', (typed, meant) => {
    expect(isTypoOf(typed, meant)).toBe(true)
  })

  test.each([
    ['create-user', 'update-user'],
    ['api/v1/list', 'api/v2/list'],
    ['get-pot', 'set-pot'],
    ['import-data', 'export-data'],
    ['pot', 'pot-two'],
  ])('the path %s is not a typo of %s', (typed, other) => {
    expect(isTypoOf(typed, other)).toBe(false)
  })
})

describe('corrections that a fix may write', () => {
  test.each([
    ['navigaton', 'navigation'],
    ['Navbar', 'navbar'],
    ['nmae', 'name'],
    ['themes', 'theme'],
    ['fxvicon', 'favicon'],
  ])('a quick fix corrects %s to %s', (typed, meant) => {
    expect(correctionOf(typed, KEYS)).toBe(meant)
  })

  test.each([
    ['two typos', 'navigaion-', KEYS],
    ['a short word', 'tga', ['tag']],
    ['another number', '/guides/v1', ['/guides/v2']],
    ['two candidates', 'poat', ['post', 'poet']],
    ['no candidate', 'colors', KEYS],
  ])('a quick fix does not correct %s', (_, typed, candidates) => {
    expect(correctionOf(typed, candidates)).toBeUndefined()
  })
})
