/**
 * The HTTP server around the app. Node accepts several things that a proxy in front of us may read
 * differently, which is how requests get smuggled; they are refused here, before any route.
 */

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { AppBindings } from './app.ts'
import { PROBLEMS, Problem, type ProblemCode, problemBody } from './problem.ts'
import { BODY_BYTES_MAX, bodyTooLarge } from './route.ts'

const LIMITS = {
  urlBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
} as const

/** Headers that may stand only once: two of them mean two readers may disagree. */
const SINGLE = ['host', 'authorization', 'content-length', 'content-type', 'transfer-encoding']
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function createHttpServer(app: Hono<AppBindings>): Server {
  const listener = getRequestListener((request, env) => {
    const { incoming } = env as { incoming: IncomingMessage }
    const clientAddress = incoming.socket.remoteAddress
    return app.fetch(request, clientAddress === undefined ? {} : { clientAddress })
  })
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.headersMs,
      requestTimeout: LIMITS.requestMs,
      keepAliveTimeout: LIMITS.keepAliveMs,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: true,
    },
    (request, response) => {
      const problem = inspect(request)
      if (problem === undefined) void listener(request, response)
      else refuse(response, problem)
    },
  )
  server.on('checkExpectation', (_, response: ServerResponse) => {
    refuse(
      response,
      new Problem('invalid-request', 'This expectation is not supported.', { param: 'Expect' }),
    )
  })
  server.on('upgrade', (_, socket: Socket) => {
    refuseSocket(socket, 'invalid-request', 'Upgrades are not supported.')
  })
  server.on('connect', (_, socket: Socket) => {
    refuseSocket(socket, 'method-not-allowed', 'This is not a proxy.')
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'HPE_HEADER_OVERFLOW') {
      refuseSocket(socket, 'headers-too-large', `Headers may have ${LIMITS.headerBytes} bytes.`)
    } else refuseSocket(socket, 'invalid-request', 'The request is not valid HTTP.')
  })
  return server
}

/** What is wrong with the request as it came over the wire, if anything. */
function inspect(request: IncomingMessage): Problem | undefined {
  const { method = '', url = '', rawHeaders } = request
  const invalid = (detail: string, param?: string) =>
    new Problem('invalid-request', detail, param === undefined ? {} : { param })
  if (request.httpVersionMajor !== 1 || request.httpVersionMinor !== 1)
    return invalid('HTTP/1.1 is needed.')
  if (!METHODS.has(method))
    return new Problem('method-not-allowed', 'This method is not supported.', {
      headers: { allow: 'GET, HEAD, OPTIONS' },
    })
  if (url.length > LIMITS.urlBytes)
    return new Problem('url-too-long', `An address may have ${LIMITS.urlBytes} bytes.`)
  if (!url.startsWith('/') || url.startsWith('//'))
    return invalid('The target must be a path that begins with one slash.')
  for (const name of SINGLE) {
    const count = rawHeaders.filter(
      (header, index) => index % 2 === 0 && header.toLowerCase() === name,
    ).length
    if (count > 1) return invalid(`The header \`${name}\` is given more than once.`, name)
  }
  if (request.headers.upgrade !== undefined)
    return invalid('Upgrades are not supported.', 'Upgrade')
  const length = Number(request.headers['content-length'] ?? 0)
  const chunked = request.headers['transfer-encoding'] !== undefined
  // Without chunks there are no chunk extensions to disagree about.
  if (chunked)
    return invalid('Send the body with `Content-Length`, not in chunks.', 'Transfer-Encoding')
  if (length > 0 && !WITH_BODY.has(method))
    return invalid('This method takes no body.', 'Content-Length')
  if (length > BODY_BYTES_MAX) return bodyTooLarge()
  return undefined
}

function refuse(response: ServerResponse, problem: Problem): void {
  const requestId = randomUUID()
  const body = JSON.stringify(problemBody(problem, requestId))
  response.writeHead(PROBLEMS[problem.code].status, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'cache-control': 'private, no-store',
    connection: 'close',
    ...problem.headers,
  })
  response.end(body)
}

/** The same for a connection that has no request to answer to. */
function refuseSocket(socket: Socket, code: ProblemCode, detail: string): void {
  if (socket.destroyed || !socket.writable) return
  const requestId = randomUUID()
  const { status, title } = PROBLEMS[code]
  const body = JSON.stringify(problemBody(new Problem(code, detail), requestId))
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      'content-type: application/problem+json',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
