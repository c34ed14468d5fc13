import type { SiteEvent } from '@octavo/model/site-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SettledQueries } from './settled-queries.ts'

describe('settled search queries', () => {
  let told: SiteEvent[]
  let queries: SettledQueries
  const COOLDOWN_MS = 2_000

  beforeEach(() => {
    vi.useFakeTimers()
    told = []
    queries = new SettledQueries((event) => told.push(event))
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const search = (query: string, results: number) => ({ type: 'search', query, results })

  test('a query settles after two seconds without typing', () => {
    queries.answered('webhook', 3)
    vi.advanceTimersByTime(COOLDOWN_MS - 1)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    expect(told).toEqual([search('webhook', 3)])
  })

  test('a query settles when the dialog closes, even without results', () => {
    queries.answered('webhok', 0)
    queries.settle()
    expect(told).toEqual([search('webhok', 0)])
    vi.advanceTimersByTime(COOLDOWN_MS)
    expect(told).toHaveLength(1)
  })

  test('opening a result reports the query first, then the click', () => {
    queries.answered('webhook', 3)
    queries.opened('webhook', '/guides/webhooks')
    const click = { type: 'search-click', query: 'webhook', path: '/guides/webhooks' }
    expect(told).toEqual([search('webhook', 3), click])
    // Opened in another tab; the dialog is still open.
    queries.opened('webhook', '/api/webhooks')
    expect(told).toHaveLength(3)
  })

  test('a partial word does not settle while the reader keeps typing', () => {
    queries.answered('web', 9)
    vi.advanceTimersByTime(COOLDOWN_MS - 1)
    queries.typed()
    vi.advanceTimersByTime(COOLDOWN_MS)
    queries.answered('webhook', 3)
    queries.settle()
    expect(told).toEqual([search('webhook', 3)])
  })

  test('a query that the reader changes is not reported', () => {
    queries.answered('webhook', 3)
    queries.typed()
    queries.settle()
    expect(told).toEqual([])
  })

  test('a repeated query counts once in a row, but again after another query', () => {
    for (const query of ['auth', 'auth', 'keys', 'auth']) {
      queries.answered(query, 1)
      queries.settle()
    }
    expect(told).toEqual([search('auth', 1), search('keys', 1), search('auth', 1)])
  })

  test('a query of one letter is not reported, one of two letters is', () => {
    queries.answered('a', 5)
    queries.opened('a', '/a')
    expect(told).toEqual([])
    queries.answered('ab', 5)
    queries.settle()
    expect(told).toEqual([search('ab', 5)])
  })

  test("a long query is cut to the service's limit", () => {
    queries.answered('x'.repeat(150), 0)
    queries.opened('x'.repeat(150), '/x')
    expect(told).toEqual([
      search('x'.repeat(100), 0),
      { type: 'search-click', query: 'x'.repeat(100), path: '/x' },
    ])
  })
})
