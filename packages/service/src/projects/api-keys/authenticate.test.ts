import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectProblem, readResponse } from '../../../testing/expect-problem.ts'
import {
  PEPPER,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { createService, type Service } from '../../app/roles/service.ts'
import type { Settings } from '../../app/settings/env.ts'
import { createFindClientAddress } from '../../platform/http/client-address.ts'
import { createToken } from '../../platform/secrets/token.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { createAuthenticator } from './authenticate.ts'
import { KeyStore } from './store.ts'

const POLL = { interval: 5, timeout: 5_000 }
let service: TestService
let project: TestProject
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  service = await startTestService()
  project = await service.createProject()
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})
afterAll(() => service.stop())

type Process = {
  readonly url: string
  readonly adminUrl: string
  readonly service: Service
  readonly log: string[]
}

/**
 * Starts another instance of the service, as in a second process, by default on the same database.
 */
async function startProcess(
  options: Partial<Settings> & { now?: () => number } = {},
): Promise<Process> {
  const { now = Date.now, ...more } = options
  const log: string[] = []
  const started = createService({
    settings: {
      ...service.settings,
      databaseConnections: 4,
      ...more,
    },
    writeLog: (line) => log.push(line),
    now,
  })
  started.server.listen(0, '127.0.0.1')
  await once(started.server, 'listening')
  closers.push(async () => {
    started.server.closeAllConnections()
    await started.stop()
  })
  started.adminServer.listen(0, '127.0.0.1')
  await once(started.adminServer, 'listening')
  const [url, adminUrl] = [started.server, started.adminServer].map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  )
  if (url === undefined || adminUrl === undefined) throw new Error('not listening')
  return { url, adminUrl, service: started, log }
}

const get = (token: string, url = service.url, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/analytics/${project.publicId}/assistant`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
const statusOf = async (token: string, url?: string) => (await get(token, url)).status
const replyOf = async (token: string, url?: string) => readResponse(await get(token, url))

const keysOf = ({ tenant }: TestProject) => new KeyStore(service.owner.forProject(tenant))

async function keyRow(token: string) {
  const [row] = await service.owner.query<{ id: string; last_used_at: Date | null }>(
    'select id, last_used_at from api_key where token_hash = $1',
    [PEPPER.hash('api key', token)],
  )
  if (row === undefined) throw new Error('no such key')
  return row
}

/** Waits for pending database writes: the last use of a key is recorded after the response. */
const settle = ({ flush }: Service) => flush()

describe('revoked API keys', () => {
  test('a revoked key is rejected within a second by every process', async () => {
    const second = await startProcess()
    const token = await service.createKey(project)
    const urls = [service.url, second.url]
    for (const url of urls) expect(await statusOf(token, url)).toBe(200)
    const { id } = await keyRow(token)
    expect(await keysOf(project).revoke(id)).toBe(true)
    const revokedAt = performance.now()
    // Constant use must not keep the key valid.
    const waits = urls.map((url) =>
      vi.waitFor(async () => expect(await statusOf(token, url)).toBe(401), POLL),
    )
    await Promise.all(waits)
    expect(performance.now() - revokedAt).toBeQuick(1_000)
    expectProblem(await replyOf(token), 401)
  })

  test("revoking a key does not affect the project's other keys", async () => {
    const [gone, kept] = [await service.createKey(project), await service.createKey(project)]
    await keysOf(project).revoke((await keyRow(gone)).id)
    expect([await statusOf(gone), await statusOf(kept)]).toEqual([401, 200])
  })

  test('a key cannot be revoked by another project', async () => {
    const other = await service.createProject()
    const { id } = await keyRow(project.token)
    expect(await keysOf(other).revoke(id)).toBe(false)
    expect(await statusOf(project.token)).toBe(200)
  })
})

describe('expiring API keys', () => {
  test('a key is accepted until a millisecond before its expiry', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    const token = await service.createKey(project, { expiresAt })
    const { database } = service.service
    const at = (now: number) => {
      const { authenticate } = createAuthenticator({
        database,
        pepper: PEPPER,
        now: () => now,
        log() {},
      })
      const headers = { authorization: `Bearer ${token}` }
      return authenticate(new Request(service.url, { headers }), '127.0.0.1')
    }
    await expect(at(expiresAt.getTime() - 1)).resolves.toMatchObject({ tenant: project.tenant })
    await expect(at(expiresAt.getTime())).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('the running service rejects an expired key and accepts one that expires later', async () => {
    const past = await service.createKey(project, { expiresAt: new Date(Date.now() - 1) })
    const future = await service.createKey(project, { expiresAt: new Date(Date.now() + 60_000) })
    expectProblem(await replyOf(past), 401)
    expect(await statusOf(future)).toBe(200)
  })
})

describe('scopes of API keys', () => {
  test.each([
    [[], 403],
    [['analytics:write'], 403],
    [['deploy:write', 'keys:write'], 403],
    [['analytics:read'], 200],
    [['keys:write', 'analytics:read'], 200],
  ] as const)('a key with the scopes %j gets status %i', async (scopes, status) => {
    const reply = await replyOf(await service.createKey(project, { scopes }))
    expect(reply.status).toBe(status)
    if (status === 403) expectProblem(reply, 403)
  })

  test('a key of another project gets the same response as a key for a nonexistent project', async () => {
    const other = await service.createProject()
    const unknown = await readResponse(
      await service.get({ ...other, publicId: 'prj_0000000000000000' }),
    )
    const foreign = await replyOf(other.token)
    expectProblem(unknown, 404)
    expectProblem(foreign, 404)
    const plain = (reply: { body: string }) => ({ ...JSON.parse(reply.body), requestId: '' })
    expect(plain(foreign)).toEqual(plain(unknown))
    const names = (reply: { headers: Headers }) => [...reply.headers.keys()]
    expect(names(foreign)).toEqual(names(unknown))
  })
})

describe('API keys with allowed networks', () => {
  test.each([
    [['127.0.0.0/8'], 200],
    [['127.0.0.1/32'], 200],
    [['10.0.0.0/8', '127.0.0.0/8'], 200],
    [['0.0.0.0/0'], 200],
    [['10.0.0.0/8'], 403],
    [['127.0.0.2/32'], 403],
    [['::/0'], 403],
    [[], 403],
  ])('a key allowed from %j gets status %i from 127.0.0.1', async (allowedFrom, status) => {
    const reply = await replyOf(await service.createKey(project, { allowedFrom }))
    expect(reply.status).toBe(status)
    if (status === 403) expectProblem(reply, 403)
  })

  test("request headers do not change the client address that is compared with a key's allowed networks", async () => {
    const token = await service.createKey(project, { allowedFrom: ['10.0.0.0/8'] })
    const names = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'true-client-ip', 'client-ip']
    for (const name of names) {
      const value = name === 'forwarded' ? 'for=10.0.0.1' : '10.0.0.1'
      expect((await get(token, service.url, { [name]: value })).status).toBe(403)
    }
  })

  test.each([
    // A server that listens on IPv6 sees IPv4 callers like this.
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['::FFFF:10.1.2.3', ['10.0.0.0/8'], true],
    ['::ffff:11.1.2.3', ['10.0.0.0/8'], false],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    // The zone of a link-local address is the name of a network interface.
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['fe80::1%eth0', ['2001:db8::/32'], false],
    [undefined, ['0.0.0.0/0'], false],
  ])(
    'a caller at %s with a key allowed from %j has access: %s',
    async (address, allowedFrom, isAllowed) => {
      const token = await service.createKey(project, { allowedFrom })
      const { database } = service.service
      const { authenticate } = createAuthenticator({
        database,
        pepper: PEPPER,
        now: Date.now,
        log() {},
      })
      const headers = { authorization: `Bearer ${token}` }
      const client = createFindClientAddress([])(address, undefined)
      const caller = authenticate(new Request(service.url, { headers }), client)
      if (isAllowed) await expect(caller).resolves.toMatchObject({ tenant: project.tenant })
      else await expect(caller).rejects.toMatchObject({ code: 'forbidden' })
    },
  )
})

describe('the last use of an API key', () => {
  test('the last use of a key is recorded once it is used', async () => {
    const token = await service.createKey(project)
    expect((await keyRow(token)).last_used_at).toBeNull()
    const before = Date.now()
    expect(await statusOf(token)).toBe(200)
    const used = await vi.waitFor(async () => {
      const { last_used_at } = await keyRow(token)
      expect(last_used_at).not.toBeNull()
      return last_used_at?.getTime() ?? 0
    }, POLL)
    expect(used).toBeGreaterThanOrEqual(before - 1_000)
    expect(used).toBeLessThanOrEqual(Date.now() + 1_000)
  })

  test('the last use of a rejected key is not recorded', async () => {
    const token = await service.createKey(project, { allowedFrom: ['10.0.0.0/8'] })
    expect(await statusOf(token)).toBe(403)
    await settle(service.service)
    expect((await keyRow(token)).last_used_at).toBeNull()
  })
})

describe('database queries of authentication', () => {
  function countQueries({ database }: Service): () => number {
    let count = 0
    database.pool.on('acquire', () => {
      count += 1
    })
    return () => count
  }

  test('a malformed key causes no query (requirement A2)', async () => {
    const { url, service: started } = await startProcess()
    const queries = countQueries(started)
    const good = createToken()
    const bad = [
      'x',
      'octavo_adm_',
      good.slice(0, -1),
      `${good}0`,
      good.replace('adm', 'pub'),
      `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
      `octavo_adm_${good.charAt(11) === '0' ? '1' : '0'}${good.slice(12)}`,
    ]
    for (const token of bad) expect(await statusOf(token, url)).toBe(401)
    expect(queries()).toBe(0)
    expect(started.database.pool.totalCount).toBe(0)
    // Proves that the counter works: a well-formed key has to be looked up.
    expect(await statusOf(good, url)).toBe(401)
    expect(queries()).toBe(1)
  })

  test('a key is cached for half a second', async () => {
    let now = Date.now()
    const { url, service: started } = await startProcess({ now: () => now })
    await statusOf(project.token, url)
    await settle(started)
    const queries = countQueries(started)
    const steps = [0, 499, 1, 0].map((ms) => async () => {
      now += ms
      await statusOf(project.token, url)
      return queries()
    })
    const seen: number[] = []
    for (const step of steps) seen.push(await step())
    // Each request for a last page makes three queries: read, fence, read. The third request also
    // looks up the key again.
    expect(seen).toEqual([3, 6, 10, 13])
  })
})

describe('the hourly request limit', () => {
  test('a request over the limit gets 429 with Retry-After and rate limit headers', async () => {
    const { url } = await startProcess({ requestsPerHour: 3 })
    const left: (string | null)[] = []
    for (let count = 0; count < 3; count += 1) {
      const response = await get(project.token, url)
      expect(response.status).toBe(200)
      expect(response.headers.get('ratelimit-policy')).toBe('"project";q=3;w=3600')
      left.push(response.headers.get('ratelimit'))
    }
    expect(left.map((value) => value?.replace(/t=\d+/, 't=…'))).toEqual([
      '"project";r=2;t=…',
      '"project";r=1;t=…',
      '"project";r=0;t=…',
    ])
    const reply = await replyOf(project.token, url)
    expectProblem(reply, 429)
    expect(reply.headers.get('ratelimit-policy')).toBe('"project";q=3;w=3600')
    expect(reply.headers.get('ratelimit')).toMatch(/^"project";r=0;t=\d+$/)
    const seconds = Number(reply.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(3_590)
    expect(seconds).toBeLessThanOrEqual(3_600)
  })

  test('requests are counted per project, not per key', async () => {
    const { url } = await startProcess({ requestsPerHour: 1 })
    const second = await service.createKey(project)
    const other = await service.createProject()
    expect([await statusOf(project.token, url), await statusOf(second, url)]).toEqual([200, 429])
    const path = `${url}/v1/analytics/${other.publicId}/assistant`
    const headers = { authorization: `Bearer ${other.token}` }
    expect((await fetch(path, { headers })).status).toBe(200)
  })

  test("rejected requests of other callers do not count toward a project's limit", async () => {
    const { url } = await startProcess({ requestsPerHour: 1 })
    const other = await service.createProject()
    const writer = await service.createKey(project, { scopes: ['analytics:write'] })
    for (const token of [createToken(), other.token, writer, 'x']) await statusOf(token, url)
    expect(await statusOf(project.token, url)).toBe(200)
  })

  test('the request limit resets after an hour', async () => {
    let now = Date.now()
    const { url } = await startProcess({ requestsPerHour: 1, now: () => now })
    const statuses = [await statusOf(project.token, url), await statusOf(project.token, url)]
    now += 3_599_999
    statuses.push(await statusOf(project.token, url))
    now += 1
    statuses.push(await statusOf(project.token, url))
    expect(statuses).toEqual([200, 429, 429, 200])
  })
})

describe('the import limit', () => {
  const send = (url: string, at = project) =>
    fetch(`${url}/v1/analytics/${at.publicId}/assistant`, {
      method: 'POST',
      headers: { authorization: `Bearer ${at.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        conversations: [
          { questionId: 't', query: 'q', response: 'r', sources: [], resolutionStatus: 'answered' },
        ],
      }),
    })

  test('imports have a separate limit per project, which all processes share', async () => {
    const mine = await service.createProject()
    const other = await startProcess()
    const first = await send(service.url, mine)
    expect(first.headers.get('ratelimit')).toMatch(
      /^"project";r=\d+;t=\d+, "import";r=1199;t=3600$/,
    )
    await service.owner.query('update action_count set used = 1199 where project_id = $1', [
      mine.id,
    ])
    const statuses = [
      await send(service.url, mine),
      await send(other.url, mine),
      await send(service.url, mine),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([200, 429, 429])
    expect(statuses[1]?.headers.get('retry-after')).toMatch(/^3\d{3}$/)
    expect((await service.get(mine)).status).toBe(200)
    expect((await send(service.url)).status).toBe(200)
    await service.owner.query(
      `update action_count set began_at = began_at - interval '1 hour' where project_id = $1`,
      [mine.id],
    )
    expect((await send(other.url, mine)).headers.get('ratelimit')).toContain('"import";r=1199')
  })
})

describe('an unavailable database', () => {
  async function expectUnavailable(response: Response): Promise<void> {
    const reply = await readResponse(response)
    expectProblem(reply, 503)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }

  test('a request gets 503 with Retry-After if the database is unreachable', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const { url, adminUrl, log } = await startProcess({
      databaseUrl: `postgres://x@127.0.0.1:${port}/x`,
    })
    await expectUnavailable(await get(project.token, url))
    expect(log.join('')).toContain('ECONNREFUSED')
    expect((await fetch(`${adminUrl}/readyz`)).status).toBe(503)
    expect((await fetch(`${adminUrl}/healthz`)).status).toBe(200)
    // A malformed key still gets 401, since rejecting it needs no query.
    expectProblem(await replyOf('x', url), 401)
  })

  test.each<[string, Partial<URL>]>([
    ['does not exist', { pathname: '/not_there' }],
    ['does not have the user', { username: 'nobody_at_all' }],
  ])('a request gets 503 if the database %s', async (_, wrong) => {
    const { href } = Object.assign(new URL(service.databaseUrl), wrong)
    const { url } = await startProcess({ databaseUrl: href })
    await expectUnavailable(await get(project.token, url))
  })

  test('requests get 503 while the database is unavailable and 200 afterwards', async () => {
    // The clock is frozen, so the key stays cached and only reading the page fails.
    const own = await startTestService({ now: () => 1_700_000_000_000 })
    closers.push(own.stop)
    const mine = await own.createProject()
    expect((await own.get(mine)).status).toBe(200)
    const name = new URL(own.databaseUrl).pathname.slice(1)
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`
    await service.owner.query(`alter database ${name} allow_connections false`, [])
    await service.owner.query(end, [name])
    await vi.waitFor(async () => await expectUnavailable(await own.get(mine)), POLL)
    await expectUnavailable(await own.get(mine))
    // A stream must not start with 200 before its first rows are read.
    await expectUnavailable(await own.get(mine, '', { accept: 'application/x-ndjson' }))
    await expectUnavailable(await own.get(mine, '', { accept: 'text/csv' }))
    await service.owner.query(`alter database ${name} allow_connections true`, [])
    await vi.waitFor(async () => expect((await own.get(mine)).status).toBe(200), POLL)
  })
})

describe('the request log', () => {
  const CANARY = 'kanarienvogel'

  test('the log never contains questions, answers, keys, headers or addresses', async () => {
    const { url, adminUrl, log, service: started } = await startProcess()
    const path = `${url}/v1/analytics/${project.publicId}/assistant`
    const authorization = `Bearer ${project.token}`
    const turn = {
      questionId: `t-${CANARY}`,
      query: `q-${CANARY}`,
      response: `r-${CANARY}`,
      sources: [{ title: CANARY, url: CANARY }],
      resolutionStatus: 'answered',
      threadId: CANARY,
      pageUrl: CANARY,
      queryCategory: CANARY,
    }
    const send = (body: unknown, type = 'application/json') =>
      fetch(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { authorization, 'content-type': type },
      })
    const responses = [
      await send({ conversations: [turn] }),
      await send({ conversations: [{ ...turn, [CANARY]: CANARY }] }),
      await send({
        conversations: [{ ...turn, questionId: `2${CANARY}`, timestamp: '9999-01-01' }],
      }),
      await send(`{"${CANARY}`),
      await send(CANARY, CANARY),
      await fetch(path, { headers: { authorization, cookie: CANARY, 'user-agent': CANARY } }),
      await fetch(path, { headers: { authorization, accept: CANARY } }),
      await fetch(path, { headers: { authorization: `Bearer ${CANARY}` } }),
      await fetch(path, { headers: { authorization: `Basic ${btoa(CANARY)}` } }),
      await fetch(path, { headers: { authorization: `Bearer ${createToken()}` } }),
      await fetch(`${path}?${CANARY}=1`, { headers: { authorization } }),
      await fetch(`${path}?cursor=${CANARY}`, { headers: { authorization } }),
      await fetch(`${path}?token=${project.token}`),
      await fetch(`${path}/${CANARY}`, { method: 'DELETE', headers: { authorization } }),
      await fetch(`${url}/${CANARY}`, { headers: { authorization } }),
      await fetch(`${url}/v1/analytics/${CANARY}/assistant`, { headers: { authorization } }),
    ]
    const text = await responses.at(5)?.text()
    expect(text).toContain(CANARY)
    expect(responses.map(({ status }) => status)).not.toContain(500)
    await settle(started)
    expect(log).toHaveLength(responses.length)
    const all = log.join('') + (await (await fetch(`${adminUrl}/metrics`)).text())
    for (const secret of [CANARY, btoa(CANARY), project.token, project.token.slice(11, 43)]) {
      expect(all).not.toContain(secret)
    }
    expect(all).not.toMatch(/octavo_adm_|bearer|authorization|\?/i)
  })

  test('the log has one line per request, with the request id that the client got', async () => {
    const { url, log } = await startProcess()
    const reply = await replyOf('x', url)
    expect(log.map((line) => JSON.parse(line))).toEqual([
      {
        at: expect.any(String),
        level: 'info',
        message: 'request',
        method: 'GET',
        requestId: reply.headers.get('x-request-id'),
        status: 401,
        ms: expect.any(Number),
        route: '/v1/analytics/:projectId/assistant',
      },
    ])
  })

  test('an unexpected error is logged with its stack but without its message', async () => {
    const { url, log, service: started } = await startProcess()
    started.database.pool.query = (() =>
      Promise.reject(new TypeError(`q-${CANARY}\n    at ${CANARY} (x.ts:1:1)`))) as never
    const reply = await replyOf(project.token, url)
    expectProblem(reply, 500)
    expect(reply.body).not.toContain(CANARY)
    expect(log.join('')).toContain('"name":"TypeError"')
    expect(log.join('')).toContain('authenticate.test.ts')
    expect(log.join('')).not.toContain(CANARY)
  })

  test('errors without a stack and values that are not errors are logged too', () => {
    const lines: string[] = []
    const log = createLog(
      (line) => lines.push(line),
      () => 0,
    )
    const bare = new Error(CANARY)
    delete bare.stack
    for (const error of [bare, CANARY, { message: CANARY }, null]) log.error('x', { error })
    expect(lines).toHaveLength(4)
    expect(lines.join('')).not.toContain(CANARY)
  })
})
