/** Tests statistics end to end: from readers' requests to the results that owners see. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type AssistantSite,
  GARDEN,
  newAssistantSite,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { EVENT_RATES } from './site-events.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const BROWSER = {
  'user-agent': CHROME,
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
}
const AGENT = { 'user-agent': 'Claude-User (claude-code/2.1)', accept: 'text/markdown, */*' }
const CRAWLER = {
  'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  accept: 'text/html',
}

let service: TestService
beforeAll(async () => {
  service = await startAssistantService({ trustedProxies: ['127.0.0.1/32'] })
})
afterAll(() => service.stop())

const newSite = async (files: Readonly<Record<string, string>> = GARDEN) =>
  newAssistantSite(service, await builtSite(files))

/** Opens a page as a reader. Each address counts as a different reader. */
const open = (
  site: AssistantSite,
  path: string,
  headers: Readonly<Record<string, string>> = BROWSER,
  address = '203.0.113.7',
) => site.call('GET', path, { headers: { ...headers, 'x-forwarded-for': address } })

const tell = (site: AssistantSite, event: object | string, headers = {}) =>
  site.call('POST', '/_octavo/events', {
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': '203.0.113.7',
      ...headers,
    },
    body: typeof event === 'string' ? event : JSON.stringify(event),
  })

// biome-ignore lint/suspicious/noExplicitAny: each test knows which fields it expects.
async function read(site: AssistantSite, path: string): Promise<any> {
  await service.service.flush()
  const { publicId, token } = site.project
  const response = await fetch(`${service.url}/v1/analytics/${publicId}/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status, await response.clone().text()).toBe(200)
  return response.json()
}

describe('page views', () => {
  test('views are counted by page and audience, and bots are not included in the total', async () => {
    const site = await newSite()
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.2'])
      expect((await open(site, '/water', BROWSER, address)).status).toBe(200)
    await open(site, '/soil', AGENT)
    await open(site, '/soil.md', { 'user-agent': 'node', accept: '*/*' })
    await open(site, '/soil', CRAWLER)
    await open(site, '/water?utm_source=x', { 'user-agent': 'curl/8.0', accept: '*/*' })
    expect(await read(site, 'views')).toEqual({
      totals: { human: 3, ai: 2, total: 5, bots: 2 },
      views: [
        { path: '/water', human: 3, ai: 0, total: 3, bots: 1 },
        { path: '/soil', human: 0, ai: 2, total: 2, bots: 1 },
      ],
      nextCursor: null,
      hasMore: false,
    })
    const { totals, visitors } = await read(site, 'visitors')
    expect(totals).toMatchObject({ human: 2, bots: 0 })
    expect(visitors).toMatchObject([
      // Two programs at the same address are two visitors.
      { path: '/soil', human: 0, ai: 2 },
      { path: '/water', human: 2, ai: 0 },
    ])
    const { days } = await read(site, 'days')
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toMatchObject({ human: 3, ai: 2, bots: 2, visitors: 2, searches: 0 })
  })

  test('views of cached pages are counted, and prefetched pages are not', async () => {
    const site = await newSite()
    const { headers } = await open(site, '/water')
    await open(site, '/water', { ...BROWSER, 'if-none-match': headers.etag ?? '' })
    await open(site, '/water', { ...BROWSER, 'sec-purpose': 'prefetch' })
    await open(site, '/water', { ...BROWSER, purpose: 'prefetch' })
    await site.call('HEAD', '/water', { headers: BROWSER })
    expect((await read(site, 'views')).totals.human).toBe(2)
  })

  test.each([{ dnt: '1' }, { 'sec-gpc': '1' }])(
    'a reader with the headers %o is not counted',
    async (headers) => {
      const site = await newSite()
      await open(site, '/water', { ...BROWSER, ...headers, referer: 'https://search.example/' })
      await open(site, '/nowhere', { ...BROWSER, ...headers })
      expect(
        (await tell(site, { type: 'search', query: 'water', results: 1 }, headers)).status,
      ).toBe(204)
      expect((await read(site, 'views')).totals.total).toBe(0)
      expect((await read(site, 'not-found')).notFound).toEqual([])
      expect((await read(site, 'referrers')).referrers).toEqual([])
      expect((await read(site, 'searches')).totalSearches).toBe(0)
    },
  )

  test('a site with disabled telemetry counts no views and accepts no events', async () => {
    const site = await newSite({
      ...GARDEN,
      'docs.json': JSON.stringify({
        ...JSON.parse(GARDEN['docs.json']),
        integrations: { telemetry: { enabled: false } },
      }),
    })
    await open(site, '/water')
    await open(site, '/nowhere')
    expect((await tell(site, { type: 'search', query: 'water', results: 1 })).status).toBe(404)
    expect((await read(site, 'views')).totals.total).toBe(0)
    expect((await read(site, 'not-found')).notFound).toEqual([])
  })

  test('the list of views can be paged by cursor and offset, and rejects invalid values', async () => {
    const site = await newSite()
    for (const path of ['/water', '/water', '/soil']) await open(site, path)
    const first = await read(site, 'views?limit=1')
    expect(first).toMatchObject({ views: [{ path: '/water' }], hasMore: true })
    const second = await read(site, `views?limit=1&cursor=${first.nextCursor}`)
    expect(second).toMatchObject({ views: [{ path: '/soil' }], hasMore: false, nextCursor: null })
    expect(await read(site, 'views?limit=1&offset=1')).toMatchObject({ views: [{ path: '/soil' }] })
    expect(await read(site, 'views?dateTo=2020-01-01')).toMatchObject({ views: [] })
    const { publicId, token } = site.project
    for (const query of ['limit=0', 'limit=251', 'offset=-1', 'cursor=x', 'dateFrom=tomorrow']) {
      const { status } = await fetch(`${service.url}/v1/analytics/${publicId}/views?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(status, query).toBe(400)
    }
  })
})

describe('further statistics', () => {
  test('missing pages, referrers, files for agents and unread pages are counted', async () => {
    const site = await newSite()
    await open(site, '/old%20page?secret=1')
    await open(site, '/missing.md', AGENT)
    await open(site, '/guides/Sol', AGENT)
    await open(site, '/guides/water.md', AGENT)
    await open(site, '/picture.png')
    await open(site, '/water', { ...BROWSER, referer: 'https://news.example/item?id=reader-7' })
    await open(site, '/water', { ...BROWSER, referer: `http://${site.host}/soil` })
    await open(site, '/llms.txt', AGENT)
    const { notFound } = await read(site, 'not-found')
    expect(notFound).toMatchObject([
      { path: '/guides/Sol', human: 0, ai: 1, suggestion: '/soil' },
      { path: '/guides/water.md', human: 0, ai: 1, suggestion: '/water' },
      { path: '/missing.md', human: 0, ai: 1 },
      { path: '/old page', human: 1, ai: 0 },
    ])
    expect(notFound[2]).not.toHaveProperty('suggestion')
    expect((await read(site, 'referrers')).referrers).toEqual([{ host: 'news.example', views: 1 }])
    expect((await read(site, 'uses')).uses).toEqual([
      { event: 'file', name: '/llms.txt', detail: 'agents', count: 1 },
    ])
    // `/` redirects to the first page, so it is not a page of its own.
    expect(await read(site, 'unread-pages')).toMatchObject({
      pages: [{ path: '/soil' }],
      total: 1,
    })
  })

  test('reads by people and agents are ranked separately, with the counts of the period before', async () => {
    const site = await newSite()
    for (const path of ['/water', '/water', '/soil']) await open(site, path)
    await open(site, '/soil', AGENT)
    await open(site, '/llms.txt', { 'user-agent': 'Cursor/1.7', accept: '*/*' })
    await open(site, '/soil.md', { 'user-agent': 'node', accept: '*/*' })
    await open(site, '/nowhere', AGENT)
    expect(await read(site, 'reads?limit=1')).toMatchObject({
      reads: [{ event: 'view', name: '/water', count: 2, before: 0 }],
      hasMore: true,
    })
    const { reads } = await read(site, 'reads?by=agents')
    expect(reads).toEqual([
      { event: 'view', name: '/soil', count: 2, before: 0 },
      { event: 'file', name: '/llms.txt', count: 1, before: 0 },
    ])
    // A request for a missing page does not count as a read.
    expect((await read(site, 'agents')).agents).toEqual([
      { name: 'Claude Code', count: 1 },
      { name: 'Cursor', count: 1 },
      { name: 'Other', count: 1 },
    ])
    const { days } = await read(site, 'days')
    expect(days.at(-1)).toMatchObject({ human: 3, ai: 2, aiFiles: 1, aiCalls: 0 })
    await service.owner.query(
      "update event_day set day = day - 30 where project_id = $1 and subject = '/water'",
      [site.project.id],
    )
    await open(site, '/water')
    expect((await read(site, 'reads')).reads).toEqual([
      { event: 'view', name: '/soil', count: 1, before: 0 },
      { event: 'view', name: '/water', count: 1, before: 2 },
    ])
  })

  test('a file that is streamed is counted once per download', async () => {
    const site = await newSite({
      ...GARDEN,
      'soil.mdx': `---\ntitle: Soil\n---\n${'Compost feeds the soil. '.repeat(60_000)}\n`,
    })
    const { headers, status } = await open(site, '/llms-full.txt', AGENT)
    expect([status, headers['accept-ranges']]).toEqual([200, 'bytes'])
    await open(site, '/llms-full.txt', AGENT)
    await open(site, '/llms-full.txt', { ...AGENT, range: 'bytes=100-200' })
    await site.call('HEAD', '/llms-full.txt', { headers: AGENT })
    // The download is counted when its last byte has been sent.
    await vi.waitFor(
      async () =>
        expect((await read(site, 'uses')).uses).toEqual([
          { event: 'file', name: '/llms-full.txt', detail: 'agents', count: 2 },
        ]),
      { timeout: 20_000 },
    )
  })

  test('searches are counted with their number of results and opened pages', async () => {
    const site = await newSite()
    const search = (query: string, results: number) =>
      tell(site, { type: 'search', query, results })
    for (const query of ['Water  plants', 'water plants']) await search(query, 3)
    await search('winter', 0)
    await tell(site, { type: 'search-click', query: 'water plants', path: '/water' })
    await tell(site, { type: 'playground', path: '/w%61ter', outcome: 'client-error' })
    await search('mail ann@example.com about sk-live-0123456789abcdefghij', 0)
    const { searches, totalSearches } = await read(site, 'searches')
    expect(totalSearches).toBe(4)
    expect((await read(site, 'days')).days.at(-1)).toMatchObject({ searches: 4, emptySearches: 2 })
    expect(searches[0]).toMatchObject({
      searchQuery: 'water plants',
      hits: 2,
      empty: 0,
      ctr: 0.5,
      topClickedPage: '/water',
    })
    expect(JSON.stringify(searches)).not.toMatch(/ann@|0123456789/)
    for (const results of [3, 3, 3, 0]) await search('hose', results)
    await search('winter', 0)
    const first = await read(site, 'searches?empty=true&limit=1')
    expect(first.searches).toMatchObject([{ searchQuery: 'winter', hits: 2, empty: 2 }])
    const rest = await read(site, `searches?empty=true&cursor=${first.nextCursor}`)
    expect(rest.searches.map(({ empty }: { empty: number }) => empty)).toEqual([1, 1])
    expect((await read(site, 'uses')).uses).toEqual([
      { event: 'playground', name: '/water', detail: 'client-error', count: 1 },
    ])
  })

  const KEY = 'a3bb189e-8bf9-3888-9912-ace4e6543002'
  test('a rating and a later comment are one entry, which owners can resolve or delete', async () => {
    const site = await newSite()
    const said = { type: 'feedback', key: KEY, path: '/water', helpful: false }
    expect((await tell(site, said)).status).toBe(204)
    expect((await read(site, 'feedback')).feedback).toMatchObject([
      { path: '/water', source: 'thumbs_only', helpful: false, status: 'pending' },
    ])
    await tell(site, { ...said, comment: 'How often?', contact: 'ann@example.com' })
    await tell(site, {
      type: 'code-feedback',
      key: KEY.replace('a3', 'b3'),
      path: '/soil',
      code: 'x',
    })
    const { feedback } = await read(site, 'feedback')
    expect(feedback).toMatchObject([
      { path: '/soil', source: 'code_snippet', code: 'x' },
      { source: 'contextual', comment: 'How often?', contact: 'ann@example.com' },
    ])
    expect((await read(site, 'feedback?source=contextual&status=resolved')).feedback).toEqual([])
    const { publicId, token } = site.project
    const change = (method: string, body?: object) =>
      fetch(`${service.url}/v1/analytics/${publicId}/feedback/${feedback[1].id}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    expect((await change('POST', { status: 'resolved' })).status).toBe(200)
    expect((await change('POST', { status: 'lost' })).status).toBe(400)
    expect((await read(site, 'feedback?status=resolved,dismissed')).feedback).toHaveLength(1)
    expect((await read(site, 'feedback/by-page')).feedback).toEqual([
      { path: '/soil', thumbsUp: 0, thumbsDown: 0, code: 1, comments: 1, total: 1 },
      { path: '/water', thumbsUp: 0, thumbsDown: 1, code: 0, comments: 1, total: 1 },
    ])
    expect((await change('DELETE')).status).toBe(204)
    expect((await change('DELETE')).status).toBe(404)
    // A key that was used for one page cannot be used for another page.
    await tell(site, {
      type: 'feedback',
      key: KEY.replace('a3', 'b3'),
      path: '/water',
      helpful: true,
    })
    expect((await read(site, 'feedback')).feedback).toMatchObject([{ source: 'code_snippet' }])
  })
})

describe('lists of feedback', () => {
  let site: AssistantSite
  beforeAll(async () => {
    site = await newSite()
    let number = 0
    const vote = (path: string, helpful: boolean, comment?: string) => {
      number += 1
      const key = `a3bb189e-8bf9-3888-9912-${String(number).padStart(12, '0')}`
      return tell(site, { type: 'feedback', key, path, helpful, ...(comment && { comment }) })
    }
    for (const helpful of [true, true, false]) await vote('/water', helpful)
    for (const helpful of [true, false, false]) await vote('/soil', helpful)
    await vote('/soil', false, 'Which 50% compost?')
    await vote('/water', true, 'Clear.')
  })

  test('pages can be sorted by their share of negative votes', async () => {
    const query = 'feedback/by-page?sort=least-helpful&minVotes=4'
    const tooMany = await read(site, 'feedback/by-page?sort=least-helpful&minVotes=5')
    expect(tooMany.feedback).toEqual([])
    const { feedback } = await read(site, query)
    expect(feedback).toMatchObject([
      { path: '/soil', thumbsUp: 1, thumbsDown: 3, comments: 1 },
      { path: '/water', thumbsUp: 3, thumbsDown: 1, comments: 1 },
    ])
    const first = await read(site, `${query}&limit=1`)
    const second = await read(site, `${query}&limit=1&cursor=${first.nextCursor}`)
    expect([...first.feedback, ...second.feedback]).toEqual(feedback)
    expect(second.hasMore).toBe(false)
  })

  test('feedback can be filtered by comments, votes and text', async () => {
    const paths = async (query: string) => {
      const reply = await read(site, `feedback?commented=true${query}`)
      return reply.feedback.map(({ path }: { path: string }) => path)
    }
    expect(await paths('')).toEqual(['/water', '/soil'])
    expect(await paths('&helpful=true')).toEqual(['/water'])
    expect(await paths('&helpful=false')).toEqual(['/soil'])
    expect(await paths('&text=50%25%20COMPOST')).toEqual(['/soil'])
    expect(await paths('&text=%25')).toEqual(['/soil'])
    expect(await paths('&text=/wat')).toEqual(['/water'])
    const { counts } = await read(site, 'feedback?commented=true&status=resolved')
    expect(counts).toEqual({ pending: 2, in_progress: 0, resolved: 0, dismissed: 0 })
  })

  test('the summary includes the totals of an equally long period before', async () => {
    expect(await read(site, 'feedback/summary')).toEqual({
      votes: 8,
      helpful: 4,
      comments: 2,
      before: { votes: 0, helpful: 0, comments: 0 },
    })
    await service.owner.query(
      "update feedback set created_at = created_at - interval '40 days' where project_id = $1 and path = '/soil'",
      [site.project.id],
    )
    expect(await read(site, 'feedback/summary')).toEqual({
      votes: 4,
      helpful: 3,
      comments: 1,
      before: { votes: 4, helpful: 1, comments: 1 },
    })
    // Feedback is listed even if it is older than all counts.
    await service.owner.query(
      "update feedback set created_at = created_at - interval '5 years' where project_id = $1 and path = '/soil'",
      [site.project.id],
    )
    const { feedback } = await read(site, 'feedback?dateFrom=2000-01-01&text=compost')
    expect(feedback).toMatchObject([{ path: '/soil' }])
  })
})

test('MCP calls are counted by tool, and problems that agents report are added to the feedback', async () => {
  const site = await newSite()
  const call = (name: string, input: object) =>
    site.call('POST', '/mcp', {
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: input },
      }),
    })
  await call('search_docs', { query: 'hose' })
  await call('read_page', { url: '/nowhere' })
  const problem = 'The flag is gone; my key is sk-live-0123456789abcdefghij.'
  await call('report_problem', { url: '/water', problem })
  expect((await read(site, 'uses')).uses).toEqual([
    { event: 'mcp', name: 'read_page', detail: 'error', count: 1 },
    { event: 'mcp', name: 'report_problem', detail: 'success', count: 1 },
    { event: 'mcp', name: 'search_docs', detail: 'success', count: 1 },
  ])
  expect((await read(site, 'days')).days.at(-1)).toMatchObject({ ai: 0, aiFiles: 0, aiCalls: 3 })
  expect((await read(site, 'feedback?source=agent')).feedback).toMatchObject([
    { path: '/water', comment: 'The flag is gone; my key is <masked: key>.' },
  ])
})

describe('rejected analytics events', () => {
  const SEARCH = { type: 'search', query: 'water', results: 1 }
  test.each([
    ['invalid JSON', '{', {}, 400],
    ['another type', { type: 'view', path: '/water' }, {}, 400],
    ['an unknown field', { ...SEARCH, cookie: 'x' }, {}, 400],
    ['an empty query', { ...SEARCH, query: ' ' }, {}, 400],
    [
      'a page that does not exist',
      { type: 'playground', path: '/no', outcome: 'success' },
      {},
      400,
    ],
    [
      'a page of another site',
      { type: 'playground', path: '//evil.example', outcome: 'success' },
      {},
      400,
    ],
    [
      'an incomplete character in its path',
      { type: 'playground', path: '/%E0', outcome: 'success' },
      {},
      400,
    ],
    ['another content type', SEARCH, { 'content-type': 'text/plain' }, 400],
    ['the headers of a cross-site request', SEARCH, { 'sec-fetch-site': 'cross-site' }, 403],
    ['a body that is too large', { ...SEARCH, query: 'x'.repeat(3_000) }, {}, 413],
  ] as const)('an analytics event with %s is rejected', async (_, event, headers, status) => {
    const site = await newSite()
    expect((await tell(site, event, headers)).status).toBe(status)
    expect((await read(site, 'searches')).totalSearches).toBe(0)
  })

  test('GET requests for events are rejected, and so are too many events from one network', async () => {
    const site = await newSite()
    expect((await site.call('GET', '/_octavo/events')).status).toBe(405)
    const statuses = new Set<number>()
    for (let number = 0; number <= EVENT_RATES.eventsPerHourOfAddress; number += 1)
      statuses.add((await tell(site, SEARCH)).status)
    expect([...statuses]).toEqual([204, 429])
    expect((await tell(site, SEARCH, { 'x-forwarded-for': '198.51.100.1' })).status).toBe(204)
  })
})
