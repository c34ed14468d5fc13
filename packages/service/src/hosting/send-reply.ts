import type { IncomingMessage, ServerResponse } from 'node:http'
import { isNotModified } from './reader-request.ts'

/** What every reply of every site has. It comes from this program, never from a deployment. */
export const ALWAYS = { 'x-content-type-options': 'nosniff' }

/** What replies of previews have too: search engines leave them out, and other sites do not learn their names. */
export const PREVIEW_HEADERS = new Map([
  ['x-robots-tag', 'noindex'],
  ['referrer-policy', 'same-origin'],
])

type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly etag: string
  readonly bytes: Uint8Array
}

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, etag, bytes }: Reply,
): void {
  if (status === 200 && isNotModified(request, etag)) {
    response.writeHead(304, { ...headers, etag }).end()
    return
  }
  response.writeHead(status, {
    ...headers,
    ...(status === 200 && { etag }),
    'content-length': bytes.length,
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  sendWhole(response, status, { type: 'text/plain', text: `${text}\n` }, more)
}

export function sendJson(response: ServerResponse, value: object): void {
  sendWhole(response, 200, { type: 'application/json', text: JSON.stringify(value) })
}

function sendWhole(
  response: ServerResponse,
  status: number,
  { type, text }: { readonly type: string; readonly text: string },
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...ALWAYS,
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...more,
  })
  response.end(response.req.method === 'HEAD' ? undefined : text)
}
