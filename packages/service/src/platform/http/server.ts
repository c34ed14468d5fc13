/**
 * Creates the HTTP server. Node accepts several kinds of unusual requests that a proxy in front of
 * it may interpret differently, which enables request smuggling. The server rejects them before any
 * route runs.
 */

import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { PROBLEMS, Problem, problemBody } from '../problem.ts'
import { arrivalMsOf, createBodyBudget } from './body-budget.ts'
import type { BodyLimit } from './body-limits.ts'
import type { Click } from './click.ts'
import { addressOf, type FindClientAddress } from './client-address.ts'
import { bodyTooLarge } from './parse-request.ts'
import { sendMoved, sendText } from './send-response.ts'
import { isLocalBrowser, sendServiceUrl } from './send-service-url.ts'

const LIMITS = {
  urlBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  headers: 1_000,
  headersMs: 10_000,
  requestMs: 120_000,
  keepAliveMs: 5_000,
  /**
   * The longest time without a byte in either direction. A client that does not read occupies an
   * open file and memory.
   */
  stalledMs: 300_000,
  /** The maximum number of unanswered requests on one connection. Node itself sets no limit. */
  pipelined: 16,
  /**
   * The maximum number of connections from all clients. Browsers keep several open, and each takes
   * memory.
   */
  connections: 10_000,
} as const

/**
 * Headers that may occur only once. If there were two values, a proxy and Node might use different
 * ones.
 */
const SINGLE: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'content-length',
  'content-type',
  'transfer-encoding',
])
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const ALLOW = { allow: 'GET, HEAD, OPTIONS' }
/** Matches a host name or an IP address with an optional port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
/** The maximum number of cached hosts. Hosts that are longer than any valid name are not cached. */
const HOSTS_MAX = 10_000
const HOST_LENGTH_MAX = 260
/** Matches path parts that only some URL parsers remove or rewrite. */
const REWRITTEN = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i

/** What handles the requests to a host. */
export type Target =
  | { readonly kind: 'api' }
  /** For a preview, `preview/` and its name. No project can have such a slug. */
  | { readonly kind: 'site'; readonly slug: string }
  /** Redirects to the same path at another host of the site. */
  | { readonly kind: 'redirect'; readonly origin: string }
  /** A text that proves to the domain check that its request arrived at this service. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unknown' }

export type AppBindings = {
  Bindings: {
    readonly clientAddress?: string
    /** Set only by the dashboard, which calls within this process. */
    readonly click?: Click
  }
}

/** Serves the readers of hosted sites. */
type Sites = {
  readonly answer: (request: IncomingMessage, response: ServerResponse, slug: string) => void
  /** Returns the maximum body size for a path on any site. */
  readonly bodyBytesMaxOf: (path: string) => number
}

export type ServerDeps = {
  /** The value of OCTAVO_URL, shown to browsers on this machine that use another host name. */
  readonly url?: string | undefined
  readonly app: Hono<AppBindings>
  readonly findClientAddress: FindClientAddress
  /** Returns the target of requests to a host that the settings define: the API or a site. */
  readonly targetOf: (host: string) => Target
  /**
   * Returns the target of requests to a custom domain. It is called for every request to a host
   * that `targetOf` does not know, because custom domains can change.
   */
  readonly domainTargetOf?: ((host: string, path: string) => Target | undefined) | undefined
  readonly sites: Sites | undefined
  /** Returns the body limit for a path. */
  readonly bodyLimitOf: (path: string) => BodyLimit
}

/**
 * The rules for a request. Requests to sites may come from proxies that use HTTP/1.0, and only a
 * few paths of a site accept bodies.
 */
type Policy = { readonly allowsHttp10: boolean; readonly body: BodyLimit }

const NO_BODY: BodyLimit = { bytesMax: 0, isBuffered: false }
const SITE_POLICY: Policy = { allowsHttp10: true, body: NO_BODY }
const API_POLICY: Policy = { allowsHttp10: false, body: NO_BODY }

/** The last response on a connection. After a request was refused, further ones are ignored. */
type Connection = { reply: ServerResponse; unanswered: number; isRefused: boolean }

type CheckedHost = { readonly isValid: boolean; readonly target: Target }

export function createHttpServer(deps: ServerDeps): Server {
  const gate = new RequestGate(deps)
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.headersMs,
      requestTimeout: LIMITS.requestMs,
      keepAliveTimeout: LIMITS.keepAliveMs,
      connectionsCheckingInterval: 1_000,
      // If this were true, Node would reject a request without a host header itself. `RequestGate`
      // sends a problem response instead.
      requireHostHeader: false,
    },
    (request, response) => {
      const target = gate.accept(request, response)
      if (target !== undefined) gate.answer(request, response, target)
    },
  )
  // No limit: some versions of Node drop headers above it, which could hide a second key or length.
  server.maxHeadersCount = 0
  server.timeout = LIMITS.stalledMs
  server.maxConnections = LIMITS.connections
  // Without this handler, Node would request the body before its length is checked.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const target = gate.accept(request, response)
    if (target === undefined) return
    response.writeContinue()
    gate.answer(request, response, target)
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    gate.accept(request, response, invalid('This `Expect` header is not supported.', 'Expect'))
  })
  server.on('upgrade', (_, socket: Socket) => {
    gate.rejectConnection(socket, invalid('Upgrades are not supported.', 'Upgrade'))
  })
  server.on('connect', (_, socket: Socket) => {
    const detail = 'This is not a proxy.'
    gate.rejectConnection(socket, new Problem('method-not-allowed', detail, { headers: ALLOW }))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    gate.rejectConnection(socket, clientProblem(error.code))
  })
  return server
}

/** Decides, before any handler runs, whether a request is accepted and what handles it. */
class RequestGate {
  readonly #deps: ServerDeps
  readonly #listener: ReturnType<typeof getRequestListener>
  readonly #budget = createBodyBudget()
  readonly #hosts = new LRUCache<string, CheckedHost>({ max: HOSTS_MAX })
  readonly #connections = new WeakMap<Socket, Connection>()

  constructor(deps: ServerDeps) {
    this.#deps = deps
    this.#listener = getRequestListener((request, env) => {
      const { incoming } = env as { incoming: IncomingMessage }
      const clientAddress = addressOf(incoming, deps.findClientAddress)
      return deps.app.fetch(request, clientAddress === undefined ? {} : { clientAddress })
    })
  }

  /** Returns the target of the request; undefined if the request was rejected. */
  accept(
    request: IncomingMessage,
    response: ServerResponse,
    problem?: Problem,
  ): Target | undefined {
    const connection = this.#takeTurn(request.socket, response)
    if (connection === undefined) return undefined
    const { headers, url = '' } = request
    const { host = '' } = headers
    const { isValid, target: fixed } = this.#checkHost(host)
    const query = url.indexOf('?')
    const path = query < 0 ? url : url.slice(0, query)
    const isOpen = isValid && fixed.kind === 'unknown'
    const target = (isOpen && this.#deps.domainTargetOf?.(host, path)) || fixed
    const policy = this.#policyOf(target, path, headers['content-length'] !== undefined)
    const found =
      inspect(request, path, policy) ??
      (isValid ? problem : invalid('The header `host` must be a valid host.', 'host')) ??
      misdirected(target) ??
      (policy.body.isBuffered ? this.#holdBody(request, response) : undefined)
    if (found === undefined) return target
    connection.isRefused = true
    const { url: ownUrl } = this.#deps
    if (found.code === 'misdirected' && ownUrl !== undefined && isLocalBrowser(request))
      sendServiceUrl(response, PROBLEMS[found.code].status, ownUrl)
    else refuse(response, found)
    return undefined
  }

  answer(request: IncomingMessage, response: ServerResponse, target: Target): void {
    const { sites } = this.#deps
    if (target.kind === 'redirect') sendMoved(response, target.origin + (request.url ?? '/'))
    else if (target.kind === 'text') sendText(response, 200, target.text)
    else if (target.kind === 'site' && sites !== undefined)
      sites.answer(request, response, target.slug)
    else void this.#listener(request, response)
  }

  /**
   * Rejects input that is not a valid request. If another response is in progress or a request was
   * already rejected, the connection is closed without a response.
   */
  rejectConnection(socket: Socket, problem: Problem): void {
    const { reply, isRefused } = this.#connections.get(socket) ?? {}
    const isReplying = reply?.writableFinished === false
    if (isRefused) socket.destroySoon()
    else if (isReplying && (reply.headersSent || reply.req.complete)) socket.destroy()
    else rejectSocket(socket, problem)
  }

  /**
   * Counts the request on its connection. Returns undefined if there are too many requests or if an
   * earlier one was rejected.
   */
  #takeTurn(socket: Socket, response: ServerResponse): Connection | undefined {
    const known = this.#connections.get(socket)
    if (known?.isRefused) return undefined
    const connection = known ?? { reply: response, unanswered: 0, isRefused: false }
    if (known === undefined) this.#connections.set(socket, connection)
    connection.unanswered += 1
    if (connection.unanswered > LIMITS.pipelined) {
      connection.isRefused = true
      socket.destroy()
      return undefined
    }
    // `once` takes longer, and a response closes only once.
    response.on('close', () => --connection.unanswered)
    connection.reply = response
    return connection
  }

  #checkHost(host: string): CheckedHost {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const isValid = HOST.test(host) && URL.canParse(`http://${host}`)
    const checked = { isValid, target: this.#deps.targetOf(host) }
    if (host.length <= HOST_LENGTH_MAX) this.#hosts.set(host, checked)
    return checked
  }

  /** Returns the policy for a request. Body limits are looked up only if the request has a body. */
  #policyOf(target: Target, path: string, hasBody: boolean): Policy {
    const { sites, bodyLimitOf } = this.#deps
    const isSite = target.kind !== 'api' && target.kind !== 'unknown'
    if (!hasBody) return isSite ? SITE_POLICY : API_POLICY
    if (!isSite) return { allowsHttp10: false, body: bodyLimitOf(path) }
    const bytesMax = sites?.bodyBytesMaxOf(path) ?? 0
    return { allowsHttp10: true, body: { bytesMax, isBuffered: true } }
  }

  /** Reserves memory for a body, and closes the connection of a client that sends it too slowly. */
  #holdBody(request: IncomingMessage, response: ServerResponse): Problem | undefined {
    const length = Number(request.headers['content-length'])
    if (length === 0) return undefined
    const held = this.#budget.hold(length, addressOf(request, this.#deps.findClientAddress))
    if (held instanceof Problem) return held
    const timer = setTimeout(() => {
      if (!request.complete) this.rejectConnection(request.socket, TOO_SLOW)
    }, arrivalMsOf(length))
    response.once('close', () => {
      clearTimeout(timer)
      held.release()
    })
    return undefined
  }
}

function clientProblem(code = ''): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(
      'headers-too-large',
      `Request headers must not exceed ${LIMITS.headerBytes} bytes.`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return TOO_SLOW
  return invalid('The request is not valid HTTP.')
}

function invalid(detail: string, param?: string): Problem {
  return new Problem('invalid-request', detail, param === undefined ? {} : { param })
}

const TOO_SLOW = invalid('The request timed out.')

function misdirected(target: Target): Problem | undefined {
  if (target.kind !== 'unknown') return undefined
  return new Problem('misdirected', 'This service does not serve this host.', {
    param: 'host',
  })
}

/** Returns what is wrong with the raw request, if anything. */
function inspect(request: IncomingMessage, path: string, policy: Policy): Problem | undefined {
  const { method = '', url = '', rawHeaders } = request
  const isOld = request.httpVersionMinor !== 1 && !policy.allowsHttp10
  if (request.httpVersionMajor !== 1 || isOld) return invalid('HTTP/1.1 is required.')
  if (!METHODS.has(method))
    return new Problem('method-not-allowed', 'This method is not supported.', { headers: ALLOW })
  if (url.length > LIMITS.urlBytes)
    return new Problem('url-too-long', `The URL must not exceed ${LIMITS.urlBytes} bytes.`)
  if (!url.startsWith('/') || url.startsWith('//'))
    return invalid('The request target must be a path that starts with one slash.')
  if (rawHeaders.length > LIMITS.headers * 2)
    return new Problem(
      'headers-too-large',
      `A request must not have more than ${LIMITS.headers} headers.`,
    )
  if (url.includes('#') || REWRITTEN.test(path))
    return new Problem('not-found', 'This URL does not exist.')
  const twice = findRepeatedHeader(rawHeaders)
  if (twice !== undefined) return invalid(`The header \`${twice}\` is given more than once.`, twice)
  if (request.headers.upgrade !== undefined)
    return invalid('Upgrades are not supported.', 'Upgrade')
  const length = Number(request.headers['content-length'] ?? 0)
  const chunked = request.headers['transfer-encoding'] !== undefined
  // Rejecting chunked bodies avoids chunk extensions, which proxies may interpret differently.
  if (chunked)
    return invalid(
      'Chunked request bodies are not supported: send `Content-Length`.',
      'Transfer-Encoding',
    )
  if (length > 0 && !WITH_BODY.has(method))
    return invalid('This method does not accept a request body.', 'Content-Length')
  if (length > policy.body.bytesMax) return bodyTooLarge(policy.body.bytesMax)
  return undefined
}

function findRepeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const names = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!SINGLE.has(name)) continue
    if (names.has(name)) return name
    names.add(name)
  }
  return undefined
}

function refuse(response: ServerResponse, problem: Problem): void {
  const { status, headers, body } = problemToResponse(problem)
  response.writeHead(status, headers)
  response.end(body)
}

/** Sends a problem response on a connection for which Node has created no response object. */
function rejectSocket(socket: Socket, problem: Problem): void {
  if (socket.destroyed || !socket.writable) return
  const { status, headers, body } = problemToResponse(problem)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  // After `end`, a client that keeps its side open could hold the connection and delay a shutdown
  // indefinitely, so the socket is destroyed.
  socket.destroySoon()
}

function problemToResponse(problem: Problem) {
  const requestId = randomUUID()
  const body = JSON.stringify(problemBody(problem, requestId))
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...problem.headers,
  }
  return { status: PROBLEMS[problem.code].status, headers, body }
}
