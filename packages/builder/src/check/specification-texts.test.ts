import { beforeAll, describe, expect, test } from 'vitest'
import { type CheckedFixture, checkFixture } from '../../testing/check-fixture.ts'

let result: CheckedFixture
beforeAll(async () => {
  result = await checkFixture('texts-of-specifications')
})

/** What stands in the file at the place of each finding. */
function excerpts(code: string): readonly string[] {
  return result.diagnostics
    .filter((one) => one.code === code)
    .map(({ place }) => {
      const line = result.read(place.file)?.split('\n')[place.line - 1] ?? ''
      return line.slice(place.column - 1)
    })
}

describe('a text of a specification', () => {
  test('has every mistake found at its line and column, and no other', () => {
    expect(result.places).toEqual(result.planted)
  })

  test('is pointed at where its address begins, however the text is written', () => {
    for (const excerpt of excerpts('link/broken')) expect(excerpt).toMatch(/^(?:\/guides\/|\.\/|i)/)
    for (const excerpt of excerpts('link/missing-file')) expect(excerpt).toMatch(/^\/images\//)
    for (const excerpt of excerpts('content/tag')) expect(excerpt).toMatch(/^<object /)
    for (const excerpt of excerpts('link/unsafe')) expect(excerpt).toMatch(/^\[run\]/i)
  })

  test('is not changed by `octavo check --fix`', () => {
    expect(result.diagnostics.filter(({ fix }) => fix !== undefined)).toEqual([])
  })

  test('may have findings suppressed by a comment and by docs.json', () => {
    expect(result.suppressedCount).toBe(2)
  })
})
