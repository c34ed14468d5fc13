/**
 * Compares responses that are created without the SDK with those of the SDK, which handles unusual
 * requests.
 */
import type { ManifestRoot } from '@octavo/model'
import type { SiteLibrary } from '@octavo/search'
import { describe, expect, test } from 'vitest'
import { createCallAnswerer } from './answer-call.ts'
import { createMcpAnswerer, createSdkAnswerer } from './answer-request.ts'
import type { DocsServerOptions } from './create-docs-server.ts'
import type { McpHeaders } from './mcp-request.ts'

const URL = 'https://garden.example/mcp'
const MODERN = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { roots: { listChanged: true }, elicitation: {} },
}
const LEGACY_HEADERS: McpHeaders = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json; charset=utf-8',
  'mcp-protocol-version': '2025-11-25',
}
const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
const CALL = { ...LIST, method: 'tools/call', params: { name: 'list_pages', arguments: {} } }
const MODERN_CALL = { ...CALL, params: { ...CALL.params, _meta: META } }

const page = {
  path: 'water',
  url: '/water',
  title: 'Wä"ter',
  description: '',
  operation: undefined,
}
const library = {
  pages: async () => ({ pages: [page], total: 1 }),
  findPage: async () => ({ page: undefined, nearest: undefined }),
  search: async () => [],
  grep: async () => [],
}
const failures: unknown[] = []
const options: DocsServerOptions = {
  site: {
    name: 'Garden',
    deployment: {
      root: { builder: '0123456789abcdef', search: [] } as unknown as ManifestRoot,
      read: async () => {
        throw new Error('The blob 123 is missing.')
      },
    },
    reader: { hasSiteAccess: true, groups: new Set() },
    openLibrary: async () => library as unknown as SiteLibrary,
    url: 'https://garden.example',
  },
  cache: { ttlMs: 60_000, cacheScope: 'private' },
  onError: (error) => failures.push(error),
}

const answerCall = createCallAnswerer()
const answerWithSdk = createSdkAnswerer()

function modernHeaders(method: string, name?: string): McpHeaders {
  const named = { ...LEGACY_HEADERS, 'mcp-protocol-version': MODERN, 'mcp-method': method }
  return name === undefined ? named : { ...named, 'mcp-name': name }
}

async function plain(message: object, headers: McpHeaders) {
  const answer = await answerCall(message, headers, async () => options)
  return answer && { status: answer.status, body: JSON.parse(answer.body) }
}

async function withSdk(message: object, headers: McpHeaders) {
  const { status, body } = await answerWithSdk({ url: URL, headers }, message, options)
  return { status, body: body === '' ? '' : JSON.parse(body) }
}

describe('usual MCP requests', () => {
  const { 'mcp-protocol-version': _, ...withoutVersion } = LEGACY_HEADERS
  const call = (params: object) => ({ ...CALL, params })
  const modernCall = (name: string, input: object) => ({
    ...CALL,
    params: { name, arguments: input, _meta: META },
  })

  test.each<[string, object, McpHeaders]>([
    ['for the tools', LIST, LEGACY_HEADERS],
    ['without a version', LIST, withoutVersion],
    ['with a text as its id', { ...LIST, id: 'a"b' }, LEGACY_HEADERS],
    [
      'with a token for progress',
      call({ ...CALL.params, _meta: { progressToken: 3 } }),
      LEGACY_HEADERS,
    ],
    ['to a tool', CALL, LEGACY_HEADERS],
    ['without arguments', call({ name: 'list_pages' }), LEGACY_HEADERS],
    ['with wrong arguments', call({ name: 'search_docs', arguments: { x: 1 } }), LEGACY_HEADERS],
    ['to a tool that fails', call({ name: 'read_page', arguments: { url: '/x' } }), LEGACY_HEADERS],
    [
      'of 2026-07-28 for the tools',
      { ...LIST, params: { _meta: META } },
      modernHeaders('tools/list'),
    ],
    ['of 2026-07-28 to a tool', MODERN_CALL, modernHeaders('tools/call', 'list_pages')],
    [
      'of 2026-07-28 with wrong arguments',
      modernCall('search_docs', {}),
      modernHeaders('tools/call', 'search_docs'),
    ],
    [
      'of 2026-07-28 to a tool that fails',
      modernCall('read_page', { url: '/x' }),
      modernHeaders('tools/call', 'read_page'),
    ],
  ])('the response to a request %s equals the response of the SDK', async (_, message, headers) => {
    const own = await plain(message, headers)
    expect(own?.status).toBe(200)
    expect(own).toEqual(await withSdk(message, headers))
  })

  test('a failing tool call does not reveal the reason to the agent but reports it to the operator', async () => {
    failures.length = 0
    const failing = { ...CALL, params: { name: 'read_page', arguments: { url: '/x' } } }
    const answer = await plain(failing, LEGACY_HEADERS)
    expect(JSON.stringify(answer)).not.toContain('123')
    expect(failures).toEqual([new Error('The blob 123 is missing.')])
  })
})

describe('unusual MCP requests', () => {
  const { accept: _, ...withoutAccept } = LEGACY_HEADERS
  const { 'io.modelcontextprotocol/clientInfo': __, ...halfMeta } = META
  const modern = modernHeaders('tools/call', 'list_pages')
  const { 'mcp-name': ___, ...withoutName } = modern

  test.each<[string, object, McpHeaders]>([
    ['of another method', { ...LIST, method: 'ping' }, LEGACY_HEADERS],
    ['with an invalid JSON-RPC version', { ...LIST, jsonrpc: '1.0' }, LEGACY_HEADERS],
    ['with a fraction as its id', { ...LIST, id: 1.5 }, LEGACY_HEADERS],
    ['with null as its id', { ...LIST, id: null }, LEGACY_HEADERS],
    ['that is a notification', { jsonrpc: '2.0', method: 'tools/list' }, LEGACY_HEADERS],
    ['with an unknown property', { ...LIST, more: 1 }, LEGACY_HEADERS],
    ['with a list as its parameters', { ...LIST, params: [] }, LEGACY_HEADERS],
    ['with a cursor', { ...LIST, params: { cursor: 'x' } }, LEGACY_HEADERS],
    ['without a tool name', { ...CALL, params: {} }, LEGACY_HEADERS],
    ['to a tool that does not exist', { ...CALL, params: { name: 'x' } }, LEGACY_HEADERS],
    ['with a text as arguments', { ...CALL, params: { name: 'x', arguments: '' } }, LEGACY_HEADERS],
    ['with a wrong token', { ...LIST, params: { _meta: { progressToken: {} } } }, LEGACY_HEADERS],
    ['without an Accept header', LIST, withoutAccept],
    ['with another content type', LIST, { ...LEGACY_HEADERS, 'content-type': 'text/plain' }],
    ['of an unknown version', LIST, { ...LEGACY_HEADERS, 'mcp-protocol-version': '2001-01-01' }],
    ['whose header names another version', CALL, modern],
    ['without the name in its headers', MODERN_CALL, withoutName],
    ['with another name in its headers', MODERN_CALL, modernHeaders('tools/call', 'read_page')],
    ['with another method in its headers', MODERN_CALL, modernHeaders('tools/list', 'list_pages')],
    [
      'without client information',
      { ...CALL, params: { ...CALL.params, _meta: halfMeta } },
      modern,
    ],
    [
      'of a future version',
      {
        ...CALL,
        params: {
          ...CALL.params,
          _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
        },
      },
      { ...modern, 'mcp-protocol-version': '2099-01-01' },
    ],
  ])(
    'the response to an unusual request %s equals the response of the SDK',
    async (_, message, headers) => {
      const own = await plain(message, headers)
      const whole = await createMcpAnswerer()(
        { url: URL, headers },
        JSON.stringify(message),
        async () => options,
      )
      const expected = await withSdk(message, headers)
      if (own !== undefined) expect(own).toEqual(expected)
      expect(whole.status).toBe(expected.status)
      expect(whole.body === '' ? '' : JSON.parse(whole.body)).toEqual(expected.body)
    },
  )
})
