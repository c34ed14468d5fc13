import type { SiteEvent } from '@octavo/model/site-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SettledQueries } from './settled-queries.ts'

describe('final search queries', () => {
  let reported: SiteEvent[]
  let queries: SettledQueries
  const COOLDOWN_MS = 2_000

  beforeEach(() => {
    vi.useFakeTimers()
    reported = []
    queries = new SettledQueries((event) => reported.push(event))
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const search = (query: string, results: number) => ({ type: 'search', query, results })

  test('a query counts as final after two seconds without typing', () => {
    queries.answered('webhook', 3)
    vi.advanceTimersByTime(COOLDOWN_MS - 1)
    expect(reported).toEqual([])
    vi.advanceTimersByTime(1)
    expect(reported).toEqual([search('webhook', 3)])
  })

  test('a query counts as final when the dialog closes, even without results', () => {
    queries.answered('webhok', 0)
    queries.settle()
    expect(reported).toEqual([search('webhok', 0)])
    vi.advanceTimersByTime(COOLDOWN_MS)
    expect(reported).toHaveLength(1)
  })

  test('opening a result first reports the query and then the click', () => {
    queries.answered('webhook', 3)
    queries.opened('webhook', '/guides/webhooks')
    const click = { type: 'search-click', query: 'webhook', path: '/guides/webhooks' }
    expect(reported).toEqual([search('webhook', 3), click])
    // The result opened in another tab, so the dialog is still open.
    queries.opened('webhook', '/api/webhooks')
    expect(reported).toHaveLength(3)
  })

  test('a partial word does not count as a query while the reader keeps typing', () => {
    queries.answered('web', 9)
    vi.advanceTimersByTime(COOLDOWN_MS - 1)
    queries.typed()
    vi.advanceTimersByTime(COOLDOWN_MS)
    queries.answered('webhook', 3)
    queries.settle()
    expect(reported).toEqual([search('webhook', 3)])
  })

  test('a query that the reader changes is not reported', () => {
    queries.answered('webhook', 3)
    queries.typed()
    queries.settle()
    expect(reported).toEqual([])
  })

  test('a repeated query is reported once, but again after another query', () => {
    for (const query of ['auth', 'auth', 'keys', 'auth']) {
      queries.answered(query, 1)
      queries.settle()
    }
    expect(reported).toEqual([search('auth', 1), search('keys', 1), search('auth', 1)])
  })

  test('a query of two letters is reported, but not a query of one letter', () => {
    queries.answered('a', 5)
    queries.opened('a', '/a')
    expect(reported).toEqual([])
    queries.answered('ab', 5)
    queries.settle()
    expect(reported).toEqual([search('ab', 5)])
  })

  test('a long query is cut to the maximum length that the service accepts', () => {
    queries.answered('x'.repeat(150), 0)
    queries.opened('x'.repeat(150), '/x')
    expect(reported).toEqual([
      search('x'.repeat(100), 0),
      { type: 'search-click', query: 'x'.repeat(100), path: '/x' },
    ])
  })
})
