/** Tests exports from a real streaming replica while conversations are published. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { ConversationPage } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningPostgres, startPostgres } from '../../../testing/start-postgres.ts'
import { serviceUrlOf } from '../../../testing/test-database.ts'
import { PEPPER } from '../../../testing/test-service.ts'
import { ConversationStore } from '../../answers/conversations/store.ts'
import { createService, type Service } from '../../app/roles/service.ts'
import { insertOrganization } from '../../people/organizations/store.ts'
import { NO_SIGN_IN } from '../../people/sign-in-settings.ts'
import { createApiKey } from '../../projects/api-keys/create-api-key.ts'
import { ProjectStore, tenantOf } from '../../projects/projects/store.ts'
import { type Database, openDatabase, type Tenant } from './database.ts'
import { migrate } from './migrate.ts'

let primary: RunningPostgres
let replica: RunningPostgres
let owner: Database
let service: Service
let tenant: Tenant
let url: string
let token: string
const log: string[] = []

/** Returns a connection URL that bypasses the pooler, which other tests may be using. */
const direct = (server: RunningPostgres) =>
  Object.assign(new URL(serviceUrlOf(server.url)), { port: String(server.port) }).href

beforeAll(async () => {
  primary = await startPostgres({ settings: { fsync: 'off' } })
  await migrate(primary.url, { serviceUrl: direct(primary) })
  replica = await primary.startReplica()
  owner = openDatabase({ url: primary.url, connections: 2 })
  service = createService({
    settings: {
      databaseUrl: direct(primary),
      ownerUrl: primary.url,
      directUrl: undefined,
      replicaUrl: direct(replica),
      pepper: PEPPER,
      secretKeys: [],
      blobs: undefined,
      url: undefined,
      sitesDomain: undefined,
      previewsDomain: undefined,
      workFolder: 'unused',
      hostCacheBytes: 0,
      host: '127.0.0.1',
      port: 0,
      adminHost: '127.0.0.1',
      adminPort: 0,
      trustedProxies: [],
      isReadOnly: false,
      allowPrivateHosts: [],
      dnsServers: [],
      oidcIssuers: [],
      gitHubUrl: 'https://github.com',
      gitHubApp: undefined,
      assistant: { model: undefined, tokensPerDay: undefined, tokensPerMonth: undefined },
      vectors: { mode: 'off' },
      requestsPerHour: 1_000_000,
      signIn: NO_SIGN_IN,
      databaseConnections: 8,
      traces: undefined,
    },
    writeLog: (line) => log.push(line),
    now: Date.now,
  })
  service.server.listen(0, '127.0.0.1')
  await once(service.server, 'listening')
  const { id: organizationId } = await insertOrganization(owner, 'Test')
  const newProject = { organizationId, name: 'Test', slug: 'test' }
  const project = await new ProjectStore(owner).insert(newProject)
  tenant = tenantOf(project)
  const made = await createApiKey(
    { database: owner.forProject(tenant), pepper: PEPPER },
    {
      kind: 'admin',
      name: '',
      scopes: ['analytics:read'],
      allowedFrom: null,
      expiresAt: null,
    },
  )
  token = made.token
  const { port } = service.server.address() as AddressInfo
  url = `http://127.0.0.1:${port}/v1/analytics/${project.public_id}/assistant`
})
afterAll(async () => {
  await service?.stop()
  await owner?.end()
  await replica?.stop()
  await primary?.stop()
})

async function read(search = ''): Promise<ConversationPage> {
  const response = await fetch(`${url}${search}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  return (await response.json()) as ConversationPage
}

async function publish(query: string): Promise<string> {
  const conversations = new ConversationStore(service.database.forProject(tenant))
  const turn = await conversations.accept({ query })
  const answer = { response: 'r', sources: [], resolutionStatus: 'answered' as const }
  return (await conversations.publish(turn, answer)) ?? ''
}

/** Returns how many export pages were read on a server, according to its statistics. */
async function pagesRead(server: RunningPostgres): Promise<number> {
  const client = openDatabase({ url: server.url, connections: 1 })
  const [row] = await client.query<{ calls: string }>(
    `select coalesce(sum(calls), 0) as calls from pg_stat_user_functions where funcname = 'conversations_page'`,
  )
  await client.end()
  return Number(row?.calls ?? 0)
}

describe('exports with a replica', () => {
  test('an export includes a conversation that was just published, by waiting for the replica', async () => {
    for (let number = 0; number < 20; number += 1) {
      const id = await publish(`question ${number}`)
      const { conversations } = await read('?limit=1000')
      expect(conversations.at(-1)?.id).toBe(id)
    }
  })

  test('an export contains each conversation once, even if conversations are published meanwhile', async () => {
    const published: string[] = []
    let isDone = false
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; number < 60; number += 1)
        published.push(await publish(`w${writer}-${number}`))
    })
    const seen: string[] = []
    const reader = (async () => {
      let cursor = ''
      for (;;) {
        const isLast = isDone
        const page = await read(`?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`)
        for (const { id } of page.conversations) seen.push(id)
        cursor = page.conversations.at(-1)?.id ?? cursor
        if (isLast && !page.hasMore) return
      }
    })()
    await Promise.all(writers)
    isDone = true
    await reader
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => published.includes(id))).toEqual(published.toSorted())
  })

  test('exports are read from the replica, not from the primary', async () => {
    await owner.query(`alter system set track_functions = 'pl'`)
    await owner.query('select pg_reload_conf()')
    const onReplica = openDatabase({ url: replica.url, connections: 1 })
    // The replica needs the same change, because its settings are separate.
    await onReplica.query(`alter system set track_functions = 'pl'`)
    await onReplica.query('select pg_reload_conf()')
    await onReplica.end()
    await new Promise((resolve) => setTimeout(resolve, 500))
    for (let count = 0; count < 10; count += 1) await read('?limit=5')
    // Waits, because PostgreSQL updates its statistics only when a connection is idle.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await read('?limit=5')
    expect(await pagesRead(primary)).toBe(0)
    expect(await pagesRead(replica)).toBeGreaterThanOrEqual(10)
  })

  test('exports fall back to the primary if the replica lags or is down', async () => {
    const onReplica = openDatabase({ url: replica.url, connections: 1 })
    await onReplica.query('select pg_wal_replay_pause()')
    const id = await publish('paused')
    expect((await read('?limit=1000')).conversations.at(-1)?.id).toBe(id)
    await onReplica.query('select pg_wal_replay_resume()')
    await onReplica.end()
    await replica.kill()
    const later = await publish('gone')
    expect((await read('?limit=1000')).conversations.at(-1)?.id).toBe(later)
    expect(log.join('')).toContain('replica failed')
  })
})
