/** Compares the analytics screens with the numbers of the API. */
import {
  DayList,
  NotFoundList,
  ReadList,
  ReferrerList,
  SearchList,
  UnreadPageList,
  UseList,
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

/** Returns the HTML of a card with this title. */
function cardOf(text: string, title: string): string {
  return text.split(`<h2>${title}</h2>`)[1]?.split('</section>')[0] ?? ''
}

/** Returns the texts of a ranked list. */
function ranksOf(text: string, title: string): readonly string[] {
  const [, list = ''] = /<ol class="ranks">(.*?)<\/ol>/s.exec(cardOf(text, title)) ?? []
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = '']) => plain(item))
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

describe('the export of lists', () => {
  test('each list in the CSV menu downloads a file with the entries of the API', async () => {
    const { text } = await open('/analytics?days=7')
    const hrefs = [...text.matchAll(/href="[^"]*(\/analytics\/[\w-]+\.csv\?days=7)"/g)]
    expect(hrefs).toHaveLength(8)
    for (const [, path = ''] of hrefs) expect((await open(path)).status).toBe(200)
    const { notFound } = await ask(NotFoundList, '/not-found?limit=100')
    const file = await open('/analytics/not-found.csv?days=7')
    const [head, ...lines] = file.text.trim().split('\r\n')
    expect(head?.split(',')).toEqual(expect.arrayContaining(['path', 'human', 'ai']))
    expect(lines).toHaveLength(notFound.length)
  })

  test('a CSV file of an unknown list responds with 404', async () => {
    expect((await open('/analytics/nothing.csv')).status).toBe(404)
  })
})

describe('the analytics screen', () => {
  test('the statistics show the totals of the chosen days and the change from the previous period', async () => {
    const { text, calls } = await open('/analytics?days=7')
    const path = '/days?dateFrom=2026-11-02'
    expect(calls.map((call) => call.path)).toContain(API + path)
    const { days } = await ask(DayList, path)
    expect(days).toHaveLength(14)
    const sums = (part: typeof days) =>
      [
        ['human'],
        ['ai', 'aiFiles', 'aiCalls'],
        ['visitors'],
        ['searches'],
        ['notFound'],
        ['emptySearches'],
      ].map((names) =>
        part.reduce(
          (sum, day) =>
            names.reduce((all, name) => all + Number(day[name as keyof typeof day]), sum),
          0,
        ),
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

  test('the chart separates views by people and agents, and a table has the same numbers', async () => {
    const { text } = await open('/analytics?days=7')
    const days = (await ask(DayList, '/days?dateFrom=2026-11-09')).days.toReversed()
    expect(rowsOf(text, 'Page views per day, newest first').map((row) => row.slice(1))).toEqual(
      days.map(({ human, ai }) => [number(human), number(ai)]),
    )
    const chart = text.split('<figure')[1]?.split('</figure>')[0] ?? ''
    expect(chart.match(/<rect class="people"/g)).toHaveLength(7)
    expect(chart.match(/<rect class="agents"/g)).toHaveLength(7)
    const human = days.reduce((sum, day) => sum + day.human, 0)
    expect(text).toContain(`People ${number(human)}</span>`)
  })

  test('the ranked lists and tables show the numbers of the API', async () => {
    const { text } = await open('/analytics')
    const people = await ask(ReadList, '/reads?by=people')
    const words = (event: string, name: string) => (event === 'mcp' ? `MCP: ${name}` : name)
    const lines = (reads: typeof people.reads) =>
      reads.map(({ event, name, count, before }) => {
        const percent = Math.round((count / before - 1) * 100)
        const change = percent < 0 ? `−${-percent}%` : `+${percent}%`
        const label = name === '(other)' ? 'Other pages' : words(event, name)
        return [label, ...(before === 0 ? [] : [change]), number(count)].join(' ')
      })
    expect(ranksOf(text, 'What people read')).toEqual(lines(people.reads))
    const agents = await ask(ReadList, '/reads?by=agents')
    expect(ranksOf(text, 'What agents read')).toEqual(lines(agents.reads))
    const { searches } = await ask(SearchList, '/searches')
    const rows = rowsOf(text, 'Searches')
    expect(rows.map((row) => row.slice(1))).toEqual(
      searches.map(({ hits, ctr }) => [number(hits), `${Math.round(ctr * 100)}%`]),
    )
    for (const [index, { searchQuery, topClickedPage, empty }] of searches.entries()) {
      expect(rows[index]?.[0]).toContain(searchQuery)
      if (topClickedPage !== undefined) expect(rows[index]?.[0]).toContain(topClickedPage)
      if (empty > 0) expect(rows[index]?.[0]).toContain(`${empty} without result`)
    }
    const vain = await ask(SearchList, '/searches?empty=true')
    expect(ranksOf(text, 'Searches without results')).toEqual(
      vain.searches.map(({ searchQuery, empty }) => `${searchQuery} ${number(empty)}`),
    )
    const { notFound } = await ask(NotFoundList, '/not-found')
    expect(rowsOf(text, 'Broken links (404)').map((row) => row.slice(2, 4))).toEqual(
      notFound.map(({ human, ai }) => [number(human), number(ai)]),
    )
    const { referrers } = await ask(ReferrerList, '/referrers')
    expect(ranksOf(text, 'Referrers')).toEqual(
      referrers.map(({ host, views: count }) => `${host} ${number(count)}`),
    )
    const { uses } = await ask(UseList, '/uses')
    expect(rowsOf(text, 'API playgrounds').map((row) => row[1])).toEqual(
      uses.filter(({ event }) => event === 'playground').map(({ count }) => number(count)),
    )
  })

  test('reads by agents are the sum of pages, files and MCP calls, and of all agents by name', async () => {
    const { text } = await open('/analytics')
    const [, all = ''] = /Reads by agents<\/dt><dd>([\d,]+)/.exec(text) ?? []
    const [, kinds = [], names = []] = cardOf(text, 'What agents read')
      .split('class="by"')
      .map((list) =>
        [...list.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(
          ([, name = '', count = '']) => [name, Number(plain(count).replaceAll(',', ''))] as const,
        ),
      )
    const total = Number(all.replaceAll(',', ''))
    expect(total).toBeGreaterThan(0)
    expect(kinds[0]).toEqual(['Reads by agents', total])
    expect(kinds.slice(1).map(([name]) => name)).toEqual(['Pages', 'Files', 'MCP calls'])
    expect(names.map(([name]) => name)).toEqual([
      'Claude Code',
      'Cursor',
      'MCP',
      'ChatGPT',
      'Others',
    ])
    const sumOf = (counts: typeof kinds) => counts.reduce((sum, [, count]) => sum + count, 0)
    expect(sumOf(kinds.slice(1))).toBe(total)
    expect(sumOf(names)).toBe(total)
  })

  test('pages that were never opened are counted, with a link to their list', async () => {
    const { text } = await open('/analytics')
    expect(text).toContain(`href="${PROJECT}/analytics/unread?days=30">9 pages</a>`)
    const { pages } = await ask(UnreadPageList, '/unread-pages')
    const list = await open('/analytics/unread')
    expect(rowsOf(list.text, 'Pages without views')).toEqual(pages.map(({ path }) => [path]))
  })

  test('unanswered questions are shown to people who may read gaps', async () => {
    const { text } = await open('/analytics')
    expect(ranksOf(text, 'Unanswered questions, all time')[0]).toMatch(
      /join keys of 300 sensors\? \d+$/,
    )
    expect(text).toContain(`href="${PROJECT}/gaps"`)
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

  test('all lists of the analytics screen use the same days, and long lists link to all entries', async () => {
    const { text, calls } = await open('/analytics?days=90')
    const lists = calls.filter(({ path }) => path.startsWith(API) && !path.includes('/days'))
    expect(lists).toHaveLength(9)
    for (const { path } of lists) expect(path).toContain('dateFrom=2026-08-18')
    expect(text).toContain(`href="${PROJECT}/analytics/pages?days=90"`)
    expect(text).toContain(`href="${PROJECT}/analytics/agents?days=90"`)
    expect(text).not.toContain(`${PROJECT}/analytics/referrers?`)
  })

  test('before the first view, the analytics screen says what is set up and what will appear', async () => {
    const { text: undeployed } = await open('/analytics', { isEmpty: true })
    expect(undeployed).toContain('No views yet')
    expect(undeployed).toContain('Waiting for the first deployment')
    const { text } = await open('/analytics', { isUnread: true })
    expect(plain(text)).toContain('The site went live 38 min ago')
    expect(plain(text)).toContain('The site is live Deployment #1184')
    expect(text).toContain('href="https://docs.greenhouse.example/sitemap.xml"')
    for (const page of [undeployed, text]) {
      expect(page).toContain('What you will see here')
      expect(page).not.toMatch(/class="chart"|<table|<select/)
    }
  })

  test('a site without views in the chosen days says so, without empty charts', async () => {
    const replies = {
      [`GET ${API}/views`]: () =>
        Response.json({
          totals: { human: 1, ai: 0, total: 1, bots: 0 },
          views: [{ path: '/', human: 1, ai: 0, total: 1, bots: 0 }],
          nextCursor: null,
          hasMore: false,
        }),
    }
    const { text } = await open('/analytics?days=7', { isUnread: true, replies })
    expect(text).toContain('No views in the last 7 days')
    expect(text).not.toMatch(/class="chart"|<table/)
    expect(text).toContain('<select')
  })

  test('pages are links to the live site, but referrers and missing pages are not links', async () => {
    const { text } = await open('/analytics')
    expect(text).toContain('href="https://docs.greenhouse.example/guides/calibrate"')
    expect(text).not.toMatch(/href="[^"]*(?:github\.com|\/guides\/join)"/)
  })
})

describe('analytics list pages', () => {
  test('an analytics list is paged with the cursor of the API', async () => {
    const { text, calls } = await open('/analytics/pages?days=7&cursor=c1')
    expect(calls.at(-1)?.path).toBe(`${API}/views?dateFrom=2026-11-09&cursor=c1`)
    expect(text).toContain(`href="${PROJECT}/analytics/pages?days=7&amp;cursor=more"`)
    expect(text).toContain(`href="${PROJECT}/analytics/pages?days=7"`)
    expect(text).toContain(`href="${PROJECT}/analytics?days=7"`)
  })

  test('an empty analytics list has a text instead of entries', async () => {
    const { text } = await open('/analytics/unread', { isEmpty: true })
    expect(text).toContain('Every page of the live site was read in this period.')
  })

  test('an unknown analytics list responds with 404', async () => {
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
