/** The proxy of playgrounds: what it passes on, and above all what it does not. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PlaygroundProxy, type ProxyOptions } from './playground-proxy.ts'
import { signTicket, TICKET_MS_MAX } from './proxy-ticket.ts'
import { isPublicAddress } from './public-address.ts'

const KEY = new TextEncoder().encode('a key of this test')
const NOW = Date.UTC(2026, 0, 1)

/** Ways to write an address that is not public, or a name that leads to one. */
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
  '2852039166',
  '169.254.0.1',
  '100.64.0.1',
  '100.127.255.255',
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
  // One answer that is public does not make the other so.
  'both.example': ['8.8.8.8', '10.0.0.1'],
  'six.example': ['::ffff:127.0.0.1'],
  'api.example': ['8.8.8.8'],
  'other.example': ['1.1.1.1'],
}

type Seen = {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

describe('the proxy of playgrounds', () => {
  const seen: Seen[] = []
  const dialed: string[] = []
  let answerWith: (request: IncomingMessage, response: ServerResponse) => void
  let rebinding: readonly string[] = []

  /** Whatever is dialed ends here: a hit is a hit. */
  const target = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    seen.push({
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
    })
    answerWith(request, response)
  })
  let proxy: PlaygroundProxy
  const door = createServer((request, response) => void proxy.handle(request, response, 'reader'))

  beforeAll(async () => {
    for (const server of [target, door]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    }
  })
  afterAll(async () => {
    for (const server of [target, door]) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })
  beforeEach(() => {
    seen.length = 0
    dialed.length = 0
    rebinding = []
    answerWith = (_, response) => response.end('fine')
    start({})
  })

  function start(limits: ProxyOptions['limits'] & object): void {
    const { port } = target.address() as AddressInfo
    proxy = new PlaygroundProxy({
      key: KEY,
      now: () => NOW,
      limits: { requestsPerMinuteMax: 1_000, ...limits },
      outbound: {
        resolve: async (host) => {
          if (host === 'rebinding.example') {
            const [first = '127.0.0.1', ...rest] = rebinding
            rebinding = rest
            return [first]
          }
          return NAMES[host.toLowerCase()] ?? []
        },
        dial: (address) => {
          dialed.push(address)
          return connect(port, '127.0.0.1')
        },
      },
    })
  }

  type Ask = {
    readonly target: string
    readonly origins?: readonly string[]
    readonly headers?: readonly (readonly [string, string])[]
    readonly method?: string
    readonly body?: string
    readonly ticket?: string
  }

  function ask(input: Ask): Promise<Response> {
    const origins = input.origins ?? ['http://api.example']
    const { port } = door.address() as AddressInfo
    return fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: {
        'octavo-ticket': input.ticket ?? signTicket({ site: 'site', origins }, KEY, NOW),
        'octavo-target': input.target,
        'octavo-method': input.method ?? 'GET',
        'octavo-headers': JSON.stringify(input.headers ?? []),
        cookie: 'reader=1',
      },
      ...(input.body === undefined ? {} : { body: input.body }),
    })
  }

  const originOf = (host: string) =>
    URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).origin : `http://${host}`
  /** Header values are bytes; a browser would write these so. */
  const asAddress = (host: string) =>
    URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).href : ''

  test('there are at least 60 forms of addresses below', () => {
    expect(new Set(FORBIDDEN).size).toBeGreaterThanOrEqual(60)
  })

  test.each(FORBIDDEN)('never dials %s, though the specification names it', async (host) => {
    const response = await ask({ target: asAddress(host), origins: [originOf(host)] })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(dialed).toEqual([])
    expect(seen).toEqual([])
  })

  test.each(FORBIDDEN)('never follows a redirect to %s', async (host) => {
    answerWith = (_, response) =>
      response.writeHead(302, { location: asAddress(host) || '//[' }).end()
    const response = await ask({
      target: 'http://api.example/',
      origins: ['http://api.example', originOf(host)],
    })
    await response.text()
    expect(dialed).toEqual(['8.8.8.8'])
    expect(seen).toHaveLength(1)
  })

  test('a name that changes its address is dialed where it was checked, once', async () => {
    rebinding = ['8.8.8.8', '127.0.0.1', '127.0.0.1']
    const target = 'http://rebinding.example/'
    await (await ask({ target, origins: ['http://rebinding.example'] })).text()
    expect(dialed).toEqual(['8.8.8.8'])
    const again = await ask({ target, origins: ['http://rebinding.example'] })
    expect(again.headers.get('octavo-refused')).toBe('address')
    expect(dialed).toEqual(['8.8.8.8'])
  })

  test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2001:4860:4860::8888'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )

  describe('tickets', () => {
    const target = 'http://api.example/'

    test('let a page reach the servers of its specifications', async () => {
      expect(await (await ask({ target })).text()).toBe('fine')
      expect(seen[0]?.headers.host).toBe('api.example')
    })

    test.each([
      ['none', ''],
      ['of another key', signTicket({ site: 's', origins: [target] }, new Uint8Array(32), NOW)],
      [
        'that is too old',
        signTicket({ site: 's', origins: ['http://api.example'] }, KEY, NOW - TICKET_MS_MAX),
      ],
    ])('%s: refused', async (_, ticket) => {
      const response = await ask({ target, ticket })
      expect(response.headers.get('octavo-refused')).toBe('ticket')
      expect(dialed).toEqual([])
    })

    test.each([
      'http://other.example/',
      'https://api.example/',
      'http://api.example:8080/',
      'http://api.example@other.example/',
      'http://user:pw@other.example/',
      'file:///etc/passwd',
    ])('reach no other origin: %s', async (other) => {
      const response = await ask({ target: other })
      expect(response.headers.get('octavo-refused')).toBe('origin')
      expect(dialed).toEqual([])
    })

    test('do not open ports that no API has, nor addresses with a user name', async () => {
      const port = await ask({
        target: 'http://api.example:22/',
        origins: ['http://api.example:22'],
      })
      expect(port.headers.get('octavo-refused')).toBe('port')
      const user = await ask({ target: 'http://user@api.example/' })
      expect(user.headers.get('octavo-refused')).toBe('userinfo')
      expect(dialed).toEqual([])
    })
  })

  describe('headers', () => {
    test('credentials of the request pass; cookies and what tells of the reader do not', async () => {
      await ask({
        target: 'http://api.example/',
        headers: [
          ...([
            ['authorization', 'Bearer a'],
            ['x-key', 'b'],
            ['cookie', 'c=d'],
          ] as const),
          ...([
            ['x-forwarded-for', '1.2.3.4'],
            ['host', 'evil'],
            ['x-bad', 'a\r\nb: c'],
          ] as const),
        ],
      })
      const headers = seen[0]?.headers ?? {}
      expect(headers.authorization).toBe('Bearer a')
      expect(headers['x-key']).toBe('b')
      for (const name of ['cookie', 'x-forwarded-for', 'x-bad', 'b'])
        expect(headers[name]).toBe(undefined)
      expect(headers.host).toBe('api.example')
    })

    test('an answer sets no cookie and runs as no page', async () => {
      answerWith = (_, response) =>
        response
          .writeHead(200, {
            'set-cookie': 'a=b',
            'content-type': 'text/html',
            'access-control-allow-origin': '*',
          })
          .end('<script>1</script>')
      const { headers } = await ask({ target: 'http://api.example/' })
      expect(headers.get('set-cookie')).toBe(null)
      expect(headers.get('access-control-allow-origin')).toBe(null)
      expect(headers.get('content-security-policy')).toContain('sandbox')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    })

    test('a redirect to another server of the site takes no credentials with it', async () => {
      answerWith = (request, response) => {
        if (request.headers.host === 'other.example') response.end('there')
        else response.writeHead(307, { location: 'http://other.example/next' }).end()
      }
      const response = await ask({
        target: 'http://api.example/',
        origins: ['http://api.example', 'http://other.example'],
        method: 'POST',
        body: 'text',
        headers: [
          ['authorization', 'Bearer a'],
          ['x-api-key', 'b'],
          ['x-plain', 'c'],
        ],
      })
      expect(await response.text()).toBe('there')
      expect(response.headers.get('octavo-redirected-to')).toBe('http://other.example/next')
      expect(seen[1]?.headers).not.toHaveProperty('authorization')
      expect(seen[1]?.headers).not.toHaveProperty('x-api-key')
      expect(seen[1]).toMatchObject({ body: 'text', headers: { 'x-plain': 'c' } })
    })
  })

  describe('limits', () => {
    test('three redirects are followed, a fourth is not', async () => {
      answerWith = ({ url }, response) => {
        const number = Number(url?.slice(1))
        if (number === 3) response.end('end')
        else response.writeHead(302, { location: `/${number + 1}` }).end()
      }
      expect(await (await ask({ target: 'http://api.example/0' })).text()).toBe('end')
      const far = await ask({ target: 'http://api.example/-1' })
      expect(far.headers.get('octavo-refused')).toBe('redirect')
    })

    test('a body and an answer may be as large as the limit, and no larger', async () => {
      start({ bodyBytesMax: 10, answerBytesMax: 10 })
      const send = (body: string) => ask({ target: 'http://api.example/', method: 'POST', body })
      expect((await send('a'.repeat(10))).status).toBe(200)
      expect((await send('a'.repeat(11))).headers.get('octavo-refused')).toBe('size')
      answerWith = (_, response) => response.end('b'.repeat(10))
      expect(await (await send('')).text()).toHaveLength(10)
      answerWith = (_, response) => response.end('b'.repeat(11))
      await expect((async () => (await send('')).text())()).rejects.toThrow()
    })

    test('one client sends so many requests a minute', async () => {
      start({ requestsPerMinuteMax: 2 })
      const statuses = []
      for (let count = 0; count < 3; count += 1) {
        statuses.push((await ask({ target: 'http://api.example/' })).status)
      }
      expect(statuses).toEqual([200, 200, 429])
    })

    test('an answer that does not begin in time is given up', async () => {
      start({ beginMsMax: 50 })
      answerWith = () => undefined
      const response = await ask({ target: 'http://api.example/' })
      expect(response.headers.get('octavo-refused')).toBe('time')
    })
  })

  test('an answer passes piece by piece', async () => {
    let finish: () => void = () => undefined
    answerWith = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
      finish = () => response.end('data: 2\n\n')
    }
    const reader = (await ask({ target: 'http://api.example/' })).body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toBe('data: 1\n\n')
    finish()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 2\n\n')
  })
})
