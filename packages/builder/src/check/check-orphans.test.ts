import { beforeAll, describe, expect, test } from 'vitest'
import { type CheckedFixture, checkFixture } from '../../testing/check-fixture.ts'

let result: CheckedFixture
beforeAll(async () => {
  result = await checkFixture('pages-nobody-finds')
})

describe('pages outside the navigation', () => {
  test('a page that is not in the navigation is reported only if no page links to it', () => {
    expect(result.found).toEqual(result.planted)
  })

  test('an orphan page that is the target of redirects has a different message', () => {
    const orphans = result.diagnostics.filter(({ code }) => code === 'nav/orphan-page')
    expect(orphans.map(({ message }) => message)).toEqual([
      '"guides/fern" is not in the navigation, and no listed page links to it. Readers can reach it only by its URL.',
      '"guides/lawn" is not in the navigation, and a redirect starts at its URL, so the page is not built.',
      '"guides/moss" is not in the navigation, and no listed page links to it. Only redirects point to it.',
    ])
  })
})
