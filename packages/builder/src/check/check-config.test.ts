import { beforeAll, describe, expect, test } from 'vitest'
import { type CheckedFixture, checkFixture } from '../../testing/check-fixture.ts'

let result: CheckedFixture
beforeAll(async () => {
  result = await checkFixture('redirects-to-nowhere')
})

describe('a redirect that leads to nothing', () => {
  test('is reported, unless it is never used', () => {
    expect(result.found).toEqual(result.planted)
  })

  test('is told what was meant, where that can be told', () => {
    const broken = result.diagnostics.filter(({ code }) => code === 'redirect/broken')
    expect(broken.map(({ hint }) => hint)).toEqual([
      'Did you mean `/soil`?',
      'Did you mean `/care/watering`?',
      'Point it to a page.',
      'Point it to a page.',
    ])
  })
})
