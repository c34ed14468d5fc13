/**
 * Tests the executable specification: every folder in fixtures/sites is a small site that shows one
 * rule. The expected/ folder contains the readable output of `octavo nav` and `octavo check`. A new
 * case is a new folder: `npm test -- -u` writes its expected files, and the diff is reviewed.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { formatDiagnostic, printNavigation } from '@octavo/model'
import { beforeAll, describe, expect, test } from 'vitest'
import { type OpenedFixture, openFixture } from '../testing/open-fixture.ts'

const SITES = join(import.meta.dirname, '../../../fixtures/sites')

describe.each(readdirSync(SITES))('fixture site %s', (name) => {
  const folder = join(SITES, name)
  let opened: OpenedFixture
  beforeAll(async () => {
    opened = await openFixture(folder)
  })

  test('the navigation of a fixture site resolves as recorded', async () => {
    const { site, restore } = opened
    const actual = site === undefined ? '(no navigation)\n' : printNavigation(site.navigation)
    await expect(restore(actual)).toMatchFileSnapshot(join(folder, 'expected/navigation.txt'))
  })

  test('the diagnostics of a fixture site are as recorded', async () => {
    const { diagnostics, restore } = opened
    const actual = diagnostics.map((diagnostic) => `${formatDiagnostic(diagnostic)}\n`).join('\n')
    await expect(restore(actual) || '(none)\n').toMatchFileSnapshot(
      join(folder, 'expected/diagnostics.txt'),
    )
  })
})
