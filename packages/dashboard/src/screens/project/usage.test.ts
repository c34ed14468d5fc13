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

test('each number has its pace, its change and its limit', async () => {
  const { text } = await visit()
  expect(text).toContain('1 Nov to 15 Nov, in UTC. Counters start again on 1 Dec.')
  expect(text).toMatch(/Questions<\/h3>\s*<p><b>2,033<\/b><\/p>/)
  expect(text).toContain('On pace for 4,178. +17%.')
  expect(text).toContain('−7%.')
  expect(text).toContain('52 builds from Git took 115 minutes.')
  expect(text).toMatch(/Storage<\/h3>\s*<p><b>13\.8 GB<\/b> of 20\.0 GB<\/p>/)
  expect(text).toContain('aria-label="Storage: 69% used"')
})

test('a pace above the budget of tokens is a warning with the day it is reached', async () => {
  const { text } = await visit()
  expect(text).toContain('Model tokens are on pace for 12.5M, above the budget of 10M.')
  expect(text).toContain('Around 24 Nov the assistant')
  expect((await visit({ tokensMax: 13_000_000 })).text).not.toContain('above the budget')
  const { text: over } = await visit({ tokensMax: 6_000_000 })
  expect(over).toContain('The budget of 6M tokens is used up.')
})

test('storage of 80% of the limit is a warning', async () => {
  const warning = 'of the storage is used.'
  const storage = (bytes: number) => ({ storage: { bytes, bytesMax: 1_000 } })
  expect((await visit(storage(799))).text).not.toContain(warning)
  expect((await visit(storage(800))).text).toContain(warning)
})

test('members of the organization see its projects, and others only their project', async () => {
  const { text } = await visit()
  expect(text).toContain('By project')
  expect(text).toContain('Grower handbook')
  const me = { ...(await readMe()) }
  const guest = {
    ...me,
    organizations: me.organizations.map((one) => ({ ...one, role: null })),
  }
  const { text: own, calls } = await visitScreen(PATH, undefined, {
    replies: { 'GET /v1/me': () => Response.json(guest) },
  })
  expect(own).not.toContain('By project')
  expect(calls.filter(({ path }) => path.startsWith('/v1/organizations/'))).toEqual([])
})

test('without limits and numbers, the screen shows plain zeros and no bars', async () => {
  const { text } = await visitScreen(PATH, undefined, { isEmpty: true })
  expect(text).toContain('Nothing yet.')
  expect(text).not.toContain('class="meter')
})

async function readMe() {
  const { api } = recordApi()
  const reply = await api('GET', '/v1/me')
  return Me.parse(await reply.json())
}
