import { expect, test } from 'vitest'
import { checkFixture } from '../../testing/check-fixture.ts'

test('JSON examples on pages of operations are checked (openapi/example-mismatch)', async () => {
  const result = await checkFixture('examples-on-operation-pages')
  expect(result.places).toEqual(result.planted)
  expect(result.diagnostics.map(({ message }) => message)).toEqual([
    '`id` is read-only, so a request must not contain it.',
    '`id` is a string, but the schema requires an integer.',
    'The example has no `error`, which the schema requires.',
  ])
})
