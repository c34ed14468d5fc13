/** Tests how much memory clients can make the service use, before and after authentication. */
import { connect, type Socket } from 'node:net'
import { SCOPES } from '@octavo/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { BODY_LIMITS } from './body-budget.ts'
import { bodyLimits, FORM_BYTES_MAX } from './body-limits.ts'
import { BODY_BYTES_MAX } from './parse-request.ts'

const POLL = { interval: 20, timeout: 5_000 }
const URL_OF_SERVICE = 'http://127.0.0.1:8080'
let service: TestService
let project: TestProject
const sockets: Socket[] = []

beforeAll(async () => {
  service = await startTestService({ url: URL_OF_SERVICE })
  project = await service.createProject(SCOPES)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => service.stop())

/** Sends a request with a `Content-Length`, but with no body or only the beginning of one. */
function announce(path: string, length: number, headers: readonly string[] = [], body = '') {
  const type = path.startsWith('/v1/') ? 'application/json' : 'application/x-www-form-urlencoded'
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1:8080',
    `Origin: ${URL_OF_SERVICE}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    ...headers,
  ]
  const socket = connect({ port: service.port, host: '127.0.0.1' })
  sockets.push(socket)
  const chunks: Buffer[] = []
  let isClosed = false
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  socket.write([...lines, '', body].join('\r\n'))
  const statusOf = () => Number(Buffer.concat(chunks).toString().split(' ')[1])
  return {
    socket,
    statusOf,
    answered: (status: number) => vi.waitFor(() => expect(statusOf()).toBe(status), POLL),
    closed: () => vi.waitFor(() => expect(isClosed).toBe(true), POLL),
  }
}

const ANONYMOUS = ['/v1/device', '/v1/device/token', '/v1/oidc/exchange', '/v1/nothing']
/**
 * The path of the form for signing in with a recovery code, which anonymous visitors can submit.
 */
const FORM = '/sign-in/recovery'

describe('request bodies of anonymous clients', () => {
  test('120 anonymous requests that announce a large body are rejected without waiting for the body', async () => {
    const before = process.memoryUsage().rss
    const all = Array.from({ length: 120 }, (_, index) =>
      announce(ANONYMOUS[index % ANONYMOUS.length] ?? '', BODY_BYTES_MAX, [], 'x'.repeat(65_536)),
    )
    for (const { answered, closed } of all) {
      await answered(413)
      await closed()
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })

  test.each(ANONYMOUS)(
    'the body of an anonymous request to %s may have at most 16 KB',
    async (path) => {
      await announce(path, BODY_LIMITS.anonymousBytes + 1).answered(413)
      const body = 'x'.repeat(BODY_LIMITS.anonymousBytes)
      const taken = announce(path, BODY_LIMITS.anonymousBytes, [], body)
      await vi.waitFor(() => expect([400, 404]).toContain(taken.statusOf()), POLL)
    },
  )

  test('an anonymous form may have at most 16 KB, even with an invalid session cookie', async () => {
    const cookie = [`Cookie: __Host-octavo=octavo_ses_${'a'.repeat(43)}`]
    for (const headers of [[], cookie]) {
      const refused = announce(FORM, BODY_LIMITS.anonymousBytes + 1, headers)
      await refused.answered(413)
      await refused.closed()
      const body = 'x'.repeat(BODY_LIMITS.anonymousBytes)
      await announce(FORM, BODY_LIMITS.anonymousBytes, headers, body).answered(403)
    }
  })

  test('dashboard pages do not read the body of a request without a session', async () => {
    await announce('/projects', FORM_BYTES_MAX).answered(303)
    await announce('/projects', FORM_BYTES_MAX + 1).answered(413)
  })

  test('the body of a request with an invalid API key is not read', async () => {
    const path = `/v1/projects/${project.publicId}/deployments`
    const headers = [`Authorization: Bearer octavo_key_${'a'.repeat(43)}`]
    await announce(path, BODY_BYTES_MAX, headers).answered(401)
  })

  test('a connection is closed if the request body does not arrive in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const slow = announce('/v1/device', 100, [], '{')
      await vi.waitFor(() => {
        vi.advanceTimersByTime(BODY_LIMITS.arrivalMs / 20)
        expect(slow.statusOf()).toBe(400)
      }, POLL)
      await slow.closed()
    } finally {
      vi.useRealTimers()
    }
  })

  test('an anonymous request counts toward the rate limit before its body is read', async () => {
    const own = await startTestService({ url: URL_OF_SERVICE })
    try {
      const ask = () =>
        fetch(`${own.url}/v1/device/token`, {
          method: 'POST',
          headers: { 'content-type': 'text/plain' },
          body: 'x',
        })
      const statuses = new Set<number>()
      for (let sent = 0; sent < 3_600; sent += 100)
        for (const { status } of await Promise.all(Array.from({ length: 100 }, ask)))
          statuses.add(status)
      expect([...statuses]).toEqual([400])
      const refused = await ask()
      expect(refused.status).toBe(429)
      expect(refused.headers.has('retry-after')).toBe(true)
    } finally {
      await own.stop()
    }
  })
})

describe('concurrent large bodies', () => {
  test('concurrent large bodies from one address are limited until one of them ends', async () => {
    const path = `/v1/projects/${project.publicId}/deployments`
    const headers = [`Authorization: Bearer ${project.token}`]
    const count = BODY_LIMITS.addressBytes / BODY_BYTES_MAX
    const held = Array.from({ length: count }, () => announce(path, BODY_BYTES_MAX, headers))
    await vi.waitFor(() => announce(path, BODY_BYTES_MAX, headers).answered(429), POLL)
    expect(held.map(({ statusOf }) => statusOf())).toEqual(held.map(() => Number.NaN))
    // Small bodies do not count toward the limit.
    await announce(path, 2, headers, '{}').answered(400)
    held[0]?.socket.destroy()
    await vi.waitFor(async () => {
      const next = announce(path, BODY_BYTES_MAX, headers, '{')
      next.socket.end()
      await next.answered(400)
    }, POLL)
  })
})

test('every API route has a body limit, and anonymous routes have a small one', () => {
  const limitOf = bodyLimits(service.service.routes)
  for (const route of service.service.routes) {
    const { bytesMax, isBuffered } = limitOf(route.path.replaceAll(/:\w+/g, 'x'))
    expect(bytesMax).toBeGreaterThan(0)
    // Uploads are streamed. Webhook bodies are buffered, because the signature covers the whole
    // body.
    const isUpload = route.stream !== undefined && !/webhook/i.test(route.caller.kind)
    expect([route.path, isBuffered]).toEqual([route.path, !isUpload])
    if (route.caller.kind === 'nobody') expect(bytesMax).toBe(BODY_LIMITS.anonymousBytes)
  }
  expect(limitOf(FORM).bytesMax).toBe(FORM_BYTES_MAX)
})
