/**
 * Opens a place in the editor when the author clicks on it. This starts a program, so requests are
 * accepted only from pages of this server, in a browser on this machine, and for files of the site.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { isLocalAddress, isLocalHost } from './allowed-host.ts'
import type { Place } from './open-program.ts'

/** Returns an error message on failure. */
export type OpenPlace = (place: Place) => Promise<string | undefined>

export type OpenInput = {
  readonly folder: string
  readonly files: readonly string[]
  readonly openPlace: OpenPlace
}

const BODY_LENGTH_MAX = 4_096

export async function handleOpenRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, files, openPlace }: OpenInput,
): Promise<void> {
  const say = (status: number, text = '') => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
  }
  const { host, origin } = request.headers
  const isOwn = origin === `http://${host}` && isLocalHost(host)
  if (!isOwn || !isLocalAddress(request.socket.remoteAddress)) {
    return say(403, 'Only for pages of this server, on this machine.')
  }
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json') {
    return say(405)
  }
  const place = parsePlace(await readBody(request))
  if (place === undefined || !files.includes(place.file)) return say(400, 'File not found.')
  const failure = await openPlace({ ...place, file: join(folder, place.file) })
  return failure === undefined ? say(204) : say(501, failure)
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) {
    body += String(part)
    if (body.length > BODY_LENGTH_MAX) return ''
  }
  return body
}

function parsePlace(body: string): Place | undefined {
  try {
    const value = JSON.parse(body) as Partial<Place> | null
    const { file, line, column } = value ?? {}
    if (typeof file !== 'string' || !isCount(line) || !isCount(column)) return undefined
    return { file, line, column }
  } catch {
    return undefined
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0
}
