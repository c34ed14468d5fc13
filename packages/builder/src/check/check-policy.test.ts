import { expect, test } from 'vitest'
import { checkFixture } from '../../testing/check-fixture.ts'

test('what the policy of pages blocks in own files is reported where it stands', async () => {
  const { found, planted } = await checkFixture('policy-blocks-own-files')
  expect(found).toEqual(planted)
})
