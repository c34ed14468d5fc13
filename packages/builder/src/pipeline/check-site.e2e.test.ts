import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CheckResult, checkSite } from './check-site.ts'

const FAULTS = join(import.meta.dirname, '../../../../fixtures/checks/planted-faults')
let cacheFolder = ''
beforeAll(() => {
  cacheFolder = mkdtempSync(join(tmpdir(), 'octavo-check-'))
})
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }))

const check = (): Promise<CheckResult> =>
  checkSite({ folder: FAULTS, cacheFolder, version: 'test', workersMax: 1 })
const listed = ({ diagnostics }: CheckResult): readonly string[] =>
  diagnostics.map(({ place, code }) => `${place.file}:${place.line} ${code}`).toSorted()

describe('a site with planted faults', () => {
  test('every planted fault is reported on its line, and nothing else is reported', async () => {
    const expected = readFileSync(join(FAULTS, 'faults.txt'), 'utf8').trim().split('\n')
    expect(listed(await check())).toEqual(expected.toSorted())
  })

  test('a second check, which uses the cache, has the same diagnostics', async () => {
    expect(await check().then(listed)).toEqual(await check().then(listed))
  })

  test('a suppression with a reason hides exactly one diagnostic', async () => {
    expect((await check()).suppressedCount).toBe(1)
  })
})
