/**
 * Handles the two most frequent requests, `tools/list` and `tools/call`, without creating an SDK
 * server, which takes longer than running most tools. The SDK still decides which protocol era a
 * request belongs to, and handles everything unusual, such as unknown headers, properties or tools.
 * This code and the SDK return the same responses, which `answer-call.test.ts` checks.
 */
import {
  classifyInboundRequest,
  isJsonContentType,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { type DocsServerOptions, describeServer, INTERNAL_ERROR } from './create-docs-server.ts'
import { type DocsTool, docsTools } from './docs-tools.ts'
import type { McpAnswer, McpHeaders } from './mcp-request.ts'
import { runTool } from './run-tool.ts'

export type AnswerCall = (
  message: object,
  headers: McpHeaders,
  findSite: () => Promise<DocsServerOptions>,
) => Promise<McpAnswer | undefined>

/** Parts of the responses for a site that are the same for all requests, as JSON. */
type Prepared = {
  readonly tools: readonly DocsTool[]
  /** The result of `tools/list` for each protocol era. */
  readonly list: { readonly legacy: string; readonly modern: string }
  /** The end of each result in the protocol version 2026-07-28. */
  readonly modernEnd: string
}

export function createCallAnswerer(): AnswerCall {
  const known = new WeakMap<DocsServerOptions, Prepared>()

  function preparedFor(options: DocsServerOptions): Prepared {
    const prepared = known.get(options) ?? prepare(options)
    known.set(options, prepared)
    return prepared
  }

  return async (message, headers, findSite) => {
    const call = parseCall(message, headers)
    if (call === undefined) return undefined
    const options = await findSite()
    const { tools, list, modernEnd } = preparedFor(options)
    if (call.tool === undefined) return answer(call, `"result":${list[call.era]}`)
    const tool = tools.find(({ name }) => name === call.tool)
    if (tool === undefined) return undefined
    try {
      const { text, isError } = await runTool(options.site, tool, call.input)
      const content = `"content":[{"type":"text","text":${JSON.stringify(text)}}]`
      const error = isError ? ',"isError":true' : ''
      const end = call.era === 'modern' ? modernEnd : ''
      return answer(call, `"result":{${content}${error}${end}}`)
    } catch (error) {
      options.onError(error)
      return answer(call, `"error":${JSON.stringify(INTERNAL_ERROR)}`)
    }
  }
}

function prepare(options: DocsServerOptions): Prepared {
  const tools = docsTools(options.site)
  const meta = { [SERVER_INFO_META_KEY]: describeServer(options.site) }
  const end = { resultType: 'complete', _meta: meta }
  return {
    tools,
    list: {
      legacy: JSON.stringify({ tools }),
      modern: JSON.stringify({ tools, ...options.cache, ...end }),
    },
    modernEnd: `,${JSON.stringify(end).slice(1, -1)}`,
  }
}

type Call = {
  readonly era: 'legacy' | 'modern'
  readonly id: string | number
  /** The name of the tool to call; undefined for `tools/list`. */
  readonly tool: string | undefined
  readonly input: object
}

function parseCall(message: object, headers: McpHeaders): Call | undefined {
  if (!('method' in message && 'id' in message)) return undefined
  const { method, id } = message
  if (method !== 'tools/list' && method !== 'tools/call') return undefined
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  const params = 'params' in message ? message.params : {}
  if (!isObject(params)) return undefined
  const { name, arguments: input = {}, _meta: _, ...others } = params
  if (Object.keys(others).length > 0 || !isObject(input)) return undefined
  const isCall = method === 'tools/call'
  if (isCall ? typeof name !== 'string' : name !== undefined || 'arguments' in params)
    return undefined
  const tool = typeof name === 'string' ? name : undefined
  const era = isJsonContentType(headers['content-type'])
    ? eraOf(message, { method, tool, headers })
    : undefined
  return era === undefined ? undefined : { era, id, tool, input }
}

type Named = {
  readonly method: string
  readonly tool: string | undefined
  readonly headers: McpHeaders
}

/** Returns the protocol era of a request; undefined if a header is missing or unusual. */
function eraOf(body: object, { method, tool, headers }: Named): Call['era'] | undefined {
  const version = headers['mcp-protocol-version']
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
  })
  if (outcome.kind === 'legacy') {
    const { accept = '' } = headers
    const isAccepted = accept.includes('application/json') && accept.includes('text/event-stream')
    const isKnown = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)
    return outcome.reason === 'no-claim' && isAccepted && isKnown && hasPlainMeta(body)
      ? 'legacy'
      : undefined
  }
  const isAsNamed =
    outcome.kind === 'modern' &&
    outcome.classification.revision === MODERN_VERSION &&
    version === MODERN_VERSION &&
    headers['mcp-method'] === method &&
    headers['mcp-name'] === tool
  return isAsNamed ? 'modern' : undefined
}

const MODERN_VERSION = '2026-07-28'

/**
 * Returns true if a request's metadata is usual: of the protocol's own keys, it has at most a valid
 * `progressToken`. The SDK checks the other keys.
 */
function hasPlainMeta(body: object): boolean {
  const params = 'params' in body ? body.params : undefined
  const meta = isObject(params) ? params._meta : undefined
  if (meta === undefined) return true
  if (!isObject(meta)) return false
  const { progressToken } = meta
  const isToken = typeof progressToken === 'string' || Number.isInteger(progressToken)
  const isOwn = (key: string) => key.startsWith('io.modelcontextprotocol/')
  return (progressToken === undefined || isToken) && !Object.keys(meta).some(isOwn)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function answer({ id }: Call, outcome: string): McpAnswer {
  return { status: 200, body: `{${outcome},"jsonrpc":"2.0","id":${JSON.stringify(id)}}` }
}
