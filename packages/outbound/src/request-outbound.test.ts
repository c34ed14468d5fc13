import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { SELF_SIGNED } from '../testing/self-signed.ts'
import { type OutboundRequestOptions, requestOutbound } from './request-outbound.ts'

let requests: { method: string | undefined; headers: IncomingMessage['headers']; body: string }[]
let respond: (response: ServerResponse) => void
const server = createServer(async (request, response) => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const { method, headers } = request
  requests.push({ method, headers, body: Buffer.concat(pieces).toString() })
  respond(response)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

beforeEach(() => {
  requests = []
  respond = (response) => response.end('fine')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (options: Partial<OutboundRequestOptions> = {}) =>
  requestOutbound({
    url,
    method: 'GET',
    allowPrivateHosts: ['127.0.0.1'],
    limits: { totalMsMax: 2_000, bytesMax: 100 },
    ...options,
  })

test('a request body is sent with its length in bytes', async () => {
  const outcome = await ask({ method: 'POST', body: Buffer.from('äpple') })
  expect(outcome).toMatchObject({ kind: 'response', status: 200 })
  expect(requests).toMatchObject([
    { method: 'POST', body: 'äpple', headers: { 'content-length': '6' } },
  ])
})

test('a response of any status is returned decompressed, with all headers', async () => {
  respond = (response) =>
    response
      .writeHead(418, [
        ...[
          'content-encoding',
          'gzip',
          'set-cookie',
          'a=1',
          'set-cookie',
          'b=2',
          'x-plant',
          'fern',
        ],
      ])
      .end(gzipSync('tea'))
  const outcome = await ask()
  expect(outcome).toMatchObject({ status: 418, statusText: "I'm a Teapot" })
  if (outcome.kind !== 'response') throw new Error(outcome.kind)
  expect(Buffer.from(outcome.bytes).toString()).toBe('tea')
  expect(outcome.headers.filter(([name]) => name === 'set-cookie')).toHaveLength(2)
  expect(outcome.headers).toContainEqual(['x-plant', 'fern'])
})

test('the response to a HEAD request has no body, even if its headers describe one', async () => {
  respond = (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '5000' }).end()
  expect(await ask({ method: 'HEAD' })).toMatchObject({ status: 200, bytes: new Uint8Array() })
})

test('a redirect is returned as a response instead of being followed', async () => {
  respond = (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  expect(await ask()).toMatchObject({ kind: 'response', status: 302 })
  expect(requests).toHaveLength(1)
})

test('a request to a private address is refused before a connection is opened', async () => {
  expect(await ask({ allowPrivateHosts: [] })).toMatchObject({ kind: 'refused', reason: 'address' })
  expect(requests).toEqual([])
})

test('the response of a TLS server has the expiry date of its certificate', async () => {
  expect(await ask()).not.toHaveProperty('certificateEndsAt')
  const secure = createSecureServer(SELF_SIGNED, (_, response) => response.end('fine'))
  secure.listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, SELF_SIGNED.cert])
  try {
    const outcome = await ask({
      url: `https://allowed.example:${(secure.address() as AddressInfo).port}/`,
      allowPrivateHosts: ['allowed.example'],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    const certificateEndsAt = new Date('2126-10-23T00:14:03Z')
    expect(outcome).toMatchObject({ kind: 'response', status: 200, certificateEndsAt })
  } finally {
    setDefaultCACertificates(trusted)
    secure.close()
  }
})

test('the size and the duration of a request are limited', async () => {
  respond = (response) => response.end('a'.repeat(100))
  expect(await ask()).toMatchObject({ kind: 'response' })
  respond = (response) => response.end('a'.repeat(101))
  expect(await ask()).toMatchObject({ kind: 'failed', reason: 'too-large' })
  respond = () => {}
  expect(await ask({ limits: { totalMsMax: 50, bytesMax: 100 } })).toMatchObject({
    kind: 'failed',
    reason: 'timeout',
  })
})
