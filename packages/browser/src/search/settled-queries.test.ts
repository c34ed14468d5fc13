import type { SiteEvent } from '@octavo/model/site-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SettledQueries } from './settled-queries.ts'

describe('a query counts when the reader stops at it', () => {
  let told: SiteEvent[]
  let queries: SettledQueries
  const REST_MS = 2_000

  beforeEach(() => {
    vi.useFakeTimers()
    told = []
    queries = new SettledQueries((event) => told.push(event))
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const search = (query: string, results: number) => ({ type: 'search', query, results })

  test('nothing was typed for two seconds', () => {
    queries.answered('webhook', 3)
    vi.advanceTimersByTime(REST_MS - 1)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    expect(told).toEqual([search('webhook', 3)])
  })

  test('the dialog was closed, also without any result', () => {
    queries.answered('webhok', 0)
    queries.settle()
    expect(told).toEqual([search('webhok', 0)])
    vi.advanceTimersByTime(REST_MS)
    expect(told).toHaveLength(1)
  })

  test('a result was opened, of which is told after the query', () => {
    queries.answered('webhook', 3)
    queries.opened('webhook', '/guides/webhooks')
    const click = { type: 'search-click', query: 'webhook', path: '/guides/webhooks' }
    expect(told).toEqual([search('webhook', 3), click])
    // In another tab; the dialog is still open.
    queries.opened('webhook', '/api/webhooks')
    expect(told).toHaveLength(3)
  })

  test('the beginning of a word that goes on being typed does not', () => {
    queries.answered('web', 9)
    vi.advanceTimersByTime(REST_MS - 1)
    queries.typed()
    vi.advanceTimersByTime(REST_MS)
    queries.answered('webhook', 3)
    queries.settle()
    expect(told).toEqual([search('webhook', 3)])
  })

  test('what is typed and not answered, or taken back, does not', () => {
    queries.answered('webhook', 3)
    queries.typed()
    queries.settle()
    expect(told).toEqual([])
  })

  test('the same query twice in a row counts once, after another one twice', () => {
    for (const query of ['auth', 'auth', 'keys', 'auth']) {
      queries.answered(query, 1)
      queries.settle()
    }
    expect(told).toEqual([search('auth', 1), search('keys', 1), search('auth', 1)])
  })

  test('one letter does not, two do', () => {
    queries.answered('a', 5)
    queries.opened('a', '/a')
    expect(told).toEqual([])
    queries.answered('ab', 5)
    queries.settle()
    expect(told).toEqual([search('ab', 5)])
  })

  test('a long one is cut to what the service takes', () => {
    queries.answered('x'.repeat(150), 0)
    queries.opened('x'.repeat(150), '/x')
    expect(told).toEqual([
      search('x'.repeat(100), 0),
      { type: 'search-click', query: 'x'.repeat(100), path: '/x' },
    ])
  })
})
