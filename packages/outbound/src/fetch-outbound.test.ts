/**
 * Tests which URLs are fetched, and which are refused. All servers in these tests run on loopback.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { SELF_SIGNED } from '../testing/self-signed.ts'
import type { ResolveHost } from './check-target.ts'
import { fetchOutbound, OUTBOUND_LIMITS, type OutboundOptions } from './fetch-outbound.ts'
import { printOutboundFailure } from './outbound-outcome.ts'

/** Non-public addresses in many notations, and host names that resolve to such addresses. */
const FORBIDDEN = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '127.255.255.254',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '169.254.169.254',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '2852039166',
  '169.254.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '100.100.100.200',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '192.88.99.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:7f00:1::]',
  '[2001:db8::1]',
  '[fc00::1]',
  '[fd00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[3fff::1]',
  '[5f00::1]',
  'localhost',
  'localhost.',
  'LOCALHOST',
  '169.254.169.254.nip.io',
  'metadata.google.internal',
  'both.example',
  'six.example',
]

const NAMES: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  '169.254.169.254.nip.io': ['169.254.169.254'],
  'metadata.google.internal': ['169.254.169.254'],
  // A host with one public and one private address must be refused.
  'both.example': ['8.8.8.8', '10.0.0.1'],
  'six.example': ['::ffff:127.0.0.1'],
  'allowed.example': ['127.0.0.1'],
  'allowed.example.': ['127.0.0.1'],
  'a.allowed.example': ['127.0.0.1'],
  'other.example': ['127.0.0.1'],
}

let requests: IncomingMessage[] = []
let respond: (request: IncomingMessage, response: ServerResponse) => void
let lookups: string[] = []
let origin = ''
const server = createServer((request, response) => {
  requests.push(request)
  respond(request, response)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  requests = []
  lookups = []
  respond = (_, response) => response.end('fine')
})

const resolve: ResolveHost = async (host) => {
  lookups.push(host)
  return (NAMES[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

function ask(url: string, options: Partial<OutboundOptions> = {}) {
  return fetchOutbound({ url, allowPrivateHosts: ['127.0.0.1'], resolve, ...options })
}

function text(outcome: Awaited<ReturnType<typeof fetchOutbound>>): string {
  return outcome.kind === 'loaded' ? Buffer.from(outcome.bytes).toString() : outcome.kind
}

/** Returns a URL with another host and the test server's port. */
const at = (host: string, path = '/') => `http://${host}:${new URL(origin).port}${path}`

describe('hosts outside of the public internet', () => {
  test('the list of forbidden hosts has at least 60 entries', () => {
    expect(new Set(FORBIDDEN).size).toBeGreaterThanOrEqual(60)
  })

  test.each(FORBIDDEN)('the host %s is refused', async (host) => {
    const outcome = await ask(`http://${host}:8080/`, { allowPrivateHosts: [] })
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'address' })
  })

  test.each(FORBIDDEN)('a redirect to %s is not followed', async (host) => {
    const { href } = new URL(`http://${host}/`)
    respond = (_, response) => response.writeHead(302, { location: href }).end()
    const outcome = await ask(at('allowed.example'), { allowPrivateHosts: ['allowed.example'] })
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'address', url: href })
    expect(requests).toHaveLength(1)
  })

  test('an allowed private host can be fetched at any port', async () => {
    expect(text(await ask(at('allowed.example'), { allowPrivateHosts: ['allowed.example'] }))).toBe(
      'fine',
    )
    expect(requests[0]?.headers.host).toBe(new URL(at('allowed.example')).host)
  })

  test('allowing a private host does not allow its subdomains or other hosts', async () => {
    for (const host of ['other.example', 'a.allowed.example', 'allowed.example.']) {
      const outcome = await ask(at(host), { allowPrivateHosts: ['allowed.example'] })
      expect(outcome).toMatchObject({ kind: 'refused', reason: 'address' })
    }
    expect(requests).toEqual([])
  })

  test('a redirect from an allowed host to another private one is refused', async () => {
    respond = (_, response) => response.writeHead(302, { location: 'http://other.example/' }).end()
    const outcome = await ask(at('allowed.example'), { allowPrivateHosts: ['allowed.example'] })
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: 'address',
      url: 'http://other.example/',
    })
    expect(requests).toHaveLength(1)
  })

  test('a name is resolved once per request, and the connection uses the checked address', async () => {
    const answers = ['127.0.0.1', '127.0.0.2']
    const changing: ResolveHost = async (host) => {
      lookups.push(host)
      return [{ address: answers.shift() ?? '', family: 4 }]
    }
    const outcome = await ask(at('allowed.example'), {
      allowPrivateHosts: ['allowed.example'],
      resolve: changing,
    })
    expect(text(outcome)).toBe('fine')
    expect(lookups).toEqual(['allowed.example'])
  })

  test('host names are resolved by the system by default', async () => {
    const outcome = await fetchOutbound({ url: 'http://localhost/', allowPrivateHosts: [] })
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'address' })
  })
})

describe('URLs that are never fetched', () => {
  test.each([
    ['file:///etc/passwd', 'scheme'],
    ['ftp://127.0.0.1/', 'scheme'],
    ['data:text/plain,a', 'scheme'],
    ['http://user@127.0.0.1/', 'userinfo'],
    ['http://user:password@127.0.0.1/', 'userinfo'],
    ['http://8.8.8.8:22/', 'port'],
    ['https://8.8.8.8:6379/', 'port'],
    ['plants', 'url'],
    ['http://', 'url'],
  ])('the URL %s is refused because of its %s', async (url, reason) => {
    expect(await ask(url)).toMatchObject({ kind: 'refused', reason })
  })

  test.each(['80', '443', '8080', '8443'])('a request to port %s is allowed', async (port) => {
    const outcome = await ask(`http://both.example:${port}/`)
    expect(outcome).toMatchObject({ reason: 'address' })
  })

  test('a redirect to another scheme is refused', async () => {
    respond = (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    expect(await ask(origin)).toMatchObject({ kind: 'refused', reason: 'scheme' })
  })
})

describe('responses of outbound requests', () => {
  test('an outcome includes the validators for a later conditional request', async () => {
    respond = (_, response) =>
      response
        .writeHead(200, {
          'content-type': 'application/json',
          etag: '"1"',
          'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        })
        .end('{}')
    expect(await ask(`${origin}/a`)).toMatchObject({
      kind: 'loaded',
      url: `${origin}/a`,
      contentType: 'application/json',
      etag: '"1"',
      lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT',
    })
  })

  test('a response with status 304 is reported as not modified', async () => {
    respond = ({ headers }, response) =>
      response.writeHead(headers['if-none-match'] === '"1"' ? 304 : 200).end()
    const headers = { 'if-none-match': '"1"' }
    expect(await ask(origin, { headers })).toMatchObject({ kind: 'not-modified' })
  })

  test.each([400, 401, 404, 429, 500, 503, 300, 302])(
    'a response with status %i is reported as a failure',
    async (status) => {
      respond = (_, response) => response.writeHead(status).end('no')
      expect(await ask(origin)).toMatchObject({ kind: 'failed', reason: 'status', status })
    },
  )

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['identity', (body: string) => Buffer.from(body)],
  ] as const)('a response with the encoding %s is decoded', async (encoding, compress) => {
    respond = (_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('fine'))
    expect(text(await ask(origin))).toBe('fine')
  })

  test.each([
    ['compressed twice', 'gzip, gzip', gzipSync(gzipSync('fine'))],
    ['in an encoding that was not asked for', 'zstd', Buffer.from('fine')],
    ['in an encoding that every object has', '__proto__', Buffer.from('fine')],
    ['in an encoding that every object has', 'constructor', Buffer.from('fine')],
    ['not in the declared encoding', 'gzip', Buffer.from('fine')],
    ['not in the declared encoding', 'br', Buffer.from('fine')],
    ['cut off', 'gzip', gzipSync('fine').subarray(0, 12)],
  ])('a response fails to decode if it is %s (%s)', async (_, encoding, body) => {
    respond = (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body)
    expect(await ask(origin)).toMatchObject({ kind: 'failed', reason: 'encoding' })
  })

  test('a response that switches to another protocol fails immediately', async () => {
    respond = (_, response) => {
      response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end()
    }
    expect(await ask(origin)).toMatchObject({ kind: 'failed', reason: 'connect' })
  })

  test('the response body is not read if the caller does not want it', async () => {
    respond = (_, response) => response.write('the beginning of an endless answer')
    expect(text(await ask(origin, { wantsBody: false }))).toBe('')
  })
})

describe('redirects of outbound requests', () => {
  const chain = ({ url }: IncomingMessage, response: ServerResponse) => {
    const left = Number(url?.slice(1))
    if (left === 0) response.end('end')
    else response.writeHead(301, { location: `/${left - 1}` }).end()
  }

  test('five redirects are followed, but a sixth is not', async () => {
    respond = chain
    expect(text(await ask(`${origin}/5`))).toBe('end')
    expect(await ask(`${origin}/6`)).toMatchObject({ kind: 'refused', reason: 'redirects' })
    expect(OUTBOUND_LIMITS.redirectsMax).toBe(5)
  })

  test('a redirect loop is stopped', async () => {
    respond = (_, response) => response.writeHead(302, { location: '/' }).end()
    expect(await ask(origin)).toMatchObject({ kind: 'refused', reason: 'redirects' })
  })

  test('redirects do not forward credentials to another origin', async () => {
    const allowPrivateHosts = ['127.0.0.1', 'allowed.example']
    respond = ({ headers, url }, response) => {
      if (headers.host?.startsWith('allowed')) response.end('there')
      else if (url === '/') response.writeHead(307, { location: '/same' }).end()
      else response.writeHead(307, { location: at('allowed.example') }).end()
    }
    const headers = {
      authorization: 'Bearer a',
      cookie: 'a=b',
      'x-api-key': 'c',
      accept: 'text/yaml',
      'if-none-match': '"1"',
    }
    expect(text(await ask(`${origin}/`, { allowPrivateHosts, headers }))).toBe('there')
    expect(requests.slice(0, 2).map(({ headers }) => headers.authorization)).toEqual([
      'Bearer a',
      'Bearer a',
    ])
    const last = requests[2]?.headers
    for (const name of ['authorization', 'cookie', 'x-api-key'])
      expect(last).not.toHaveProperty(name)
    expect(last).toMatchObject({ accept: 'text/yaml', 'if-none-match': '"1"' })
  })
})

describe('limits of outbound requests', () => {
  const bytesMax = 100_000

  test('the default limits are 20 seconds and 50 MB', () => {
    expect(OUTBOUND_LIMITS).toMatchObject({ totalMsMax: 20_000, bytesMax: 50_000_000 })
  })

  test('a response can be as large as the limit, but not larger', async () => {
    respond = ({ url }, response) => response.end('a'.repeat(Number(url?.slice(1))))
    expect(text(await ask(`${origin}/100000`, { limits: { bytesMax } }))).toHaveLength(bytesMax)
    expect(await ask(`${origin}/100001`, { limits: { bytesMax } })).toMatchObject({
      kind: 'failed',
      reason: 'too-large',
    })
  })

  test('a request is aborted if its response never ends', async () => {
    respond = (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('a'.repeat(10_000)));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    }
    expect(await ask(origin, { limits: { bytesMax } })).toMatchObject({ reason: 'too-large' })
  })

  test('the size limit applies to the decompressed response', async () => {
    respond = (_, response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync('a'.repeat(bytesMax + 1)))
    expect(await ask(origin, { limits: { bytesMax } })).toMatchObject({ reason: 'too-large' })
  })

  test('the timeout includes reading the body, even if data keeps arriving', async () => {
    respond = (_, response) => {
      const timer = setInterval(() => response.write('a'), 10)
      response.on('close', () => clearInterval(timer))
    }
    expect(await ask(origin, { limits: { totalMsMax: 100 } })).toMatchObject({
      kind: 'failed',
      reason: 'timeout',
    })
  })

  test('the timeout includes redirects and DNS lookups', async () => {
    respond = (request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}a` }).end(), 40)
    }
    const limits = { totalMsMax: 100 }
    expect(await ask(origin, { limits })).toMatchObject({ reason: 'timeout' })
    const never: ResolveHost = () => new Promise(() => {})
    expect(await ask('http://slow.example/', { limits, resolve: never })).toMatchObject({
      reason: 'timeout',
    })
  })

  test('the caller can cancel a request', async () => {
    const control = new AbortController()
    respond = () => control.abort()
    expect(await ask(origin, { signal: control.signal })).toMatchObject({ reason: 'canceled' })
    expect(await ask(origin, { signal: control.signal })).toMatchObject({ reason: 'canceled' })
    expect(requests).toHaveLength(1)
  })
})

describe('TLS', () => {
  test('certificates and host names are verified even if an environment variable disables this', async () => {
    // Node prints a warning about this environment variable.
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const names: string[] = []
    const secure = createSecureServer({
      ...SELF_SIGNED,
      SNICallback: (name, done) => {
        names.push(name)
        done(null)
      },
    })
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    const { port } = secure.address() as AddressInfo
    const url = `https://allowed.example:${port}/`
    expect(await ask(url, { allowPrivateHosts: ['allowed.example'] })).toMatchObject({
      kind: 'failed',
      reason: 'tls',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
    expect(names).toEqual(['allowed.example'])
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    await new Promise((resolve) => secure.close(resolve))
  })
})

describe('failure messages of outbound requests', () => {
  async function words(url: string, options: Partial<OutboundOptions> = {}): Promise<string> {
    const outcome = await ask(url, options)
    return outcome.kind === 'refused' || outcome.kind === 'failed'
      ? printOutboundFailure(outcome, url)
      : outcome.kind
  }

  test('server failures are described in plain words', async () => {
    respond = (_, response) => response.writeHead(404).end()
    expect(await words(origin)).toBe('the server responded with status 404')
    respond = () => undefined
    expect(await words(origin, { limits: { totalMsMax: 50 } })).toBe(
      'the request timed out after 0.05 seconds',
    )
    respond = (request) => request.socket.destroy()
    expect(await words(origin)).toBe('the connection failed (ECONNRESET)')
    expect(await words(origin.replace('http:', 'https:'))).toMatch(/^the TLS connection failed/)
  })

  test('host failures are described in plain words', async () => {
    expect(await words('http://nowhere.example/')).toBe('the host nowhere.example was not found')
    expect(await words('http://10.0.0.1/')).toBe('10.0.0.1 is not on the public internet')
    const broken: ResolveHost = () =>
      Promise.reject(Object.assign(new Error(), { code: 'EAI_AGAIN' }))
    expect(await words('http://plants.example/', { resolve: broken })).toBe(
      'the DNS lookup of plants.example failed (EAI_AGAIN)',
    )
  })

  test('redirect failures are described in plain words', async () => {
    respond = (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/a' }).end()
    expect(await words(origin)).toBe(
      'it redirects to http://10.0.0.1/a, and 10.0.0.1 is not on the public internet',
    )
    respond = (_, response) => response.writeHead(302, { location: '/' }).end()
    expect(await words(origin)).toBe('there are too many redirects')
  })
})
