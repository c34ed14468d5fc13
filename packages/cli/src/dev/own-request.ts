/**
 * Reads the problem panel's requests that act on this machine: they open an editor or change a
 * file. They are accepted only from pages of this server, in a browser on this machine. Other sites
 * can send requests too, but not with this origin.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Place } from '@octavo/model'
import { isLocalAddress, isLocalHost } from '../loopback/allowed-host.ts'

const BODY_LENGTH_MAX = 16_384

/**
 * Returns the body of a request from a page of this server. Rejects other requests and returns
 * undefined.
 */
export async function readOwnRequest(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { host, origin } = request.headers
  const isOwn = origin === `http://${host}` && isLocalHost(host)
  if (!isOwn || !isLocalAddress(request.socket.remoteAddress)) {
    sendText(
      response,
      403,
      'This request is allowed only from pages of this server, on this machine.',
    )
    return undefined
  }
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json') {
    sendText(response, 405)
    return undefined
  }
  const body = parseObject(await readBody(request))
  if (body === undefined) sendText(response, 400, 'The request is not a JSON object.')
  return body
}

/** Returns the requested place; undefined if it is not in a file of the site. */
export function readPlace(
  { file, line, column }: Readonly<Record<string, unknown>>,
  files: readonly string[],
): Place | undefined {
  if (typeof file !== 'string' || !isCount(line) || !isCount(column)) return undefined
  return files.includes(file) ? { file, line, column } : undefined
}

export function sendText(response: ServerResponse, status: number, text = ''): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) {
    body += String(part)
    if (body.length > BODY_LENGTH_MAX) return ''
  }
  return body
}

function parseObject(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return value !== null && typeof value === 'object' ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0
}
