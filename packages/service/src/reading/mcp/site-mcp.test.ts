/**
 * Tests `/mcp` on hosted sites: with the official client in both generations of the protocol, and
 * with requests that are sent without a client.
 */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AssistantSite,
  GARDEN,
  newAssistantSite,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { MCP_LIMITS } from './site-mcp.ts'

const FILES = {
  ...GARDEN,
  'docs.json': JSON.stringify({
    name: 'Garden',
    navigation: { groups: [{ group: 'Care', pages: ['water', 'soil', 'secret'] }] },
  }),
  'secret.mdx': '---\ntitle: Treasure\ngroups: [staff]\n---\nThe treasure is below the oak.\n',
}

let now = Date.now()
let service: TestService
let site: AssistantSite
beforeAll(async () => {
  service = await startAssistantService({ now: () => now, trustedProxies: ['127.0.0.1/32'] })
  site = await newAssistantSite(service, await builtSite(FILES))
})
afterAll(() => service.stop())

const POLL = { interval: 50, timeout: 10_000 }
const MODERN = '2026-07-28'
const LEGACY = '2025-11-25'
const JSON_TYPE = 'application/json'

/** Connects the official client to a site of the test service. */
async function connect(mode: 'legacy' | { readonly pin: string }, of = site, path = '/mcp') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`http://${of.host}${path}`), {
    fetch: async (url, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers))
      const body = typeof init?.body === 'string' ? { body: init.body } : {}
      const { pathname } = new URL(url)
      const reply = await of.call(init?.method ?? 'GET', pathname, { headers, ...body })
      return new Response(reply.text === '' ? null : reply.text, {
        status: reply.status,
        headers: { 'content-type': reply.headers['content-type'] ?? '' },
      })
    },
  })
  await client.connect(transport)
  return client
}

type Sent = {
  readonly method?: string
  readonly params?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request in an earlier version of the protocol, without the client. */
async function post({ method = 'tools/list', params, headers = {}, body }: Sent = {}, of = site) {
  const message = { jsonrpc: '2.0', id: 7, method, ...(params && { params }) }
  return of.call('POST', '/mcp', {
    headers: {
      'content-type': JSON_TYPE,
      accept: `${JSON_TYPE}, text/event-stream`,
      'mcp-protocol-version': LEGACY,
      ...headers,
    },
    body: body ?? JSON.stringify(message),
  })
}

/** Sends many invalid requests over a few connections, to reach the limit of requests. */
async function postMany(count: number, headers: Readonly<Record<string, string>>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const options = { host: '127.0.0.1', port: service.port, method: 'POST', path: '/mcp', agent }
  const all = { host: site.host, 'content-length': 1, ...headers }
  const one = async () => {
    const sent = request({ ...options, headers: all }).end('x')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
  }
  await Promise.all(Array.from({ length: count }, one))
  agent.destroy()
}

/** Sends a request in version 2026-07-28 of the protocol, without the client. */
function postModern(method: string, params: object, headers: Record<string, string> = {}) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return post({
    method,
    params: { ...params, _meta: meta },
    headers: { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...headers },
  })
}

describe.each([
  ['2026-07-28', { pin: MODERN }],
  ['2025-11-25', 'legacy'],
] as const)('the official client with %s', (version, mode) => {
  let client: Client
  beforeAll(async () => {
    client = await connect(mode)
  })

  test('the client receives the name of the documentation', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(client.getInstructions()).toContain('The documentation of Garden.')
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {} })
  })

  test('the client lists the tools in a stable order, and all but one are read-only', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'search_docs',
      'read_page',
      'grep_docs',
      'list_pages',
      'get_operation',
      'what_changed',
      'report_problem',
    ])
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)
    expect(writing.map(({ name }) => name)).toEqual(['report_problem'])
  })

  test.each([
    ['search_docs', { query: 'turn on the hose' }, '/water#hose'],
    ['read_page', { url: '/water' }, 'hose on'],
    ['grep_docs', { text: 'compost' }, '/soil'],
    ['list_pages', {}, '/soil'],
    ['get_operation', { operation: 'GET /plants' }, 'no API reference'],
  ])('the client can call the tool %s', async (name, input, text) => {
    const { content } = await client.callTool({ name, arguments: input })
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining(text) }])
    expect(JSON.stringify(content)).not.toMatch(/treasure/i)
  })

  test('the client gets an error for invalid input and for an unknown tool', async () => {
    const wrong = await client.callTool({ name: 'search_docs', arguments: {} })
    expect(wrong).toMatchObject({ isError: true, content: [{ text: 'Missing argument "query".' }] })
    await expect(client.callTool({ name: 'delete_page' })).rejects.toThrow('There is no tool')
  })

  test('the client reads pages as resources, but only those that its reader may see', async () => {
    const { resources } = await client.listResources()
    const origin = `http://${site.host}`
    expect(resources.map(({ uri }) => uri)).toEqual([`${origin}/water.md`, `${origin}/soil.md`])
    const { contents } = await client.readResource({ uri: `${origin}/soil.md` })
    expect(contents).toMatchObject([
      { mimeType: 'text/markdown', text: expect.stringContaining('Mix compost') },
    ])
    for (const uri of [`${origin}/secret.md`, 'https://example.com/soil.md', `${origin}/none.md`])
      await expect(client.readResource({ uri })).rejects.toThrow('There is no such page.')
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates[0]?.uriTemplate).toBe(`${origin}/{+path}.md`)
  })
})

describe('requests of version 2026-07-28', () => {
  test('a request in version 2026-07-28 needs no handshake, and its response can be cached', async () => {
    const { status, headers, text } = await postModern('tools/list', {})
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    expect(headers['content-type']).toContain(JSON_TYPE)
    expect(JSON.parse(text).result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' })
  })

  test('a request is rejected if its headers contradict its body', async () => {
    const { status, text } = await postModern('tools/list', {}, { 'mcp-method': 'tools/call' })
    expect([status, JSON.parse(text).error.code]).toEqual([400, -32_020])
  })

  test('a request with an unknown protocol version gets a list of the supported versions', async () => {
    const method = 'tools/list'
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const headers = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': method }
    const { status, text } = await post({ method, params: { _meta }, headers })
    expect([status, text]).toEqual([400, expect.stringContaining(MODERN)])
  })

  test('a subscription to changes is rejected, because it would keep a connection open', async () => {
    const { status, text } = await postModern('subscriptions/listen', {})
    expect([status, JSON.parse(text).error.code]).toEqual([404, -32_601])
  })
})

describe('MCP requests without the official client', () => {
  test('a request in an earlier protocol version gets JSON and no session', async () => {
    const { status, headers, text } = await post()
    expect(status).toBe(200)
    expect(headers['content-type']).toContain(JSON_TYPE)
    expect(headers['mcp-session-id']).toBeUndefined()
    expect(JSON.parse(text)).toMatchObject({ id: 7, result: { tools: expect.any(Array) } })
  })

  test('an MCP notification gets a response without a body', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect(await post({ body })).toMatchObject({ status: 202, text: '' })
  })

  test.each([
    ['no JSON', '{', 400, -32_700],
    ['a text', '"x"', 400, -32_700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', 400, -32_600],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"x/y"}', 200, -32_601],
  ])('an MCP request with %s is rejected', async (_, body, status, code) => {
    const reply = await post({ body })
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([status, code])
  })

  test.each([
    ['another content type', { 'content-type': 'text/plain' }, 415],
    ['a client that accepts only HTML', { accept: 'text/html' }, 406],
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
  ])('an MCP request with the headers of %s is rejected', async (_, headers, status) => {
    expect((await post({ headers })).status).toBe(status)
  })

  test('an MCP request from a page of the same site is accepted', async () => {
    expect((await post({ headers: { origin: `http://${site.host}` } })).status).toBe(200)
  })

  test('the size of an MCP request body is limited', async () => {
    const pad = (bytes: number) => {
      const start = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"'
      return `${start}${'x'.repeat(bytes - start.length - 3)}"}}`
    }
    expect((await post({ body: pad(MCP_LIMITS.bodyBytes) })).status).toBe(200)
    expect((await post({ body: pad(MCP_LIMITS.bodyBytes + 1) })).status).toBe(413)
  })

  test.each(['GET', 'DELETE'])(
    'a %s request to the MCP server is rejected because the server has no streams or sessions',
    async (method) => {
      const { status, headers } = await site.call(method, '/mcp')
      expect([status, headers.allow]).toEqual([405, 'POST'])
    },
  )

  test('an MCP request to another path of the site is rejected', async () => {
    expect((await site.call('POST', '/water/mcp')).status).toBe(405)
    expect((await site.call('POST', '/water')).status).toBe(405)
  })

  test('MCP requests, assistant requests and page requests have separate metrics', async () => {
    const counted = async (route: string) => {
      const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
      const lines = text.matchAll(/^octavo_requests_total\{(.*)\} (\d+)$/gm)
      return [...lines]
        .filter(([, labels]) => labels?.includes(`route="${route}"`))
        .reduce((sum, [, , count]) => sum + Number(count), 0)
    }
    const routes = ['mcp', 'assistant', 'site']
    const [mcp = 0, assistant = 0, pages = 0] = await Promise.all(routes.map(counted))
    expect((await site.call('GET', '/mcp?x=1')).status).toBe(405)
    expect((await site.call('GET', '/_octavo/assistant/none')).status).toBe(404)
    for (const path of ['/agents/mcp', '/water?to=/mcp', '/water/_octavo/assistant/ticket'])
      await site.call('GET', path)
    await expect
      .poll(() => Promise.all(routes.map(counted)), POLL)
      .toEqual([mcp + 1, assistant + 1, pages + 3])
  })

  test('MCP requests are limited per network and hour', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    await postMany(MCP_LIMITS.requestsPerHourOfAddress, headers)
    const refused = await post({ headers })
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, 3_600])
    expect((await post({ headers: { 'x-forwarded-for': '203.0.113.10' } })).status).toBe(200)
    now += 3_600_000
    expect((await post({ headers })).status).toBe(200)
  })
})

describe('MCP servers of sites', () => {
  test('the MCP server of a site with a base path is below the base path', async () => {
    const other = await newAssistantSite(
      service,
      await builtSite(GARDEN, 'https://example.com/docs/'),
    )
    const client = await connect({ pin: MODERN }, other, '/docs/mcp')
    const { content } = await client.callTool({ name: 'list_pages' })
    expect(JSON.stringify(content)).toContain(`http://${other.host}/docs/water`)
    expect((await post({}, other)).status).toBe(405)
  })

  test('the MCP server of a private site requires a token', async () => {
    const other = await newAssistantSite(service, await builtSite(GARDEN))
    await service.owner.query(`update project set protection = 'members' where id = $1`, [
      other.project.id,
    ])
    now += 61_000
    await other.call('GET', '/')
    await expect.poll(async () => (await post({}, other)).status, POLL).toBe(401)
    expect((await post({}, other)).headers['www-authenticate']).toBe('Bearer realm="docs"')
  })

  test('the MCP server returns pages of the newest deployment', async () => {
    const other = await newAssistantSite(service, await builtSite(GARDEN))
    const soil = {
      method: 'tools/call',
      params: { name: 'read_page', arguments: { url: '/soil' } },
    }
    expect((await post(soil, other)).text).toContain('Mix compost')
    await other.client.deploy(
      await builtSite({ ...GARDEN, 'soil.mdx': '---\ntitle: Soil\n---\nAdd sand.\n' }),
    )
    await expect.poll(async () => (await post(soil, other)).text, POLL).toContain('Add sand')
  })
})
