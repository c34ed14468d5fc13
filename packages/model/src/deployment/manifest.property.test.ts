import { hash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Access, type AccessLabel, accessOfAll, accessOfAny, groupsLabel } from './access.ts'
import {
  MANIFEST_LIMITS,
  type ManifestEntry,
  type ManifestFacts,
  type ManifestRoot,
  runIndexOf,
} from './manifest.ts'
import { parseManifestRoot, parseManifestRun } from './parse-manifest.ts'
import { type PrintedManifest, printManifest } from './print-manifest.ts'

const sha256 = (text: string) => hash('sha256', text)

const FACTS: ManifestFacts = {
  builder: 'test',
  basePath: '/',
  redirects: [],
  origins: {},
  languages: [],
  versions: [],
  search: [],
  sections: '_octavo/sections/',
}

const label: fc.Arbitrary<AccessLabel> = fc.oneof(
  fc.constantFrom('public' as const, 'default' as const),
  fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }).map(groupsLabel),
)
const access: fc.Arbitrary<Access> = fc.oneof(
  label,
  fc.array(label).map(accessOfAny),
  fc.array(label).map(accessOfAll),
)

function entryAt(path: string, given: Partial<ManifestEntry> = {}): ManifestEntry {
  const type = 'text/html; charset=utf-8'
  return { path, sha256: sha256(path), size: 1_000, type, access: 'default', ...given }
}

/** Realistic paths: folders, numbers, and names that differ in a single letter. */
const site = fc
  .record({
    salt: fc
      .string({ minLength: 1, maxLength: 5 })
      .map((text) => encodeURIComponent(text.toWellFormed())),
    count: fc.integer({ min: 0, max: 3_000 }),
  })
  .map(({ salt, count }) =>
    Array.from({ length: count }, (_, index) => `${index % 7}/${salt}-${index}/index.html`),
  )

function print(paths: readonly string[]): PrintedManifest {
  return printManifest(
    FACTS,
    paths.map((path) => entryAt(path)),
    sha256,
  )
}

function rootOf({ root }: PrintedManifest): ManifestRoot {
  const parsed = parseManifestRoot(root)
  if (parsed.kind === 'malformed') throw new Error(parsed.reason)
  return parsed.root
}

function entriesOf(printed: PrintedManifest): readonly ManifestEntry[] {
  const root = rootOf(printed)
  return printed.runs.flatMap(({ text }, index) => {
    const parsed = parseManifestRun(text, root, index)
    if (parsed.kind === 'malformed') throw new Error(parsed.reason)
    return parsed.entries
  })
}

function newRuns(before: PrintedManifest, after: PrintedManifest): number {
  const known = new Set(before.runs.map(({ sha256: hash }) => hash))
  return after.runs.filter(({ sha256: hash }) => !known.has(hash)).length
}

describe('manifests', () => {
  test('parsing a printed manifest returns the original entries', () => {
    const entry = fc.record({ access, size: fc.nat(), ranges: fc.array(access, { maxLength: 3 }) })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), (written) => {
        const entries = written.map(({ access: own, size, ranges }, index) =>
          entryAt(`page-${index}`, {
            access: own,
            size: size + 100,
            ...(ranges.length > 0 && {
              ranges: ranges.map((one, place) => ({
                start: place * 10,
                end: place * 10 + 5,
                access: one,
              })),
            }),
          }),
        )
        const printed = printManifest(FACTS, entries, sha256)
        const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
        expect(entriesOf(printed)).toEqual(sorted)
      }),
    )
  })

  test('the order of the entries does not change the bytes of a manifest', () => {
    fc.assert(
      fc.property(site, (paths) => {
        expect(print(paths.toReversed())).toEqual(print(paths))
      }),
      { numRuns: 10 },
    )
  })

  test('a run of a manifest has at most 1,000 entries, and every path is in one run', () => {
    fc.assert(
      fc.property(site, fc.nat(), (paths, chosen) => {
        const printed = print(paths)
        const root = rootOf(printed)
        const counts = root.runs.map(({ count }) => count)
        expect(Math.max(0, ...counts)).toBeLessThanOrEqual(MANIFEST_LIMITS.runEntriesMax)
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(paths.length)
        const path = paths[chosen % paths.length]
        if (path === undefined) return
        const index = runIndexOf(root, path)
        const run = parseManifestRun(printed.runs[index]?.text ?? '', root, index)
        expect(run.kind === 'run' && run.entries.some((one) => one.path === path)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  test('adding or removing an entry changes at most two runs of a manifest', () => {
    fc.assert(
      fc.property(site, fc.string(), (paths, name) => {
        const added = `3/${encodeURIComponent(name.toWellFormed())}.html`
        const without = print(paths.filter((path) => path !== added))
        const having = print([...paths.filter((path) => path !== added), added])
        expect(newRuns(without, having)).toBeLessThanOrEqual(2)
        expect(newRuns(having, without)).toBeLessThanOrEqual(2)
      }),
      { numRuns: 40 },
    )
  })

  test('changing the content of an entry changes one run of a manifest', () => {
    fc.assert(
      fc.property(site, fc.nat(), (paths, chosen) => {
        fc.pre(paths.length > 0)
        const entries = paths.map((path) => entryAt(path))
        const changed = entries.with(
          chosen % entries.length,
          entryAt(paths[chosen % paths.length] ?? '', { sha256: sha256('other') }),
        )
        const before = printManifest(FACTS, entries, sha256)
        expect(newRuns(before, printManifest(FACTS, changed, sha256))).toBe(1)
      }),
      { numRuns: 10 },
    )
  })

  test('parsing an untrusted manifest never throws', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseManifestRoot(text).kind).toBe('malformed')
        const root = { ...FACTS, labels: new Map(), runs: [] }
        expect(parseManifestRun(text, root, 0).kind).toBe('malformed')
      }),
    )
  })
})
