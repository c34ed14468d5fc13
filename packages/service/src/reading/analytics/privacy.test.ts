/** Tests that nothing in the database, the logs and the metrics identifies a reader. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AssistantSite,
  newAssistantSite,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { createBatchStore } from './batch-store.ts'

/** Personal data that must not appear anywhere, in any encoding. */
const CANARIES = {
  address: '198.51.100.177',
  otherAddress: '2001:db8:cafe:77::9',
  userAgent: 'CanaryBrowser',
  referrerPath: 'canary-referrer-path',
  referrerQuery: 'canary-referrer-query',
  query: 'canary-url-query',
  cookie: 'canary-cookie',
  language: 'xx-canary',
  key: 'sk-live-canary0123456789abcdef',
  mail: 'canary@example.com',
}
/** The values that are stored according to the documentation. */
const KEPT = [
  'canary-search',
  'canary-comment',
  'canary-contact',
  'canary-host.example',
  'canary-missing',
]

let service: TestService
let site: AssistantSite
beforeAll(async () => {
  service = await startAssistantService({ trustedProxies: ['127.0.0.1/32'] })
  site = await newAssistantSite(service)
})
afterAll(() => service.stop())

const headersOf = (address: string) => ({
  'x-forwarded-for': address,
  'user-agent': `Mozilla/5.0 (X11) ${CANARIES.userAgent}/7.0`,
  accept: 'text/html',
  'accept-language': CANARIES.language,
  cookie: `session=${CANARIES.cookie}`,
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'same-origin',
  referer: `https://canary-host.example/${CANARIES.referrerPath}?q=${CANARIES.referrerQuery}`,
})

async function everything(): Promise<string> {
  const tables = await service.owner.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'jobs') and c.relkind = 'r'`,
  )
  expect(tables.length).toBeGreaterThan(50)
  const texts = [service.log.join('\n')]
  for (const { name } of tables) {
    const rows = await service.owner.query<{ row: string }>(`select t::text as row from ${name} t`)
    texts.push(...rows.map(({ row }) => row))
  }
  texts.push(await (await fetch(`${service.adminUrl}/metrics`)).text())
  return texts.join('\n').toLowerCase()
}

test('the database, the logs and the metrics contain nothing that identifies a reader', async () => {
  for (const address of [CANARIES.address, CANARIES.otherAddress]) {
    const headers = headersOf(address)
    for (const path of ['/water', '/canary-missing', '/llms.txt', '/soil.md'])
      await site.call('GET', `${path}?token=${CANARIES.query}`, { headers })
    const tell = async (event: object) => {
      const { status } = await site.call('POST', '/_octavo/events', {
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(event),
      })
      expect(status).toBe(204)
    }
    await tell({
      type: 'search',
      query: `Canary-search ${CANARIES.key} ${CANARIES.mail}`,
      results: 0,
    })
    await tell({
      type: 'feedback',
      key: crypto.randomUUID(),
      path: '/water',
      helpful: false,
      comment: `canary-comment ${CANARIES.key} ${CANARIES.mail}`,
      contact: 'canary-contact',
    })
    await tell({ type: 'playground', path: '/water', outcome: 'failed' })
    // An invalid request, to check that its content is not logged.
    await site.call('POST', '/_octavo/events', { headers, body: `{"x":"${CANARIES.query}"}` })
  }
  await service.service.flush()
  const text = await everything()
  for (const [name, canary] of Object.entries(CANARIES)) {
    expect(text.includes(canary.toLowerCase()), name).toBe(false)
    expect(text.includes(Buffer.from(canary).toString('hex')), `${name} in hexadecimal`).toBe(false)
  }
  expect(text).not.toMatch(/198\.51\.100|2001:db8:cafe/)
  for (const kept of KEPT) expect(text, kept).toContain(kept)
})

test('the hashes and the salt of a day are deleted after the day, but the counts are not', async () => {
  const { projectId } = site.project.tenant
  const day = new Date().toISOString().slice(0, 10)
  const store = createBatchStore(service.service.database)
  expect(await store.saltOf(day)).toHaveLength(32)
  expect(await store.saltOf('2020-01-01')).toBeUndefined()
  await store.storeVisits([{ projectId, day, subject: '/soil', detail: 'people', hash: 9 }])
  const count = async (table: string) =>
    (await service.owner.query(`select from ${table} where day = '2026-01-31'`)).length
  await service.owner.query(`update visitor_set set day = '2026-01-31'`)
  await service.owner.query(`update visitor_salt set day = '2026-01-31'`)
  expect(await count('visitor_set')).toBeGreaterThan(0)
  await service.owner.query('select forget_visitors()')
  expect(await count('visitor_set')).toBe(0)
  expect(await count('visitor_salt')).toBe(0)
  const [visitors] = await service.owner.query<{ count: string }>(
    `select count from event_day where event = 'visitor' and project_id = $1 and subject = '/soil' and detail = 'people'`,
    [projectId],
  )
  expect(Number(visitors?.count)).toBeGreaterThan(0)
})
