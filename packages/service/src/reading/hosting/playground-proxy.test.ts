/**
 * Tests the playground's requests through the service's proxy to a real API on this machine.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clientOf, siteOf, visit } from '../../../testing/test-deployment.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { runCommand } from '../../app/commands/run-command.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { PROXY_LIMITS } from './playground-proxy.ts'

type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
let received: Received[] = []
let respond: (response: ServerResponse, request: IncomingMessage) => void

const api = createServer(async (incoming, response) => {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece)
  const { method = '', url = '', headers } = incoming
  received.push({ method, url, headers, body: Buffer.concat(pieces).toString() })
  respond(response, incoming)
})
api.listen(0, '127.0.0.1')
await once(api, 'listening')
const port = (api.address() as AddressInfo).port
const API = `http://127.0.0.1:${port}`
/** The URL of the same API at a host that the operator does not allow. */
const PRIVATE = `http://localhost:${port}`

const folder = mkdtempSync(join(tmpdir(), 'octavo-proxy-'))
const service = await startTestService({
  blobStore: await openFolderStore(folder),
  url: 'http://127.0.0.1:8080',
  sitesDomain: 'sites.localhost',
  previewsDomain: 'previews.localhost',
  allowPrivateHosts: ['127.0.0.1'],
})
afterAll(async () => {
  await service.stop()
  api.closeAllConnections()
  api.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  received = []
  respond = (response) => response.end('fine')
})

async function newSite(proxy: 'on' | 'off' | undefined, facts = {}) {
  const project = await service.createProject(SCOPES)
  const rows = await service.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  const host = `${rows[0]?.slug}.sites.localhost`
  const site = siteOf(
    { 'index.html': 'Plants' },
    { origins: { servers: [API, PRIVATE] }, ...facts },
  )
  await clientOf(service.url, project).deploy(site)
  if (proxy !== undefined) await set(project.publicId, '--playground-proxy', proxy)
  return { project, host, origin: `http://${host}` }
}

const set = (...words: string[]) =>
  runCommand(['project', 'set', ...words], {
    settings: service.settings,
    print: () => {},
    now: Date.now,
  })

type Site = Awaited<ReturnType<typeof newSite>>
let site: Site
beforeAll(async () => {
  site = await newSite('on')
})

type ProxiedRequest = {
  readonly url?: string
  readonly method?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
}

type Sent = {
  readonly status: number
  readonly headers: object
  readonly body: { readonly headers?: readonly (readonly string[])[] }
}

function post(
  to: Site,
  proxied: ProxiedRequest | string,
  headers: Record<string, string> = {},
  path = '',
) {
  return new Promise<Sent>((resolve, reject) => {
    const whole = { url: `${API}/plants`, method: 'GET', headers: [], ...Object(proxied) }
    const text = typeof proxied === 'string' ? proxied : JSON.stringify(whole)
    const sent = request(
      {
        host: '127.0.0.1',
        port: service.port,
        method: 'POST',
        agent: false,
        path: `${path}/_octavo/proxy`,
        headers: {
          host: to.host,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
      },
      async (response) => {
        const pieces: Buffer[] = []
        for await (const piece of response) pieces.push(piece)
        const body = Buffer.concat(pieces).toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: body.startsWith('{') ? JSON.parse(body) : body,
        })
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const version = async ({ host }: Site, path = '') =>
  JSON.parse((await visit(service.port, host, `${path}/_octavo/version.json`)).bytes.toString())

test('a preview can use the proxy for its own servers if the project allows the proxy', async () => {
  const { project } = await newSite(undefined)
  const { body } = await clientOf(service.url, project).deploy(
    siteOf({ 'index.html': 'Next' }, { origins: { servers: [API] } }),
    { target: 'preview', branch: 'next' },
  )
  const { host, origin } = new URL(body.url)
  const preview = { project, host, origin }
  expect(await version(preview)).toEqual({ deployment: body.id })
  expect((await post(preview, {})).status).toBe(404)
  await set(project.publicId, '--playground-proxy', 'on')
  await expect
    .poll(() => version(preview), { timeout: 10_000 })
    .toEqual({ deployment: body.id, proxy: true })
  expect(await post(preview, {})).toMatchObject({
    status: 200,
    headers: { 'x-robots-tag': expect.stringContaining('noindex') },
    body: { status: 200, body: base64('fine') },
  })
  expect((await post(preview, { url: `${PRIVATE}/plants` })).status).toBe(403)
  await set(project.publicId, '--playground-proxy', 'off')
  await expect.poll(() => version(preview), { timeout: 10_000 }).toEqual({ deployment: body.id })
})

describe('requests through the playground proxy', () => {
  test('a proxied request reaches the API with its method, headers and body', async () => {
    respond = (response) =>
      response
        .writeHead(201, { 'content-type': 'text/html', 'x-plant': 'fern' })
        .end('<script>alert(1)</script>')
    const { status, headers, body } = await post(site, {
      method: 'PUT',
      headers: [
        ['Content-Type', 'application/json'],
        ['Authorization', 'Bearer a'],
      ],
      body: base64('{"name":"fern"}'),
    })
    expect(received).toMatchObject([
      {
        method: 'PUT',
        url: '/plants',
        body: '{"name":"fern"}',
        headers: { 'content-type': 'application/json', authorization: 'Bearer a' },
      },
    ])
    expect(body).toMatchObject({ status: 201, body: base64('<script>alert(1)</script>') })
    expect(body.headers).toContainEqual(['x-plant', 'fern'])
    // No matter what the API sends, a browser must not interpret the response as a page of the
    // site.
    expect([status, headers]).toMatchObject([
      200,
      {
        'content-type': 'application/json',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
        'cache-control': 'no-store',
      },
    ])
  })

  test('an error response of the API is returned like any other response', async () => {
    respond = (response) => response.writeHead(503).end('later')
    expect(await post(site, {})).toMatchObject({ status: 200, body: { status: 503 } })
  })

  test('the proxy does not forward cookies, connection headers or browser headers in either direction', async () => {
    respond = (response) =>
      response.writeHead(200, { 'set-cookie': 'a=1', 'keep-alive': 'timeout=5' }).end()
    const { body } = await post(
      site,
      {
        headers: [
          ['Cookie', 'session=1'],
          ['Host', 'other.example'],
          ['Transfer-Encoding', 'chunked'],
          ['X-Forwarded-For', '8.8.8.8'],
          ['Origin', 'https://other.example'],
          ['X-Two', '1'],
          ['x-two', '2'],
        ],
      },
      { cookie: 'own=1' },
    )
    const [{ headers } = { headers: {} }] = received
    expect(Object.keys(headers).toSorted()).toEqual([
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
      'x-two',
    ])
    expect(headers).toMatchObject({ host: `127.0.0.1:${port}`, 'x-two': '1, 2' })
    expect(JSON.stringify(body.headers).toLowerCase()).not.toMatch(/set-cookie|keep-alive/)
  })

  test('the proxy is available below the base path of a site', async () => {
    const below = await newSite('on', { basePath: '/docs' })
    expect(await post(below, {}, {}, '/docs')).toMatchObject({ body: { status: 200 } })
    expect((await post(below, {})).status).toBe(404)
    expect(await version(below, '/docs')).toMatchObject({ proxy: true })
  })

  test('version.json contains whether the site has a proxy', async () => {
    expect(await version(site)).toMatchObject({ proxy: true })
    expect(await version(await newSite('off'))).not.toHaveProperty('proxy')
    expect(await version(await newSite('on', { origins: {} }))).not.toHaveProperty('proxy')
  })
})

describe('rejected requests to the playground proxy', () => {
  test.each([undefined, 'off'] as const)(
    'the playground proxy is not available if its setting is %s',
    async (proxy) => {
      expect((await post(await newSite(proxy), {})).status).toBe(404)
      expect(received).toEqual([])
    },
  )

  test('the proxy is not available to anonymous readers of a private site', async () => {
    const closed = await newSite('on')
    await service.owner.query("update project set protection = 'members' where id = $1", [
      closed.project.id,
    ])
    expect((await post(closed, {})).status).toBe(404)
  })

  test.each([
    ['another host', 'http://other.example/'],
    ['another port', 'http://127.0.0.1:1/'],
    ['another scheme', `https://127.0.0.1:${port}/`],
    ['no URL', 'plants'],
    ["a URL with the API's host as its user name", `http://127.0.0.1:${port}@other.example/`],
  ])('a proxied request to %s is rejected', async (_, url) => {
    expect(await post(site, { url })).toMatchObject({ status: 403, body: { param: 'url' } })
    expect(received).toEqual([])
  })

  test('a proxied request to a private network is rejected unless the operator allows the host', async () => {
    expect(await post(site, { url: PRIVATE })).toMatchObject({
      status: 502,
      body: { detail: expect.stringContaining('localhost is not on the public internet') },
    })
    expect(received).toEqual([])
  })

  test('a redirect of the API is returned and not followed', async () => {
    respond = (response) => response.writeHead(302, { location: `${PRIVATE}/secret` }).end()
    const { body } = await post(site, {})
    expect(body).toMatchObject({ status: 302 })
    expect(received).toHaveLength(1)
  })

  test.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('a proxied request from %s is rejected', async (_, headers) => {
    expect((await post(site, {}, headers)).status).toBe(403)
    expect(received).toEqual([])
  })

  test('a proxied request of an old browser is accepted or rejected by its Origin header', async () => {
    const without = (origin: string) => ({ 'sec-fetch-site': '', origin })
    // A header with an empty value is not treated like a missing header.
    expect((await post(site, {}, without(site.origin))).status).toBe(403)
    const old = await newSite('on')
    const send = (headers: Record<string, string>) => sendOld(old, headers)
    expect(await send({ origin: old.origin })).toBe(200)
    expect(await send({ origin: site.origin })).toBe(403)
    expect(await send({ origin: 'null' })).toBe(403)
    expect(await send({})).toBe(403)
  })

  test('a proxied request with a content type that needs no CORS preflight is rejected', async () => {
    const { status } = await post(site, {}, { 'content-type': 'text/plain' })
    expect(status).toBe(400)
  })

  test.each([
    ['no JSON', 'plants'],
    ['a method that is not listed', JSON.stringify({ url: API, method: 'TRACE', headers: [] })],
    [
      'a line break in a header',
      JSON.stringify({ url: API, method: 'GET', headers: [['a', 'b\r\nc: d']] }),
    ],
  ])('a proxied request with %s is rejected', async (_, text) => {
    expect((await post(site, text)).status).toBe(400)
    expect(received).toEqual([])
  })

  test('the proxy rejects other methods and paths', async () => {
    expect((await visit(service.port, site.host, '/_octavo/proxy', { method: 'PUT' })).status).toBe(
      405,
    )
    expect((await visit(service.port, site.host, '/_octavo/proxy')).status).toBe(404)
    expect((await post(site, {}, {}, '/other')).status).toBe(404)
  })
})

describe('limits of the playground proxy', () => {
  test('a proxied request can be at most 1 MB large', async () => {
    const { requestBytes } = PROXY_LIMITS
    const send = (bytes: number) => post(site, { method: 'POST', body: base64('a'.repeat(bytes)) })
    expect((await send(requestBytes)).status).toBe(200)
    expect((await send(requestBytes + 1)).status).toBe(413)
    expect(received).toHaveLength(1)
  })

  test('a proxied response can be at most 5 MB large', async () => {
    respond = (response) => response.end('a'.repeat(PROXY_LIMITS.responseBytes))
    expect((await post(site, {})).status).toBe(200)
    respond = (response) => response.end('a'.repeat(PROXY_LIMITS.responseBytes + 1))
    expect(await post(site, {})).toMatchObject({
      status: 502,
      body: { detail: expect.stringContaining('the response is too large') },
    })
  })

  test('proxied requests are limited per address, project and hour', async () => {
    const busy = await newSite('on')
    for (let count = 0; count < PROXY_LIMITS.perHourOfAddress; count += 1) await post(busy, 'x')
    expect(await post(busy, {})).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.any(String) },
    })
    expect((await post(site, {})).status).toBe(200)
  })

  test('proxied requests are limited per project and hour for all addresses together', async () => {
    const busy = await newSite('on')
    expect((await post(busy, {})).status).toBe(200)
    await service.owner.query('update action_count set used = $2 where project_id = $1', [
      busy.project.id,
      PROXY_LIMITS.perHourOfProject,
    ])
    expect((await post(busy, {})).status).toBe(429)
    expect(received).toHaveLength(1)
  })
})

/** Sends a request without the header `Sec-Fetch-Site`, as an old browser would. */
async function sendOld(to: Site, headers: Record<string, string>): Promise<number> {
  const text = JSON.stringify({ url: API, method: 'GET', headers: [] })
  const sent = request({
    host: '127.0.0.1',
    port: service.port,
    method: 'POST',
    agent: false,
    path: '/_octavo/proxy',
    headers: { host: to.host, 'content-type': 'application/json', ...headers },
  })
  sent.setHeader('content-length', Buffer.byteLength(text))
  sent.end(text)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode ?? 0
}
