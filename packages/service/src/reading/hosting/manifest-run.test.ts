import type { ManifestEntry } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { Run } from './manifest-run.ts'

const entryOf = (path: string, more: Partial<ManifestEntry> = {}): ManifestEntry => ({
  // The path is last, so that the run has to print it first.
  sha256: 'a'.repeat(64),
  size: 30,
  type: 'text/html; charset=utf-8',
  access: 'default',
  ...more,
  path,
})

describe('a run in memory', () => {
  const entries = [
    entryOf('"quoted"/index.html'),
    entryOf('a.md', { access: { any: [['team'], 'public'] } }),
    entryOf('guide/index.html', { ranges: [{ start: 1, end: 20, access: ['team'] }] }),
    entryOf('überblick/\u2028/index.html', { size: 0 }),
    entryOf('{"path":"b.md",'),
  ]
  const run = new Run(entries)

  test('all entries are found by their path', () => {
    expect(run.all()).toEqual(entries)
    for (const entry of entries) expect(run.get(entry.path)).toEqual(entry)
  })

  test('an entry stays the same object', () => {
    expect(run.get('a.md')).toBe(run.get('a.md'))
  })

  test.each(['a', 'a.m', 'a.mdx', 'b.md', 'index.html', 'team', '', 'a.md"', '"quoted'])(
    'a path without an entry is not found, even if it is part of another: %o',
    (path) => {
      expect(run.has(path)).toBe(false)
    },
  )

  test('a run without entries has none', () => {
    expect(new Run([]).all()).toEqual([])
    expect(new Run([]).has('')).toBe(false)
  })
})
