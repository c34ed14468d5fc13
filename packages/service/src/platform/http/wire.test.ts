/** Tests raw requests that Node alone would accept, or would reject without a problem response. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectProblem } from '../../../testing/expect-problem.ts'
import { type RawResponse, sendRaw } from '../../../testing/send-raw.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { BODY_BYTES_MAX } from './parse-request.ts'

const POLL = { interval: 5, timeout: 5_000 }
let service: TestService
let project: TestProject
let path: string
let bearer: string

beforeAll(async () => {
  service = await startTestService()
  project = await service.createProject()
  path = `/v1/analytics/${project.publicId}/assistant`
  bearer = `Authorization: Bearer ${project.token}`
})
afterAll(() => service.stop())

/** Builds a raw request. `headers` are added after the host and a valid API key. */
function request(first: string, headers: readonly string[] = [], body = ''): string {
  return [first, 'Host: localhost', bearer, ...headers, '', body].join('\r\n')
}

async function only(text: string): Promise<RawResponse | undefined> {
  const replies = await sendRaw(service.port, text)
  expect(replies).toHaveLength(1)
  return replies[0]
}

type Case = [title: string, text: () => string, status: number, param?: string]

function refusals(cases: readonly Case[]): void {
  test.each(cases)('a request is rejected and its connection closed: %s', async (...parts) => {
    const [, text, status, param] = parts
    const reply = await only(text())
    expectProblem(reply, status, param)
    expect(reply?.headers.get('connection')).toBe('close')
  })
}

function acceptances(cases: readonly [title: string, text: () => string][]): void {
  test.each(cases)('a request is accepted: %s', async (_, text) => {
    expect((await only(text()))?.status).toBe(200)
  })
}

const CLOSE = 'Connection: close'
const get = (headers: readonly string[] = []) => request(`GET ${path} HTTP/1.1`, headers)
const getFrom = (...hosts: string[]) =>
  [`GET ${path} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), bearer, CLOSE, '', ''].join(
    '\r\n',
  )
const post = (headers: readonly string[], body = '') =>
  request(`POST ${path} HTTP/1.1`, ['Content-Type: application/json', ...headers], body)

describe('ten kinds of requests that Node alone would accept', () => {
  refusals([
    ['1. two Host headers', () => getFrom('a', 'b'), 400, 'host'],
    ['1. two equal Host headers', () => getFrom('a', 'a'), 400, 'host'],
    ['2. an absolute URL of another host', () => request(`GET http://b${path} HTTP/1.1`), 400],
    ['2. an absolute URL', () => request(`GET http://localhost${path} HTTP/1.1`), 400],
    ['3. two Authorization headers', () => get(['Authorization: Bearer x']), 400, 'authorization'],
    ['3. the key twice', () => get([bearer]), 400, 'authorization'],
    ['3. the second in another case', () => get(['AUTHORIZATION: x']), 400, 'authorization'],
    [
      '4. GET with a body',
      () => request(`GET ${path} HTTP/1.1`, ['Content-Length: 2'], '{}'),
      ...([400, 'Content-Length'] as const),
    ],
    [
      '4. DELETE with a body',
      () => request(`DELETE ${path}/x HTTP/1.1`, ['Content-Length: 2'], '{}'),
      ...([400, 'Content-Length'] as const),
    ],
    ['5. HTTP/0.9', () => `GET ${path}\r\n\r\n`, 400],
    ['6. TRACE', () => request(`TRACE ${path} HTTP/1.1`), 405],
    ['7. OPTIONS *', () => request('OPTIONS * HTTP/1.1'), 400],
    ['8. an Upgrade', () => get(['Connection: Upgrade', 'Upgrade: websocket']), 400, 'Upgrade'],
    ['8. an Upgrade to HTTP/2', () => get(['Connection: Upgrade', 'Upgrade: h2c']), 400, 'Upgrade'],
    ['8. an Upgrade without Connection', () => get(['Upgrade: websocket']), 400, 'Upgrade'],
    ['9. a path that begins with //', () => request('GET //evil.com HTTP/1.1'), 400],
    ['9. our path after an extra slash', () => request(`GET /${path} HTTP/1.1`), 400],
    [
      '10. a chunked body',
      () => post(['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
      ...([400, 'Transfer-Encoding'] as const),
    ],
    [
      '10. a chunk with an extension',
      () => post(['Transfer-Encoding: chunked'], '2;a="b"\r\n{}\r\n0\r\n\r\n'),
      ...([400, 'Transfer-Encoding'] as const),
    ],
    [
      '10. GET with a chunked body',
      () => request(`GET ${path} HTTP/1.1`, ['Transfer-Encoding: chunked'], '0\r\n\r\n'),
      ...([400, 'Transfer-Encoding'] as const),
    ],
  ])
  acceptances([
    ['one Host header and one key', () => get([CLOSE])],
    ['GET with an empty body', () => get([CLOSE, 'Content-Length: 0'])],
  ])
})

describe('request body length', () => {
  const chunked = 'Transfer-Encoding: chunked'
  refusals([
    ['Content-Length and chunks', () => post(['Content-Length: 4', chunked], '0\r\n\r\n'), 400],
    ['chunks and Content-Length', () => post([chunked, 'Content-Length: 4'], '0\r\n\r\n'), 400],
    ['two lengths', () => post(['Content-Length: 2', 'Content-Length: 3'], '{}'), 400],
    ['two equal lengths', () => post(['Content-Length: 2', 'Content-Length: 2'], '{}'), 400],
    ...['2, 2', '+2', '-1', '0x2', '2.0', '2 2', '', 'x', '9'.repeat(30)].map(
      (length): Case => [
        `a length of "${length}"`,
        () => post([`Content-Length: ${length}`], '{}'),
        400,
      ],
    ),
    ['chunks twice', () => post([chunked, chunked], '0\r\n\r\n'), 400],
    [
      'identity',
      () => post(['Transfer-Encoding: identity']),
      ...([400, 'Transfer-Encoding'] as const),
    ],
    [
      'an unknown coding',
      () => post(['Transfer-Encoding: xchunked']),
      ...([400, 'Transfer-Encoding'] as const),
    ],
    [
      'gzip in chunks',
      () => post(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'),
      ...([400, 'Transfer-Encoding'] as const),
    ],
    [
      'chunks, with a space before the colon',
      () => post(['Transfer-Encoding : chunked'], '0\r\n\r\n'),
      400,
    ],
    // The body is never sent, because the announced length is enough for a rejection.
    ['a byte over 8 MB', () => post([`Content-Length: ${BODY_BYTES_MAX + 1}`]), 413],
    [
      'a byte over 8 MB, with Expect: 100-continue',
      () => post([`Content-Length: ${BODY_BYTES_MAX + 1}`, 'Expect: 100-continue']),
      413,
    ],
  ])

  test('a client may announce a body of 8 MB and gets 100 Continue if it sends Expect', async () => {
    const { socket, replies } = open(
      post([`Content-Length: ${BODY_BYTES_MAX}`, 'Expect: 100-continue']),
    )
    await vi.waitFor(() => expect(replies()).toBe('HTTP/1.1 100 Continue\r\n\r\n'), POLL)
    socket.destroy()
  })
})

describe('request lines, headers and versions', () => {
  const one = (...lines: string[]) => [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
  refusals([
    ['bare line feeds', () => get().replaceAll('\r\n', '\n'), 400],
    ['a bare line feed in the head', () => one(`Host: a\nX: y`, bearer), 400],
    ['a bare carriage return', () => get(['X: a\rb']), 400],
    ['a NUL in a value', () => get(['X: a\0b']), 400],
    ['a NUL in a name', () => get(['X\0: a']), 400],
    ['a space before the colon', () => get(['X : a']), 400],
    ['a space before the first name', () => one(' Host: a', bearer), 400],
    ['a folded header', () => get(['X: a', ' b']), 400],
    ['a header without a colon', () => get(['X']), 400],
    ['a header without a name', () => get([': x']), 400],
    ['HTTP/1.0', () => request(`GET ${path} HTTP/1.0`), 400],
    ['HTTP/1.2', () => request(`GET ${path} HTTP/1.2`), 400],
    ['HTTP/2.0', () => request(`GET ${path} HTTP/2.0`), 400],
    ['the HTTP/2 preface', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['another protocol', () => request(`GET ${path} ICY/1.1`), 400],
    ['a TLS handshake', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['CONNECT', () => request('CONNECT localhost:443 HTTP/1.1'), 405],
    ['a method in lower case', () => request(`get ${path} HTTP/1.1`), 400],
    ['a space in the path', () => request(`GET ${path} x HTTP/1.1`), 400],
    ['raw UTF-8 in the path', () => request('GET /caf\xc3\xa9 HTTP/1.1'), 400],
    ['a target without a slash', () => request('GET v1 HTTP/1.1'), 400],
    ['a backslash in the path', () => request('GET /v1\\x HTTP/1.1'), 404],
    ['a fragment', () => request(`GET ${path}#x HTTP/1.1`), 404],
    ['a parent segment in the path', () => request(`GET /x/..${path} HTTP/1.1`), 404],
    ['an encoded parent segment in the path', () => request(`GET /x/%2E%2e${path} HTTP/1.1`), 404],
    ['an unsupported expectation', () => get(['Expect: 200-ok']), 400, 'Expect'],
  ])
  acceptances([
    ['empty lines before the request', () => `\r\n\r\n${get([CLOSE])}`],
    ['header names in mixed case', () => get(['cOnNeCtIoN: close'])],
    ['a header without a value', () => get([CLOSE, 'X:'])],
  ])

  test.each(['TRACE', 'CONNECT'])(
    'the response to a rejected %s request lists the allowed methods',
    async (method) => {
      const target = method === 'CONNECT' ? 'localhost:443' : path
      const reply = await only(request(`${method} ${target} HTTP/1.1`))
      expect(reply?.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    },
  )

  test('a request with Expect: 100-continue gets 100 Continue before the response', async () => {
    const replies = await sendRaw(service.port, get([CLOSE, 'Expect: 100-continue']))
    expect(replies.map(({ status }) => status)).toEqual([100, 200])
  })
})

describe('the Host header', () => {
  refusals([
    ['no Host', () => getFrom(), 400, 'host'],
    ...[
      '',
      'a b',
      'a,b',
      'a/b',
      'a?b',
      'a#b',
      'a\\b',
      'u@a',
      'u:p@a',
      'http://a',
      '%41',
      '*',
      '[',
      '[]',
      '[::1',
      '::1',
      '[::g]',
      '[::1%25eth0]',
      'a:',
      'a:b',
      'a:-1',
      'a:65536',
      'a:999999',
      ':80',
      '\xe9',
      '999.999.999.999',
      '1.2.3.4.5',
      '<script>',
      'a"b',
      '{x}',
    ].map((host): Case => [`Host: ${host}`, () => getFrom(host), 400, 'host']),
  ])
  acceptances(
    [
      'localhost',
      'EXAMPLE.com',
      'a:80',
      'a:65535',
      'a.',
      '127.0.0.1:8080',
      '[::1]:80',
      'a_b.c',
    ].map((host) => [`Host: ${host}`, () => getFrom(host)] as const),
  )
})

describe('size limits', () => {
  const short = (count: number) => Array<string>(count).fill('a:b')
  const address = (length: number) => `${path}?`.padEnd(length, '&')
  refusals([
    ['17 KB of headers', () => get([`X: ${'x'.repeat(17 * 1024)}`]), 431],
    ['a header over 1,000', () => get([...short(998), 'X: y']), 431],
    ['a second key after 2,000 headers', () => get([...short(2_000), bearer]), 431],
    [
      'chunks after 2,000 headers',
      () => post([...short(2_000), 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
      431,
    ],
    ['a 9 KB URL', () => request(`GET ${address(9 * 1024)} HTTP/1.1`), 414],
    ['a URL one byte over 8 KB', () => request(`GET ${address(8 * 1024 + 1)} HTTP/1.1`), 414],
    // The URL counts toward the size of the headers, so Node rejects this request before it has
    // read the URL.
    ['a 17 KB URL', () => request(`GET ${address(17 * 1024)} HTTP/1.1`), 431],
  ])
  acceptances([
    ['15 KB of headers', () => get([CLOSE, `X: ${'x'.repeat(15 * 1024)}`])],
    ['1,000 headers', () => get([CLOSE, ...short(997)])],
    ['a URL of 8 KB', () => request(`GET ${address(8 * 1024)} HTTP/1.1`, [CLOSE])],
  ])
})

describe('pipelined requests', () => {
  const body = JSON.stringify({
    conversations: [
      { questionId: 'x', query: 'q', response: 'r', sources: [], resolutionStatus: 'answered' },
    ],
  })
  const importOf = () => post([`Content-Length: ${body.length}`, CLOSE], body)

  test.each<[string, () => string]>([
    ['a refused method', () => request(`TRACE ${path} HTTP/1.1`)],
    ['a second host', () => getFrom('a', 'b')],
    ['a body on GET', () => request(`GET ${path} HTTP/1.1`, ['Content-Length: 2'], '{}')],
    ['an unsupported expectation', () => get(['Expect: x'])],
    ['an upgrade', () => get(['Connection: Upgrade', 'Upgrade: websocket'])],
    ['invalid HTTP', () => 'x\r\n\r\n'],
    ['a chunked body', () => post(['Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['a body that is too large', () => post([`Content-Length: ${BODY_BYTES_MAX + 1}`])],
  ])('after %s, a second request on the connection is ignored', async (_, first) => {
    const reply = await only(first() + importOf())
    expect(reply?.status).toBeGreaterThanOrEqual(400)
    const { conversations } = (await (await service.get(project)).json()) as {
      conversations: unknown[]
    }
    expect(conversations).toEqual([])
  })

  test('a connection gets only one rejection, even if several requests on it are invalid', async () => {
    await only(request(`TRACE ${path} HTTP/1.1`).repeat(3))
    await only(`${request(`TRACE ${path} HTTP/1.1`)}x\r\n\r\n`)
    await only(request(`TRACE ${path} HTTP/1.1`) + get(['Connection: Upgrade', 'Upgrade: x']))
  })

  test.each<[string, () => string]>([
    ['invalid HTTP', () => 'x\r\n\r\n'],
    ['an upgrade', () => get(['Connection: Upgrade', 'Upgrade: websocket'])],
    ['CONNECT', () => request('CONNECT a:1 HTTP/1.1')],
  ])('%s after a valid request does not affect its response', async (_, second) => {
    const replies = await sendRaw(service.port, get() + second())
    for (const { status } of replies) expect(status).toBe(200)
  })

  test('pipelined requests are answered in order', async () => {
    const replies = await sendRaw(
      service.port,
      request(`GET ${path}?limit=0 HTTP/1.1`) + get() + request(`GET /x HTTP/1.1`, [CLOSE]),
    )
    expect(replies.map(({ status }) => status)).toEqual([400, 200, 404])
  })

  test('16 pipelined requests are answered, but the connection is closed if there are more', async () => {
    const last = request('GET /x HTTP/1.1', [CLOSE])
    expect(await sendRaw(service.port, get().repeat(15) + last)).toHaveLength(16)
    const { socket, replies } = open(get().repeat(400))
    await Promise.race([once(socket, 'end'), once(socket, 'close')])
    socket.destroy()
    expect(replies().match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThan(400)
  })

  test('an idle connection is closed after five minutes', () => {
    expect(service.service.server.timeout).toBe(300_000)
  })
})

/** Sends text on a connection that the client side never closes, like a hostile client. */
function open(text: string): { socket: Socket; replies: () => string } {
  const chunks: Buffer[] = []
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  socket.write(text, 'latin1')
  return { socket, replies: () => Buffer.concat(chunks).toString('latin1') }
}

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    service.service.server.getConnections((error, count) =>
      error ? reject(error) : resolve(count),
    ),
  )
}

describe('connections held open by clients', () => {
  test.each<[string, () => string]>([
    ['a refused upgrade', () => get(['Connection: Upgrade', 'Upgrade: websocket'])],
    ['a refused CONNECT', () => request('CONNECT a:1 HTTP/1.1')],
    ['invalid HTTP', () => 'x\r\n\r\n'],
    ['headers that are too large', () => get([`X: ${'x'.repeat(17 * 1024)}`])],
    ['a refused method', () => request(`TRACE ${path} HTTP/1.1`)],
  ])('after %s, the server closes the connection even if the client does not', async (_, text) => {
    service.service.server.closeIdleConnections()
    await vi.waitFor(async () => expect(await countConnections()).toBe(0), POLL)
    const { socket, replies } = open(text())
    await once(socket, 'end')
    expect(replies()).toMatch(/^HTTP\/1\.1 4\d\d /)
    await vi.waitFor(async () => expect(await countConnections()).toBe(0), POLL)
    socket.destroy()
  })

  test('a request times out if its request line, headers or body never end', async () => {
    const { server } = service.service
    const { headersTimeout, requestTimeout } = server
    server.headersTimeout = 50
    server.requestTimeout = 50
    const texts = [
      `GET ${path}`,
      `GET ${path}\r\n`,
      get().slice(0, -2),
      '\r\n\r\n\r\n',
      'G',
      post(['Content-Length: 10'], '{}'),
    ]
    // Opens all connections at once, because the server checks for timeouts only once a second.
    const held = texts.map(open)
    const silent = open('')
    await Promise.all([...held, silent].map(({ socket }) => once(socket, 'end')))
    for (const { socket, replies } of held) {
      expect(replies()).toMatch(/^HTTP\/1\.1 400 .*The request timed out\./s)
      socket.destroy()
    }
    silent.socket.destroy()
    Object.assign(server, { headersTimeout, requestTimeout })
  })

  test('a client that disconnects while sending its body is logged with status 400, not as an error', async () => {
    const before = service.log.length
    const { socket } = open(post(['Content-Length: 10', 'Expect: 100-continue'], '{}'))
    await once(socket, 'data')
    socket.destroy()
    const line = await vi.waitFor(() => {
      const [first] = service.log.slice(before)
      expect(first).toBeDefined()
      return JSON.parse(first ?? '')
    }, POLL)
    expect(line).toMatchObject({ message: 'request', method: 'POST', status: 400 })
  })
})
