import type { IncomingMessage, ServerResponse } from 'node:http'
import { isNotModified } from './reader-request.ts'

/**
 * Headers of every response of every site. They come from this program, never from a deployment.
 */
export const ALWAYS = { 'x-content-type-options': 'nosniff' }
/** Without it, Node would send an empty chunked body. */
const NO_BODY = { 'content-length': 0 }

/**
 * Additional headers for previews: search engines ignore them, and other sites do not learn their
 * names.
 */
export const PREVIEW_HEADERS = { 'x-robots-tag': 'noindex', 'referrer-policy': 'same-origin' }

/**
 * The policy of every response of a sandboxed preview. It does not apply to tabs opened by its
 * links.
 */
export const SANDBOX = 'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox'
export const ALLOW_ORIGIN = 'access-control-allow-origin'

/** Everything in a response except its bytes. */
export type PreparedResponse = {
  readonly status: 200 | 404
  readonly etag: string
  /** Alternating names and values, the form that Node does not have to copy. */
  readonly headers: readonly string[]
  readonly headersOf304: readonly string[]
}

/**
 * Sends a file, or 304 if the reader already has it. Returns false if the bytes are needed but
 * missing.
 */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { reply, bytes }: { readonly reply: PreparedResponse; readonly bytes?: Uint8Array | undefined },
): boolean {
  if (reply.status === 200 && isNotModified(request, reply.etag)) {
    // Node's types require a mutable array, but Node does not change it.
    response.writeHead(304, reply.headersOf304 as string[]).end()
    return true
  }
  if (bytes === undefined) return false
  response.writeHead(reply.status, [...reply.headers, 'content-length', String(bytes.length)])
  response.end(request.method === 'HEAD' ? undefined : bytes)
  return true
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  sendUncached(response, status, { type: 'text/plain', body: `${text}\n` }, more)
}

/** Sends 401 to programs without a valid token. */
export function sendUnauthorized(
  response: ServerResponse,
  { isRefused = false }: { readonly isRefused?: boolean },
  /** The URL where agents find out who issues tokens. */
  metadata?: string,
): void {
  const challenge = [
    'Bearer realm="docs"',
    ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
    ...(isRefused ? ['error="invalid_token"'] : []),
  ].join(', ')
  // The response is the same whatever is wrong with the token.
  sendText(response, 401, isRefused ? REFUSED : PRIVATE, { 'www-authenticate': challenge })
}

const PRIVATE = 'This site is private. Send a token: Authorization: Bearer <token>.'
const REFUSED =
  'The token of this request does not work here: it has expired, was ended, or is for another site.'

export function refuseMethod(response: ServerResponse): void {
  sendText(response, 405, 'Only GET and HEAD are allowed here.', { allow: 'GET, HEAD' })
}

export function sendJson(response: ServerResponse, value: object): void {
  sendUncached(response, 200, { type: 'application/json', body: JSON.stringify(value) })
}

/** Sends a response generated for this request, so it is not cached. */
export function sendUncached(
  response: ServerResponse,
  status: number,
  { type, body }: { readonly type: string; readonly body: string | Uint8Array },
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...ALWAYS,
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...more,
  })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/**
 * Redirects to the site's other address. The redirect may be temporary, so browsers must revalidate
 * it.
 */
export function sendMoved(response: ServerResponse, url: string): void {
  response
    .writeHead(308, { ...ALWAYS, ...NO_BODY, location: url, 'cache-control': 'no-cache' })
    .end()
}

export function redirect(
  response: ServerResponse,
  view: { readonly cacheTag: string; readonly isProtected: boolean },
  {
    status,
    url,
    vary,
  }: { readonly status: 302 | 307 | 308; readonly url: string; readonly vary?: string },
): void {
  response
    .writeHead(status, {
      ...ALWAYS,
      ...NO_BODY,
      ...(vary !== undefined && { vary }),
      location: url,
      'cache-control': view.isProtected ? 'private, no-cache' : 'no-cache',
      'cache-tag': view.cacheTag,
    })
    .end()
}
