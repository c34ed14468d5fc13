/**
 * Shows a page with the service's URL to a person who opens `localhost` on the service's machine
 * while OCTAVO_URL has another host name. Other clients do not get the URL.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/**
 * Returns whether the request is from a browser on this machine. Requests that a local proxy
 * forwards do not count; they have a header that the proxy adds.
 */
export function isLocalBrowser({ socket, headers }: IncomingMessage): boolean {
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    LOCAL_HOST.test(headers.host ?? '') &&
    headers['x-forwarded-for'] === undefined &&
    headers.forwarded === undefined &&
    headers.via === undefined &&
    headers.accept?.includes('text/html') === true
  )
}

/**
 * Sends a page with a link to the origin of `url`, which is OCTAVO_URL. An origin contains no
 * characters that must be escaped in HTML.
 */
export function sendServiceUrl(response: ServerResponse, status: number, url: string): void {
  const { origin } = new URL(url)
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Octavo</title><h1>Octavo has another address</h1><p>This service is not available at this host name. Open <a href="${origin}">${origin}</a></p></html>\n`
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    connection: 'close',
  })
  response.end(body)
}
