import type { IncomingMessage, ServerResponse } from 'node:http'
import { isNotModified } from './reader-request.ts'

/** Headers that every response from every site has. Deployments cannot change them. */
export const ALWAYS = { 'x-content-type-options': 'nosniff' }
/**
 * The headers of a response without a body. Without a content length, Node would send an empty
 * chunked body.
 */
const NO_BODY = { 'content-length': 0 }

/**
 * Additional headers for previews: search engines ignore them, and other sites do not learn their
 * names.
 */
export const PREVIEW_HEADERS = { 'x-robots-tag': 'noindex', 'referrer-policy': 'same-origin' }

/**
 * The content security policy of a sandboxed preview. It does not apply to tabs opened by links in
 * the preview.
 */
export const SANDBOX = 'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox'
export const ALLOW_ORIGIN = 'access-control-allow-origin'

/** Everything in a response except the bytes of its body. */
export type PreparedResponse = {
  readonly status: 200 | 404
  readonly etag: string
  /** Names and values alternate, because Node does not have to copy headers in this form. */
  readonly headers: readonly string[]
  readonly headersOf304: readonly string[]
}

/**
 * Sends a file, or 304 if the client already has it. Returns false if `bytes` is needed but
 * undefined.
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

/** Sends 401 to a program that has no valid token. */
export function sendUnauthorized(
  response: ServerResponse,
  { isRefused = false }: { readonly isRefused?: boolean },
  /** The URL at which agents can find out who issues tokens. */
  metadata?: string,
): void {
  const challenge = [
    'Bearer realm="docs"',
    ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
    ...(isRefused ? ['error="invalid_token"'] : []),
  ].join(', ')
  // The response does not reveal whether a token has expired, was revoked, or belongs to another
  // site.
  sendText(response, 401, isRefused ? REFUSED : PRIVATE, { 'www-authenticate': challenge })
}

const PRIVATE = 'This site is private. Send a token: Authorization: Bearer <token>.'
const REFUSED =
  'The token in this request is not valid here: it has expired, was revoked, or belongs to another site.'

export function refuseMethod(response: ServerResponse): void {
  sendText(response, 405, 'Only GET and HEAD are allowed here.', { allow: 'GET, HEAD' })
}

export function sendJson(response: ServerResponse, value: object): void {
  sendUncached(response, 200, { type: 'application/json', body: JSON.stringify(value) })
}

/** Sends a response that was generated for this request, so it must not be cached. */
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
 * Redirects to another URL of the site. The owner may change the target later, so browsers must
 * revalidate the redirect.
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
