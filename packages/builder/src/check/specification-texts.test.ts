import { beforeAll, describe, expect, test } from 'vitest'
import { type CheckedFixture, checkFixture } from '../../testing/check-fixture.ts'

let result: CheckedFixture
beforeAll(async () => {
  result = await checkFixture('texts-of-specifications')
})

/** Returns the source text to which each diagnostic points. */
function excerpts(code: string): readonly string[] {
  return result.diagnostics
    .filter((one) => one.code === code)
    .map(({ place }) => {
      const line = result.read(place.file)?.split('\n')[place.line - 1] ?? ''
      return line.slice(place.column - 1)
    })
}

describe('texts in a specification', () => {
  test('every problem in a specification is reported at its line and column', () => {
    expect(result.places).toEqual(result.planted)
  })

  test('a diagnostic points to the start of the address in any YAML or JSON style', () => {
    for (const excerpt of excerpts('link/broken')) expect(excerpt).toMatch(/^(?:\/guides\/|\.\/|i)/)
    for (const excerpt of excerpts('link/missing-file')) expect(excerpt).toMatch(/^\/images\//)
    for (const excerpt of excerpts('content/tag')) expect(excerpt).toMatch(/^<object /)
    for (const excerpt of excerpts('link/unsafe')) expect(excerpt).toMatch(/^\[run\]/i)
  })

  test('`octavo check --fix` does not fix problems in a specification', () => {
    expect(result.diagnostics.filter(({ fix }) => fix !== undefined)).toEqual([])
  })

  test('problems in a specification can be suppressed by a comment and by docs.json', () => {
    expect(result.suppressedCount).toBe(2)
  })
})
