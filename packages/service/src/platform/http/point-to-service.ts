/**
 * For a person who opens `localhost` on the machine of the service, while OCTAVO_URL has another name: a page that says
 * where the service is. Others are not told its address.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** A browser on this machine. A proxy on this machine speaks for others, and says so. */
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

/** `url` is OCTAVO_URL; an origin has no character that HTML reads otherwise. */
export function pointToService(response: ServerResponse, status: number, url: string): void {
  const { origin } = new URL(url)
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Octavo</title><h1>Octavo has another address</h1><p>This service does not answer at this name. Open <a href="${origin}">${origin}</a></p></html>\n`
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
