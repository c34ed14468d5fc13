import { expect, test } from 'vitest'
import { checkFixture } from '../../testing/check-fixture.ts'

test('code that the content security policy blocks is reported in author files', async () => {
  const { found, planted } = await checkFixture('policy-blocks-own-files')
  expect(found).toEqual(planted)
})
