/**
 * The executable specification: every folder in fixtures/sites is a small site that shows one
 * rule. Its expected/ holds what `octavo nav` and `octavo check` say about it, made for reading.
 * A new case is a new folder; `npm test -- -u` writes its expected files, and the diff is read.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatDiagnostic, printNavigation } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { loadSite } from './load/load-site.ts'
import { readFolder } from './source/read-folder.ts'

const SITES = join(import.meta.dirname, '../../../fixtures/sites')

describe.each(readdirSync(SITES))('fixture site %s', (name) => {
  const folder = join(SITES, name)
  const { site, diagnostics } = loadSite(readFolder(folder), { readHosted: readHosted(folder) })

  test('resolves to the recorded navigation', async () => {
    const actual = site === undefined ? '(no navigation)\n' : printNavigation(site.navigation)
    await expect(actual).toMatchFileSnapshot(join(folder, 'expected/navigation.txt'))
  })

  test('reports the recorded diagnostics', async () => {
    const actual = diagnostics.map((diagnostic) => `${formatDiagnostic(diagnostic)}\n`).join('\n')
    await expect(actual || '(none)\n').toMatchFileSnapshot(join(folder, 'expected/diagnostics.txt'))
  })
})

/** `hosted.json` in a fixture holds the specifications that would be fetched, by address. */
function readHosted(folder: string) {
  const file = join(folder, 'hosted.json')
  const known: Record<string, unknown> = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {}
  return (url: string) => (url in known ? JSON.stringify(known[url]) : undefined)
}
