/**
 * Tests analytics end to end: readers and agents read a hosted site, and its owner sees the API's
 * numbers.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import {
  AgentList,
  DayList,
  FeedbackList,
  NotFoundList,
  ReferrerList,
  SearchList,
  UnreadPageList,
  ViewList,
} from '@octavo/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  type HostedProject,
  type Hosting,
  startHosting,
} from '../../../../service/testing/start-hosting.ts'

const HOSTILE = '"><img src=x onerror=canary()>'
const PERSON = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  accept: 'text/html',
  'sec-fetch-mode': 'navigate',
}
const AGENT = { 'user-agent': 'Claude-User/1.0', accept: 'text/markdown' }
/** The service stores counts every ten seconds. */
const POLL = { interval: 500, timeout: 120_000 }

let hosting: Hosting
let project: HostedProject
let port: number
let cookie: string

beforeAll(async () => {
  hosting = await startHosting()
  project = hosting.createProject('garden')
  port = (await hosting.start('all')).port
  // The user is created before the deployment: the command blocks this process, and the service
  // would close idle connections.
  const made = hosting.command('user', 'create', 'amara@example.com', '--organization', 'garden')
  const [link = ''] = /http\S+\/login\/\w+/.exec(made) ?? []
  const signedIn = await fetch(link, {
    method: 'POST',
    headers: { origin: hosting.url },
    redirect: 'manual',
  })
  cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const folder = join(hosting.folder, 'site')
  mkdirSync(folder)
  const pages = ['index', 'water', 'soil']
  const config = { name: 'Garden', navigation: { pages } }
  writeFileSync(join(folder, 'docs.json'), JSON.stringify(config))
  for (const page of pages)
    writeFileSync(join(folder, `${page}.mdx`), `---\ntitle: ${page}\n---\n\nPlants need ${page}.\n`)
  const deployed = await hosting.octavo(project, 'deploy', folder)
  expect(deployed.code, deployed.err).toBe(0)
}, 300_000)
afterAll(() => hosting?.stop())

/** Sends a reader's request to the site, and returns the status. */
function ask(path: string, headers: Record<string, string>, event?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        path,
        method: event === undefined ? 'GET' : 'POST',
        headers: { host: project.host, ...headers },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    sent.on('error', reject)
    sent.end(event === undefined ? undefined : JSON.stringify(event))
  })
}

const tell = (event: object) =>
  ask(
    '/_octavo/events',
    { ...PERSON, origin: `http://${project.host}`, 'content-type': 'application/json' },
    event,
  )

async function read<T>(schema: { parse(value: unknown): T }, path: string): Promise<T> {
  const response = await fetch(`${hosting.url}/v1/analytics/${project.projectId}/${path}`, {
    headers: { authorization: `Bearer ${project.adminKey}` },
  })
  return schema.parse(await response.json())
}

async function open(path: string): Promise<string> {
  const response = await fetch(`${hosting.url}/projects/${project.projectId}${path}`, {
    headers: { cookie },
  })
  expect(response.status).toBe(200)
  return response.text()
}

/** Returns the numbers in the table row that starts with the given text. */
function numbersOf(page: string, caption: string, lead: string): readonly number[] {
  const table = page.split(`${caption}</caption>`)[1]?.split('</table>')[0] ?? ''
  const rows = [...table.matchAll(/<tr role="row" class="">.*?<\/tr>/gs)].map(([row]) => row)
  const row = rows.find((one) => one.includes(`>${lead}<`)) ?? ''
  return [...row.matchAll(/data-label="[^"]*">([\d,]+)/g)].map(([, count = '']) =>
    Number(count.replaceAll(',', '')),
  )
}

/** Returns the number next to a name in a ranked list. */
function rankOf(page: string, title: string, name: string): number {
  const [list = ''] = (page.split(`<h2>${title}</h2>`)[1] ?? '').split('</ol>')
  const item = list.split('<li>').find((one) => one.includes(`>${name}<`)) ?? ''
  return Number(/<b>(\d+)<\/b>/.exec(item)?.[1])
}

test("the analytics screens show readers' activity with the numbers of the API", async () => {
  for (let count = 0; count < 3; count += 1) await ask('/water', PERSON)
  for (let count = 0; count < 2; count += 1) await ask('/water', AGENT)
  await ask('/', { ...PERSON, referer: 'https://news.example/a?secret=1' })
  await ask('/soil', { ...PERSON, dnt: '1' })
  await ask('/gone', PERSON)
  expect(await tell({ type: 'search', query: `Hose${HOSTILE}`, results: 0 })).toBe(204)
  const feedback = { helpful: false, comment: `Too dry.${HOSTILE}` }
  const key = '6f6ff0a5-6b5a-4f0c-9c39-0d9a3c7d7a11'
  expect(await tell({ type: 'feedback', key, path: '/water', ...feedback })).toBe(204)
  await vi.waitFor(async () => {
    const { days } = await read(DayList, 'days')
    expect(days.at(-1)).toMatchObject({ human: 4, ai: 2, searches: 1, notFound: 1 })
  }, POLL)

  const page = await open('/analytics')
  const list = await open('/analytics/pages')
  const { views } = await read(ViewList, 'views')
  expect(views).toHaveLength(2)
  for (const { path, human, ai, total } of views)
    expect(numbersOf(list, 'Top pages', path)).toEqual([human, ai, total])
  expect(rankOf(page, 'What people read', '/water')).toBe(3)
  expect(rankOf(page, 'What agents read', '/water')).toBe(2)
  const { agents } = await read(AgentList, 'agents')
  expect(agents).toEqual([{ name: 'Claude', count: 2 }])
  expect(page).toContain('<dt>Claude</dt><dd>2</dd>')
  const today = (await read(DayList, 'days')).days.at(-1)
  const statistics = /<dl class="card statistics">.*?<\/dl>/s.exec(page)?.[0] ?? ''
  expect([...statistics.matchAll(/<dd>([\d.]+)/g)].map(([, count]) => Number(count))).toEqual([
    today?.human,
    today?.ai,
    today?.visitors,
    // The searches with results: the only search had none.
    0,
    today?.notFound,
  ])
  expect((await read(UnreadPageList, 'unread-pages')).pages).toEqual([{ path: '/soil' }])
  expect(await open('/analytics/unread')).toContain('>/soil</a>')
  const { referrers } = await read(ReferrerList, 'referrers')
  expect(referrers).toEqual([{ host: 'news.example', views: 1 }])
  expect(rankOf(page, 'Referrers', 'news.example')).toBe(1)
  const { notFound } = await read(NotFoundList, 'not-found')
  expect(notFound).toMatchObject([{ path: '/gone', human: 1, ai: 0 }])
  expect(numbersOf(page, 'Broken links (404)', '/gone').slice(0, 2)).toEqual([1, 0])
  expect(page).toContain('{ &quot;source&quot;: &quot;/gone&quot;')
  const { searches } = await read(SearchList, 'searches?empty=true')
  expect(searches).toMatchObject([{ hits: 1, empty: 1 }])
  expect(page).toContain('hose&quot;&gt;&lt;img src=x')
  expect(page).not.toContain('<img')

  expect(await open('')).toContain('<dt>Reads by agents</dt><dd>2 ')
})

test('an owner resolves and deletes feedback', async () => {
  const inbox = await open('/feedback')
  expect(inbox).toContain('Too dry.&quot;&gt;&lt;img src=x')
  const [one] = (await read(FeedbackList, 'feedback')).feedback
  expect(one).toMatchObject({ path: '/water', helpful: false, status: 'pending' })
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(inbox) ?? []
  const send = (path: string, form: Record<string, string>) =>
    fetch(`${hosting.url}/projects/${project.projectId}/feedback/${one?.id}${path}`, {
      method: 'POST',
      headers: { cookie, origin: hosting.url },
      body: new URLSearchParams({ token, ...form }),
      redirect: 'manual',
    })
  expect((await send('', { state: 'resolved' })).status).toBe(303)
  expect((await read(FeedbackList, 'feedback?status=resolved')).feedback).toHaveLength(1)
  expect(await open('/feedback')).toContain('No open comments')
  expect(await open('/feedback?state=done')).toContain('Too dry.')
  expect((await send('', { state: 'lost' })).status).toBe(409)
  expect((await send('/delete', {})).status).toBe(303)
  expect((await read(FeedbackList, 'feedback')).feedback).toEqual([])
  expect(await open('/audit')).toContain('deleted a comment')
})
