/**
 * Forwards requests of the playground to APIs that do not allow the site's origin. The proxy is off
 * unless the owner enables it, and only connects to servers in the specifications of the
 * deployment.
 *
 * The response of the API is wrapped in JSON. Otherwise it could be interpreted as a page or a
 * script of the site.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { INERT_POLICY } from '@octavo/model'
import { type OutboundResponse, printOutboundFailure, requestOutbound } from '@octavo/outbound'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { addressOf, type FindClientAddress } from '../../platform/http/client-address.ts'
import { parseJson, readBody } from '../../platform/http/reader-body.ts'
import { ALWAYS } from '../../platform/http/send-response.ts'
import { countAction } from '../../platform/limits/hourly-limit.ts'
import { createRateLimit, type RateLimit } from '../../platform/limits/rate-limit.ts'
import { asProblem, PROBLEMS, Problem, problemBody } from '../../platform/problem.ts'
import type { SiteView } from './find-file.ts'
import type { SitePointer } from './site-directory.ts'

export const PROXY_PATH = '/_octavo/proxy'

export const PROXY_LIMITS = {
  requestBytes: 1_000_000,
  responseBytes: 5_000_000,
  totalMs: 30_000,
  headers: 100,
  perHourOfProject: 3_600,
  perHourOfAddress: 300,
  atOnce: 64,
} as const

/** The maximum size of a proxied request as JSON, whose body is encoded in Base64. */
export const PROXY_BODY_BYTES_MAX = Math.ceil((PROXY_LIMITS.requestBytes * 4) / 3) + 64 * 1024

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Does not match characters that could start another header. */
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/)
const headerName = z
  .string()
  .max(200)
  .regex(/^[\w!#$%&'*+.^`|~-]+$/)

const ProxiedRequest = z.strictObject({
  url: z.string().max(8_192),
  method: z.enum(METHODS),
  headers: z.array(z.tuple([headerName, headerValue])).max(PROXY_LIMITS.headers),
  /** The request body in Base64. */
  body: z
    .string()
    .regex(/^[\w+/]*={0,2}$/)
    .optional(),
})

/**
 * Headers that are not forwarded: those of the connection or the browser, and those that reveal
 * where a request comes from.
 */
const DROPPED =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|expect|cookie2?|set-cookie2?|origin|referer|user-agent|accept-encoding|content-encoding|forwarded|via|x-forwarded-.*|x-real-ip|sec-.*|:.*)$/

type ProxyDeps = {
  readonly database: Database
  readonly findClientAddress: FindClientAddress
  readonly allowPrivateHosts: readonly string[]
  readonly now: () => number
}

type ProxyTarget = {
  readonly pointer: SitePointer
  /** Origins that requests may be sent to. */
  readonly servers: readonly string[]
}

/** Returns the servers to which the playgrounds of a site may send requests through the proxy. */
export function serversOf(pointer: SitePointer, { root, reader }: SiteView): readonly string[] {
  // The list includes servers of all pages, so readers without access to the site get none of them.
  return pointer.allowsProxy && reader.hasSiteAccess ? (root.origins.servers ?? []) : []
}

export class PlaygroundProxy {
  readonly #deps: ProxyDeps
  readonly #countAddress: RateLimit
  #running = 0

  constructor(deps: ProxyDeps) {
    this.#deps = deps
    this.#countAddress = createRateLimit(PROXY_LIMITS.perHourOfAddress, deps.now, {
      detail: `You can send ${PROXY_LIMITS.perHourOfAddress} requests per hour. Try again later.`,
    })
  }

  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    target: ProxyTarget,
  ): Promise<void> {
    const control = new AbortController()
    response.once('close', () => control.abort())
    this.#running += 1
    try {
      if (this.#running > PROXY_LIMITS.atOnce)
        throw new Problem('unavailable', 'Too many requests at the same time. Try again later.', {
          headers: { 'retry-after': '5' },
        })
      const { status, statusText, headers, bytes } = await this.#send(
        request,
        target,
        control.signal,
      )
      const value = {
        status,
        statusText,
        headers: headers.filter(([name]) => !DROPPED.test(name.toLowerCase())),
        body: Buffer.from(bytes).toString('base64'),
      }
      sendEnvelope(response, { status: 200, type: 'application/json', value })
    } catch (error) {
      const problem = asProblem(error)
      if (problem.code === 'internal') throw error
      sendEnvelope(response, {
        status: PROBLEMS[problem.code].status,
        type: 'application/problem+json',
        value: problemBody(problem, randomUUID()),
        headers: problem.headers,
      })
    } finally {
      this.#running -= 1
    }
  }

  async #send(
    request: IncomingMessage,
    { pointer, servers }: ProxyTarget,
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    if (servers.length === 0)
      throw new Problem('not-found', 'The playground proxy is not enabled for this site.')
    checkSameOrigin(request)
    const address = addressOf(request, this.#deps.findClientAddress)
    this.#countAddress(`${pointer.projectId} ${address}`)
    const proxied = await readProxiedRequest(request)
    const url = URL.parse(proxied.url)
    if (url === null || !servers.includes(url.origin))
      throw new Problem(
        'forbidden',
        'This server is not listed in an API specification of this site.',
        {
          param: 'url',
        },
      )
    const limit = { action: 'playground', perHour: PROXY_LIMITS.perHourOfProject }
    await countAction(this.#deps.database.forProject(pointer), limit)
    const outcome = await requestOutbound({
      url: url.href,
      method: proxied.method,
      headers: proxied.headers,
      ...(proxied.body !== undefined && { body: proxied.body }),
      allowPrivateHosts: this.#deps.allowPrivateHosts,
      limits: { totalMsMax: PROXY_LIMITS.totalMs, bytesMax: PROXY_LIMITS.responseBytes },
      signal,
    })
    if (outcome.kind === 'response') return outcome
    const reason = printOutboundFailure(outcome, url.href)
    throw new Problem('upstream-failed', `The request to ${url.host} failed: ${reason}.`)
  }
}

/**
 * Rejects requests from pages of other sites. `Sec-Fetch-Site` is set by the browser and cannot be
 * changed by a page. `Origin` is not reliable behind a proxy that changes the host.
 */
function checkSameOrigin({ headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site']
  const origin = URL.parse(headers.origin ?? '')
  const isSame = site === undefined ? origin?.host === headers.host : site === 'same-origin'
  if (!isSame) throw new Problem('forbidden', 'Only pages of this site can send requests here.')
  // A page of another origin would need a CORS preflight to send this content type.
  if (headers['content-type'] !== 'application/json')
    throw new Problem('invalid-request', 'Expected `Content-Type: application/json`.')
}

async function readProxiedRequest(request: IncomingMessage) {
  const parsed = ProxiedRequest.safeParse(parseJson(await readBody(request)))
  if (!parsed.success) {
    const param = parsed.error.issues[0]?.path.map(String).join('.') ?? ''
    throw new Problem('invalid-request', 'The playground request is not valid.', { param })
  }
  const { url, method, headers, body } = parsed.data
  const bytes = body === undefined ? undefined : Buffer.from(body, 'base64')
  if (bytes !== undefined && bytes.length > PROXY_LIMITS.requestBytes)
    throw new Problem(
      'too-large',
      `A request body can have at most ${PROXY_LIMITS.requestBytes} bytes.`,
    )
  return { url, method, headers: joinHeaders(headers), body: bytes }
}

function joinHeaders(headers: readonly (readonly [string, string])[]) {
  const joined = new Map<string, string>()
  for (const [written, value] of headers) {
    const name = written.toLowerCase()
    if (DROPPED.test(name)) continue
    const before = joined.get(name)
    joined.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(joined)
}

type Envelope = {
  readonly status: number
  readonly type: string
  readonly value: object
  readonly headers?: Readonly<Record<string, string>>
}

function sendEnvelope(response: ServerResponse, { status, type, value, headers }: Envelope): void {
  const text = JSON.stringify(value)
  response.writeHead(status, {
    ...ALWAYS,
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'content-security-policy': INERT_POLICY,
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(text)
}
