import { beforeAll, describe, expect, test } from 'vitest'
import { type CheckedFixture, checkFixture } from '../../testing/check-fixture.ts'

let result: CheckedFixture
beforeAll(async () => {
  result = await checkFixture('redirects-to-nowhere')
})

describe('redirects to missing pages', () => {
  test('a redirect to a missing page is reported unless it is never used', () => {
    expect(result.found).toEqual(result.planted)
  })

  test('the report of a broken redirect contains a suggestion if there is a likely target', () => {
    const broken = result.diagnostics.filter(({ code }) => code === 'redirect/broken')
    expect(broken.map(({ hint }) => hint)).toEqual([
      'Did you mean `/soil`?',
      'Did you mean `/care/watering`?',
      'Point this redirect to a page.',
      'Point this redirect to a page.',
    ])
  })
})
