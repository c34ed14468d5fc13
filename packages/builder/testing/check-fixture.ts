import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CheckResult, checkSite } from '../src/pipeline/check-site.ts'

const CHECKS = join(import.meta.dirname, '../../../fixtures/checks')

export type CheckedFixture = CheckResult & {
  /** The diagnostics, such as `index.mdx:3 link/broken`, sorted by place. */
  readonly found: readonly string[]
  /** The same as `found` but with columns, such as `index.mdx:3:14 link/broken`. */
  readonly places: readonly string[]
  /** The planted faults, in the same form as `found`. */
  readonly planted: readonly string[]
}

/** Runs `octavo check` on a folder of fixtures/checks. */
export async function checkFixture(name: string): Promise<CheckedFixture> {
  const folder = join(CHECKS, name)
  const cacheFolder = mkdtempSync(join(tmpdir(), 'octavo-check-'))
  try {
    const result = await checkSite({
      folder,
      cacheFolder,
      version: 'test',
      workersMax: 1,
      isTrusted: true,
    })
    const found = result.diagnostics.map(({ place, code }) => `${place.file}:${place.line} ${code}`)
    const places = result.diagnostics.map(
      ({ place, code }) => `${place.file}:${place.line}:${place.column} ${code}`,
    )
    const planted = readFileSync(join(folder, 'faults.txt'), 'utf8').trim().split('\n')
    return { ...result, found, places, planted }
  } finally {
    rmSync(cacheFolder, { recursive: true, force: true })
  }
}
