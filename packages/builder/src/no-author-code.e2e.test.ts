/**
 * Checks that no author's code runs in our processes (invariant 1): builds all fixtures and a site
 * with known attacks, with traps on every way to run code. See `testing/trap-author-code.ts`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import {
  ATTACKS,
  attackFile,
  attackSite,
  BROWSER_CODE,
  FOREIGN_IMAGES,
} from '../testing/attack-pages.ts'
import { TemporarySite } from '../testing/temporary-site.ts'

const FIXTURES = join(import.meta.dirname, '../../../fixtures/sites')
const PRELOAD = join(import.meta.dirname, '../testing/trap-author-code.ts')
const BUILD = join(import.meta.dirname, '../testing/build-folders.ts')

type Built = {
  readonly trapped: readonly string[]
  readonly results: readonly { readonly pageCount: number; readonly diagnostics: Diagnostic[] }[]
}

/** Builds folders in a process that has the traps. */
function buildTrapped(site: TemporarySite, folders: readonly string[], authors: string): Built {
  const log = join(site.root, 'trapped')
  const flags = ['--no-warnings', '--disallow-code-generation-from-strings', '--import', PRELOAD]
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, BUILD, site.root, ...folders],
    {
      env: { OCTAVO_TRAP_LOG: log, OCTAVO_TRAP_FOLDER: authors },
      encoding: 'utf8',
      maxBuffer: 1e9,
    },
  )
  expect(stderr).toBe('')
  expect(status).toBe(0)
  const trapped = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  return { trapped, results: JSON.parse(stdout) }
}

describe('builds with traps for running code', () => {
  test('a trap is triggered in the main process and in page workers', () => {
    using site = new TemporarySite(attackSite(ATTACKS.slice(0, 8)))
    // This run treats our own theme as author code, so that the traps are triggered.
    const theme = join(import.meta.dirname, '../../theme')
    const { trapped } = buildTrapped(site, [site.folder], theme)
    expect(new Set(trapped.map((line) => line.split(' ')[0])).size).toBe(2)
    expect(trapped.every((line) => line.includes('import(file:'))).toBe(true)
  })

  test('building all fixtures does not run any author code', () => {
    using site = new TemporarySite()
    const folders = readdirSync(FIXTURES).map((name) => join(FIXTURES, name))
    const { trapped, results } = buildTrapped(site, folders, FIXTURES)
    expect(trapped).toEqual([])
    expect(results).toHaveLength(folders.length)
  })

  test('building the attacks does not run any author code and reports every rejected attack', () => {
    const attacks = [...ATTACKS, ...FOREIGN_IMAGES, ...BROWSER_CODE]
    using site = new TemporarySite(attackSite(attacks))
    const { trapped, results } = buildTrapped(site, [site.folder], site.folder)
    expect(trapped).toEqual([])
    const [result] = results
    expect(result?.pageCount).toBe(attacks.length + 1)
    const reported = new Map<string, Diagnostic[]>()
    for (const diagnostic of result?.diagnostics ?? []) {
      if (diagnostic.severity === 'note') continue
      const { file, line, column } = diagnostic.place
      expect(line).toBeGreaterThan(0)
      expect(column).toBeGreaterThan(0)
      reported.set(file, [...(reported.get(file) ?? []), diagnostic])
    }
    const silent = attacks.filter(
      (attack, index) => attack.outcome === 'refused' && !reported.has(attackFile(attack, index)),
    )
    expect(silent.map(({ kind, source }) => `${kind} ${source.slice(0, 100)}`)).toEqual([])
    expect(new Set(attacks.map(({ kind }) => kind)).size).toBe(50)
    // Our own limits reject even the worst attacks before a process crashes.
    const died = result?.diagnostics.filter(({ message }) =>
      message.includes('could not be compiled'),
    )
    expect(died).toEqual([])
  })
})
