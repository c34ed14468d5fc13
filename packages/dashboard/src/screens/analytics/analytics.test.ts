/** Compares the analytics screens with the API's numbers. */
import {
  DayList,
  NotFoundList,
  ReferrerList,
  SearchList,
  UnreadPageList,
  UseList,
  ViewList,
} from '@octavo/contract'
import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import { type ApiOptions, recordApi } from '../../../testing/recorded-api.ts'
import { PROJECT_ID } from '../../../testing/sample-facts.ts'

const PROJECT = `/projects/${PROJECT_ID}`
const API = `/v1/analytics/${PROJECT_ID}`
const number = (value: number) => value.toLocaleString('en-GB')

const open = (path: string, options?: ApiOptions) => visitScreen(PROJECT + path, undefined, options)

/** Calls the API with the same query as the screen. */
async function ask<T>(schema: { parse(value: unknown): T }, path: string): Promise<T> {
  const reply = await recordApi().api('GET', API + path)
  return schema.parse(await reply.json())
}

/** Returns the cell texts of a table by row. */
function rowsOf(text: string, caption: string): readonly (readonly string[])[] {
  const found = text.split(`<caption class="sr-only">${caption}</caption>`)[1]?.split('</table>')[0]
  const [, body = ''] = /<tbody[^>]*>(.*)<\/tbody>/s.exec(found ?? '') ?? []
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => plain(cell)),
  )
}

const plain = (cell: string) =>
  cell
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()

describe('the analytics screen', () => {
  test('the statistics count the chosen days and the change from the previous period', async () => {
    const { text, calls } = await open('/analytics?days=7')
    const path = '/days?dateFrom=2026-11-02'
    expect(calls.map((call) => call.path)).toContain(API + path)
    const { days } = await ask(DayList, path)
    expect(days).toHaveLength(14)
    const sums = (part: typeof days) =>
      (['human', 'ai', 'visitors', 'searches', 'notFound', 'emptySearches'] as const).map((name) =>
        part.reduce((sum, day) => sum + day[name], 0),
      )
    const foundOf = ([, , , all = 0, , empty = 0]: readonly number[]) => 1 - empty / all
    const before = sums(days.slice(0, 7))
    const shown = sums(days.slice(7))
    const [, list = ''] = /<dl class="card statistics">(.*?)<\/dl>/s.exec(text) ?? []
    const values = [...list.matchAll(/<dd>(.*?)<\/dd>/gs)].map(([, value = '']) => plain(value))
    const sign = (change: number) => (change < 0 ? `−${-change}` : `+${change}`)
    const expected = shown.slice(0, 5).map((count, index) => {
      const percent = Math.round((count / (before[index] ?? 0) - 1) * 100)
      return `${number(count)} ${sign(percent)}%`
    })
    const points = Math.round((foundOf(shown) - foundOf(before)) * 1_000) / 10
    expected[3] = `${(foundOf(shown) * 100).toFixed(1)}% ${sign(points)} pts`
    expect(values).toEqual(expected)
    expect(list.match(/<polyline/g)).toHaveLength(5)
  })

  test('the chart separates views by people and agents, with the same numbers as a table', async () => {
    const { text } = await open('/analytics?days=7')
    const days = (await ask(DayList, '/days?dateFrom=2026-11-09')).days.toReversed()
    expect(rowsOf(text, 'Views per day, newest first').map((row) => row.slice(1))).toEqual(
      days.map(({ human, ai }) => [number(human), number(ai)]),
    )
    expect(text.match(/<rect class="people"/g)).toHaveLength(7)
    expect(text.match(/<rect class="agents"/g)).toHaveLength(7)
    const human = days.reduce((sum, day) => sum + day.human, 0)
    expect(text).toContain(`People ${number(human)}</span>`)
  })

  test("the lists show the API's pages, searches, missing pages, referrers and uses", async () => {
    const { text } = await open('/analytics')
    const { views } = await ask(ViewList, '/views')
    expect(rowsOf(text, 'Top pages')).toEqual(
      views.map(({ path, human, ai, total }) => [
        path === '(other)' ? 'Others What an hour had no more room for' : path,
        ...[human, ai, total].map(number),
      ]),
    )
    const { pages } = await ask(UnreadPageList, '/unread-pages')
    expect(rowsOf(text, 'Pages without views')).toEqual(pages.map(({ path }) => [path]))
    const { searches } = await ask(SearchList, '/searches')
    const rows = rowsOf(text, 'Searches')
    expect(rows.map((row) => row.slice(1))).toEqual(
      searches.map(({ hits, empty, ctr }) => [
        number(hits),
        number(empty),
        `${Math.round(ctr * 100)} %`,
      ]),
    )
    for (const [index, { searchQuery, topClickedPage }] of searches.entries()) {
      expect(rows[index]?.[0]).toContain(searchQuery)
      if (topClickedPage !== undefined) expect(rows[index]?.[0]).toContain(topClickedPage)
    }
    const vain = await ask(SearchList, '/searches?empty=true')
    expect(rowsOf(text, 'Searches without result').map((row) => row.slice(1))).toEqual(
      vain.searches.map(({ empty, hits }) => [number(empty), number(hits)]),
    )
    const { notFound } = await ask(NotFoundList, '/not-found')
    expect(rowsOf(text, 'Broken links (404)').map((row) => row.slice(1, 3))).toEqual(
      notFound.map(({ human, ai }) => [number(human), number(ai)]),
    )
    const { referrers } = await ask(ReferrerList, '/referrers')
    expect(rowsOf(text, 'Referrers')).toEqual(
      referrers.map(({ host, views: count }) => [host, number(count)]),
    )
    const { uses } = await ask(UseList, '/uses')
    const counts = ['MCP tools', 'Files for agents', 'Playgrounds'].flatMap((caption) =>
      rowsOf(text, caption).map((row) => row[1]),
    )
    expect(counts).toEqual(uses.map(({ count }) => number(count)))
  })

  test('each missing page has a redirect to copy as JSON', async () => {
    const { text } = await open('/analytics')
    const lines = [...text.matchAll(/<code id="(redirect-\d+)">(.*?)<\/code>/g)]
    expect(lines.map(([, , line = '']) => JSON.parse(plain(line)))).toEqual([
      { source: '/guides/join', destination: '/network/joining' },
      { source: '/docs/api/v1/sensors.md', destination: '' },
      { source: '/network/gateway-setup', destination: '' },
    ])
    for (const [, id] of lines) expect(text).toContain(`data-copy="${id}"`)
  })

  test('the redirect of a hostile path is escaped and valid JSON', async () => {
    const hostile = '"},{"source":"/<img src=x onerror=canary()>'
    const { text } = await open('/analytics/not-found', { hostile })
    const [, line = ''] = /<code id="redirect-1">(.*?)<\/code>/.exec(text) ?? []
    expect(JSON.parse(plain(line))).toEqual({
      source: `/guides/join${hostile}`,
      destination: `/network/joining${hostile}`,
    })
    expect(text).not.toContain('<img')
  })

  test('all lists use the same days, and long lists link to all entries', async () => {
    const { text, calls } = await open('/analytics?days=90')
    const lists = calls.filter(({ path }) => path.startsWith(API) && !path.includes('/days'))
    expect(lists).toHaveLength(7)
    for (const { path } of lists) expect(path).toContain('dateFrom=2026-08-18')
    expect(text).toContain(`href="${PROJECT}/analytics/pages?days=90"`)
    expect(text).not.toContain(`${PROJECT}/analytics/referrers`)
  })

  test('an empty screen says that nothing was read and how to turn off counting', async () => {
    const { text } = await open('/analytics', { isEmpty: true })
    expect(text).toContain('Nothing was read in the last 30 days')
    expect(text).toContain('<code>integrations.telemetry.enabled</code> to <code>false</code>')
    expect(text).not.toContain('class="chart"')
  })

  test('pages link to the live site, referrers and missing pages do not', async () => {
    const { text } = await open('/analytics')
    expect(text).toContain('href="https://docs.greenhouse.example/guides/start"')
    expect(text).not.toMatch(/href="[^"]*(?:github\.com|\/guides\/join)"/)
  })
})

describe('analytics list pages', () => {
  test('a list is paged with the cursor of the API', async () => {
    const { text, calls } = await open('/analytics/pages?days=7&cursor=c1')
    expect(calls.at(-1)?.path).toBe(`${API}/views?dateFrom=2026-11-09&cursor=c1`)
    expect(text).toContain(`href="${PROJECT}/analytics/pages?days=7&amp;cursor=more"`)
    expect(text).toContain(`href="${PROJECT}/analytics/pages?days=7"`)
    expect(text).toContain(`href="${PROJECT}/analytics?days=7"`)
  })

  test('an empty list says what will appear there', async () => {
    const { text } = await open('/analytics/unread', { isEmpty: true })
    expect(text).toContain('Every page of the live site was read.')
  })

  test('an unknown list responds with 404', async () => {
    expect((await open('/analytics/cookies')).status).toBe(404)
  })
})

describe('analytics on the overview', () => {
  test('the overview shows views to people who may read analytics, with one more call', async () => {
    const { text, calls } = await open('', { role: 'analyst' })
    expect(calls.filter(({ path }) => path.startsWith(API)).map(({ path }) => path)).toEqual([
      `${API}/days?dateFrom=2026-09-17`,
    ])
    expect(text).toContain('<dt>Reads by agents</dt>')
  })

  test('the overview does not request analytics for a viewer', async () => {
    const { status, text, calls } = await open('', { role: 'viewer' })
    expect(status).toBe(200)
    expect(calls.filter(({ path }) => path.startsWith(API))).toEqual([])
    expect(text).not.toContain('Views by')
  })
})
