/**
 * Implements the HTTP transport of the protocol without sessions and streams: each POST request
 * gets one JSON response.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { createCallAnswerer } from './answer-call.ts'
import { createDocsServer, type DocsServerOptions } from './create-docs-server.ts'
import type { McpAnswer, McpHeaders, McpRequest } from './mcp-request.ts'

/**
 * Handles a request. The site is looked up only for a valid message, so a malformed one costs
 * almost nothing.
 */
export type AnswerMcp = (
  request: McpRequest,
  text: string,
  findSite: () => Promise<DocsServerOptions>,
) => Promise<McpAnswer>

export function createMcpAnswerer(): AnswerMcp {
  const answerCall = createCallAnswerer()
  const answerWithSdk = createSdkAnswerer()
  return async (request, text, findSite) => {
    const message = parseMessage(text)
    if (message === undefined) return problem(400, { code: -32_700, message: 'Parse error' })
    // Only one early protocol version had batches. One batch could contain hundreds of searches.
    if (Array.isArray(message))
      return problem(400, { code: -32_600, message: 'Batches are not supported.' })
    // A deployment never changes, so a subscription would keep a stream open for nothing.
    if ('method' in message && message.method === 'subscriptions/listen')
      return problem(404, { code: -32_601, message: 'Subscriptions are not supported.' }, message)
    return (
      (await answerCall(message, request.headers, findSite)) ??
      answerWithSdk(request, message, await findSite())
    )
  }
}

/** Creates a function that supports the whole protocol, with an SDK server for each request. */
export function createSdkAnswerer() {
  const sites = new WeakMap<Request, DocsServerOptions>()
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const site = requestInfo && sites.get(requestInfo)
      if (site === undefined) throw new Error('The request has no site.')
      return createDocsServer(site)
    },
    { legacy: 'reject' },
  )

  return async (
    { url, headers }: McpRequest,
    message: object,
    site: DocsServerOptions,
  ): Promise<McpAnswer> => {
    const request = new Request(url, { method: 'POST', headers: pairsOf(headers) })
    const options = { parsedBody: message }
    if (!(await isLegacyRequest(request, message))) {
      sites.set(request, site)
      return finish(await modern.fetch(request, options))
    }
    const server = createDocsServer(site)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    const answer = await finish(await transport.handleRequest(request, options))
    await server.close()
    return answer
  }
}

function pairsOf(headers: McpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
}

function parseMessage(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

async function finish(response: Response): Promise<McpAnswer> {
  return { status: response.status, body: await response.text() }
}

type ErrorBody = { readonly code: number; readonly message: string }

function problem(status: number, error: ErrorBody, message: object = {}): McpAnswer {
  const id = 'id' in message && /^(?:string|number)$/.test(typeof message.id) ? message.id : null
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id, error }) }
}
