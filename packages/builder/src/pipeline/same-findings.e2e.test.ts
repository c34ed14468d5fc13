/**
 * Checks for every fixture that `check`, `build` and `dev` report the same problems, and that all
 * builds have the same bytes.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compareRuns } from '../../testing/compare-runs.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures')
const FOLDERS = ['sites', 'checks'].flatMap((kind) =>
  readdirSync(join(FIXTURES, kind)).map((name) => `${kind}/${name}`),
)

describe('the same diagnostics by all commands', () => {
  test.each(FOLDERS)('all commands report the same diagnostics for %s', async (name) => {
    expect(await compareRuns(join(FIXTURES, name))).toEqual([])
  })
})
