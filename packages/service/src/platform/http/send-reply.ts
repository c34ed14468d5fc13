import type { IncomingMessage, ServerResponse } from 'node:http'
import { isNotModified } from './reader-request.ts'

/** What every reply of every site has. It comes from this program, never from a deployment. */
export const ALWAYS = { 'x-content-type-options': 'nosniff' }
/** Without it, Node would send a body in chunks, of which there are none. */
const NO_BODY = { 'content-length': 0 }

/** What replies of previews have too: search engines leave them out, and other sites do not learn their names. */
export const PREVIEW_HEADERS = { 'x-robots-tag': 'noindex', 'referrer-policy': 'same-origin' }

/** The policy of every reply of a sandboxed preview. Tabs that links of its pages open are free of it. */
export const SANDBOX = 'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox'
export const ALLOW_ORIGIN = 'access-control-allow-origin'

/** Everything of a reply but its bytes. */
export type PreparedReply = {
  readonly status: 200 | 404
  readonly etag: string
  /** Names and values in turns, the form that Node needs no copy of. */
  readonly headers: readonly string[]
  readonly headersOf304: readonly string[]
}

/** Answers with a file, or says that the reader has it; `false` if its bytes are needed and missing. */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { reply, bytes }: { readonly reply: PreparedReply; readonly bytes?: Uint8Array | undefined },
): boolean {
  if (reply.status === 200 && isNotModified(request, reply.etag)) {
    // The types of Node ask for an array that may be changed, and nothing changes it.
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
  sendWhole(response, status, { type: 'text/plain', body: `${text}\n` }, more)
}

/** For programs that may read nothing here without a token, or with this one. */
export function askForToken(
  response: ServerResponse,
  { isRefused = false }: { readonly isRefused?: boolean },
  /** Where agents learn who gives tokens. */
  metadata?: string,
): void {
  const challenge = [
    'Bearer realm="docs"',
    ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
    ...(isRefused ? ['error="invalid_token"'] : []),
  ].join(', ')
  // The same for all that can be wrong with a token.
  sendText(response, 401, isRefused ? REFUSED : PRIVATE, { 'www-authenticate': challenge })
}

const PRIVATE = 'This site is private. Send a token: Authorization: Bearer <token>.'
const REFUSED =
  'The token of this request does not work here: it has expired, was ended, or is for another site.'

export function refuseMethod(response: ServerResponse): void {
  sendText(response, 405, 'Only GET and HEAD are allowed here.', { allow: 'GET, HEAD' })
}

export function sendJson(response: ServerResponse, value: object): void {
  sendWhole(response, 200, { type: 'application/json', body: JSON.stringify(value) })
}

/** Made for this request, so no cache keeps it. */
export function sendWhole(
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

/** The whole site is elsewhere. It may come back, so browsers ask each time. */
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
