/**
 * No author's code runs in our processes (invariant 1): whole builds, of all fixtures and of a site
 * of known attacks, in which every way to run code is trapped. See `testing/trap-author-code.ts`.
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

/** Builds folders in a process with traps. */
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

describe('a build in which running code is trapped', () => {
  test('the trap works here and in page workers', () => {
    using site = new TemporarySite(attackSite(ATTACKS.slice(0, 8)))
    // Our own theme, taken for an author's.
    const theme = join(import.meta.dirname, '../../theme')
    const { trapped } = buildTrapped(site, [site.folder], theme)
    expect(new Set(trapped.map((line) => line.split(' ')[0])).size).toBe(2)
    expect(trapped.every((line) => line.includes('import(file:'))).toBe(true)
  })

  test('nothing is trapped over all fixtures', () => {
    using site = new TemporarySite()
    const folders = readdirSync(FIXTURES).map((name) => join(FIXTURES, name))
    const { trapped, results } = buildTrapped(site, folders, FIXTURES)
    expect(trapped).toEqual([])
    expect(results).toHaveLength(folders.length)
  })

  test('nothing is trapped over the attacks, and what is refused is said with its place', () => {
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
    // Our own limits turned the worst of them down, rather than a death.
    const died = result?.diagnostics.filter(({ message }) => message.includes('could not be made'))
    expect(died).toEqual([])
  })
})
