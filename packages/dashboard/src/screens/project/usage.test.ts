import { Me } from '@octavo/contract'
import { expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import { recordApi } from '../../../testing/recorded-api.ts'
import { PROJECT_ID } from '../../../testing/sample-facts.ts'
import { sampleUsage } from '../../../testing/sample-usage.ts'

const PATH = `/projects/${PROJECT_ID}/usage`
const { usage } = sampleUsage('', false)

const visit = (change: object = {}) =>
  visitScreen(PATH, undefined, {
    replies: { [`GET /v1${PATH}`]: () => Response.json({ ...usage, ...change }) },
  })

test('the usage screen shows numbers with their projection, their change and their limit', async () => {
  const { text } = await visit()
  expect(text).toContain('1 Nov to 15 Nov, in UTC. Counters reset on 1 Dec.')
  expect(text).toMatch(/Questions<\/h3>\s*<p><b>2,033<\/b><\/p>/)
  expect(text).toContain('On pace for 4,178. +17%.')
  expect(text).toContain('−7%.')
  expect(text).toMatch(/Builds from Git<\/h3>\s*<p><b>52<\/b><\/p>/)
  expect(text).toContain('115 minutes in total.')
  expect(text).toMatch(/Storage<\/h3>\s*<p><b>13\.8 GB<\/b> of 20\.0 GB<\/p>/)
  expect(text).toContain('aria-label="Storage: 69% used"')
})

test('numbers of the project and of the organization are in separate cards with their names', async () => {
  const { text } = await visit()
  const [, own = '', all = ''] = text.split('<section class="card">')
  expect(own).toContain('<h2>Sensor docs this month</h2>')
  expect(own).toContain('Model tokens')
  expect(own).not.toContain('Storage')
  expect(all).toContain('<h2>All projects of Greenhouse</h2>')
  expect(all).toMatch(/Storage<\/h3>\s*<p><b>13\.8 GB<\/b> of 20\.0 GB<\/p>/)
  expect(all).toMatch(/Sensor docs<\/span>\s*<span class="muted">This project<\/span>/)
  expect(all).not.toMatch(/Grower handbook<\/span>\s*<span class="muted">/)
})

test('if the projected tokens exceed the budget, a warning names the day on which it is used up', async () => {
  const { text } = await visit()
  expect(text).toContain('Model tokens are on pace for 12.5M, above the budget of 10M.')
  expect(text).toContain('Around 24 Nov the assistant')
  expect((await visit({ tokensMax: 13_000_000 })).text).not.toContain('above the budget')
  const { text: over } = await visit({ tokensMax: 6_000_000 })
  expect(over).toContain('The budget of 6M tokens is used up.')
})

test('storage from 80% of the limit shows a warning', async () => {
  const warning = 'of the storage is used.'
  const storage = (bytes: number) => ({ storage: { bytes, bytesMax: 1_000 } })
  expect((await visit(storage(799))).text).not.toContain(warning)
  expect((await visit(storage(800))).text).toContain(warning)
})

test('only members of the organization see the usage of its other projects', async () => {
  const { text } = await visit()
  expect(text).toContain('Usage this month by project')
  expect(text).toContain('Grower handbook')
  const me = { ...(await readMe()) }
  const guest = {
    ...me,
    organizations: me.organizations.map((one) => ({ ...one, role: null })),
  }
  const { text: own, calls } = await visitScreen(PATH, undefined, {
    replies: { 'GET /v1/me': () => Response.json(guest) },
  })
  expect(own).not.toContain('Usage this month by project')
  expect(own).toContain('All projects of Greenhouse')
  expect(calls.filter(({ path }) => path.startsWith('/v1/organizations/'))).toEqual([])
})

test('the usage table has a row for each of the largest projects, and one row for all others', async () => {
  const [{ organizationUsage }] = [sampleUsage('', false)]
  const [one] = organizationUsage.projects
  const projects = Array.from({ length: 23 }, (_, index) => ({ ...one, name: `Docs ${index}` }))
  const path = `GET /v1/organizations/${(await readMe()).organizations[0]?.id}/usage`
  const { text } = await visitScreen(PATH, undefined, {
    replies: { [path]: () => Response.json({ ...organizationUsage, projects }) },
  })
  expect(text).toContain('Docs 19')
  expect(text).not.toContain('Docs 20')
  expect(text).toContain('3 more projects')
})

test('without limits and usage, the usage screen shows no bars', async () => {
  const { text } = await visitScreen(PATH, undefined, { isEmpty: true })
  expect(text).toContain('Nothing yet.')
  expect(text).not.toContain('class="meter')
})

async function readMe() {
  const { api } = recordApi()
  const reply = await api('GET', '/v1/me')
  return Me.parse(await reply.json())
}
