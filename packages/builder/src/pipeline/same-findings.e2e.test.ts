/** `check`, `build` and `dev` say the same of every fixture, and builds of it give the same bytes. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compareRuns } from '../../testing/compare-runs.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures')
const FOLDERS = ['sites', 'checks'].flatMap((kind) =>
  readdirSync(join(FIXTURES, kind)).map((name) => `${kind}/${name}`),
)

describe('every way to look at a site says the same of it', () => {
  test.each(FOLDERS)('%s', async (name) => {
    expect(await compareRuns(join(FIXTURES, name))).toEqual([])
  })
})
