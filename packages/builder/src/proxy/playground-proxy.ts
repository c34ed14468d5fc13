/**
 * Sends requests of playgrounds whose API does not answer browsers. Off unless an owner turns it on.
 * It has one job: a page that has a ticket of ours reaches the servers of its own specifications, on
 * the public internet, and nothing else (rules R17 to R19).
 *
 *     POST /_octavo/proxy    octavo-ticket, octavo-target, octavo-method, octavo-headers: [["a","b"]]
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { OUTBOUND, type OutboundOptions, sendOutbound } from './outbound-request.ts'
import {
  type HeaderPair,
  headersToReturn,
  headersToSend,
  withoutCredentials,
} from './proxy-headers.ts'
import { ProxyRefusal } from './proxy-refusal.ts'
import { type ProxyTicket, readTicket } from './proxy-ticket.ts'
import { RequestRate } from './request-rate.ts'

export const PROXY_LIMITS = {
  bodyBytesMax: 5_000_000,
  answerBytesMax: 5_000_000,
  /** Until the answer begins. */
  beginMsMax: 10_000,
  /** Between two pieces of an answer. */
  idleMsMax: 15_000,
  totalMsMax: 60_000,
  redirectsMax: 3,
  requestsPerMinuteMax: 30,
} as const

export type ProxyLimits = { readonly [Name in keyof typeof PROXY_LIMITS]: number }

export type ProxyOptions = {
  /** Signs tickets. */
  readonly key: Uint8Array
  readonly now: () => number
  readonly limits?: Partial<ProxyLimits>
  readonly outbound?: Partial<OutboundOptions>
}

type Target = {
  readonly method: string
  readonly url: URL
  readonly headers: readonly HeaderPair[]
  readonly ticket: ProxyTicket
}

export class PlaygroundProxy {
  readonly #options: ProxyOptions
  readonly #limits: ProxyLimits
  readonly #outbound: OutboundOptions
  readonly #rate: RequestRate

  constructor(options: ProxyOptions) {
    this.#options = options
    this.#limits = { ...PROXY_LIMITS, ...options.limits }
    this.#outbound = { ...OUTBOUND, ...options.outbound }
    this.#rate = new RequestRate(this.#limits.requestsPerMinuteMax)
  }

  /** `client` is whom requests are counted for: the reader's address, as the caller knows it. */
  async handle(request: IncomingMessage, response: ServerResponse, client: string): Promise<void> {
    const control = new AbortController()
    response.on('close', () => control.abort())
    const timer = setTimeout(() => control.abort(), this.#limits.totalMsMax)
    try {
      const target = this.#check(request)
      if (!this.#rate.allows(`${target.ticket.site} ${client}`, this.#options.now())) {
        throw new ProxyRefusal('rate')
      }
      const body = await this.#readBody(request)
      await this.#pass(target, body, { response, signal: control.signal })
    } catch (error) {
      refuse(response, error instanceof ProxyRefusal ? error : new ProxyRefusal('unreachable'))
    } finally {
      clearTimeout(timer)
    }
  }

  #check(request: IncomingMessage): Target {
    if (request.method !== 'POST') throw new ProxyRefusal('method')
    const { key, now } = this.#options
    const ticket = readTicket(textOf(request, 'octavo-ticket'), key, now())
    if (ticket === undefined) throw new ProxyRefusal('ticket')
    const written = textOf(request, 'octavo-target')
    if (!URL.canParse(written)) throw new ProxyRefusal('target')
    const method = textOf(request, 'octavo-method').toUpperCase() || 'GET'
    if (!/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY)$/.test(method)) {
      throw new ProxyRefusal('method')
    }
    const url = new URL(written)
    checkOrigin(url, ticket)
    return {
      method,
      url,
      ticket,
      headers: headersToSend(readPairs(textOf(request, 'octavo-headers'))),
    }
  }

  async #readBody(request: IncomingMessage): Promise<Buffer | undefined> {
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of request as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > this.#limits.bodyBytesMax) throw new ProxyRefusal('size')
      pieces.push(piece)
    }
    return size === 0 ? undefined : Buffer.concat(pieces)
  }

  async #pass(
    first: Target,
    firstBody: Buffer | undefined,
    { response, signal }: { readonly response: ServerResponse; readonly signal: AbortSignal },
  ): Promise<void> {
    let { method, url, headers } = first
    let body = method === 'GET' || method === 'HEAD' ? undefined : firstBody
    for (let hop = 0; hop <= this.#limits.redirectsMax; hop += 1) {
      const answer = await this.#begin({ method, url, headers, body, signal })
      const next = redirectOf(answer, url)
      if (next === undefined) {
        await this.#stream(answer, response, hop === 0 ? undefined : url)
        return
      }
      answer.destroy()
      checkOrigin(next, first.ticket)
      if (next.origin !== url.origin) headers = withoutCredentials(headers)
      const status = answer.statusCode ?? 0
      if (status === 303 || ((status === 301 || status === 302) && method === 'POST')) {
        method = 'GET'
        body = undefined
        headers = headers.filter(([name]) => !/^content-/i.test(name))
      }
      url = next
    }
    throw new ProxyRefusal('redirect')
  }

  async #begin(outbound: Parameters<typeof sendOutbound>[0]): Promise<IncomingMessage> {
    const begun = new AbortController()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      begun.abort()
    }, this.#limits.beginMsMax)
    outbound.signal.addEventListener('abort', () => begun.abort(), { once: true })
    try {
      return await sendOutbound({ ...outbound, signal: begun.signal }, this.#outbound)
    } catch (error) {
      throw isLate ? new ProxyRefusal('time') : error
    } finally {
      clearTimeout(timer)
    }
  }

  async #stream(
    answer: IncomingMessage,
    response: ServerResponse,
    redirectedTo: URL | undefined,
  ): Promise<void> {
    const { idleMsMax, answerBytesMax } = this.#limits
    answer.setTimeout(idleMsMax, () => answer.destroy())
    response.statusCode = answer.statusCode ?? 502
    for (const [name, value] of headersToReturn(answer.rawHeaders))
      response.appendHeader(name, value)
    setSafeHeaders(response)
    if (redirectedTo !== undefined) response.setHeader('octavo-redirected-to', redirectedTo.href)
    response.flushHeaders()
    let size = 0
    for await (const piece of answer as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > answerBytesMax) {
        // The reader sees that it ends too early.
        response.destroy()
        answer.destroy()
        return
      }
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve))
    }
    response.end()
  }
}

function checkOrigin(url: URL, { origins }: ProxyTicket): void {
  if (!origins.includes(url.origin)) throw new ProxyRefusal('origin')
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined
  const { location } = headers
  if (location === undefined || !URL.canParse(location, from.href)) return undefined
  return new URL(location, from)
}

function textOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

function readPairs(text: string): readonly HeaderPair[] {
  try {
    const value: unknown = text === '' ? [] : JSON.parse(text)
    if (!Array.isArray(value)) return []
    return value.filter(
      (pair): pair is HeaderPair =>
        Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string',
    )
  } catch {
    return []
  }
}

/** What comes back must not run as a page of ours, whatever it says it is. */
function setSafeHeaders(response: ServerResponse): void {
  response.setHeader('content-security-policy', "default-src 'none'; sandbox")
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('cache-control', 'no-store')
  response.setHeader('cross-origin-resource-policy', 'same-origin')
}

function refuse(response: ServerResponse, refusal: ProxyRefusal): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  setSafeHeaders(response)
  response.statusCode = refusal.status
  response.setHeader('content-type', 'application/json')
  response.setHeader('octavo-refused', refusal.reason)
  response.end(JSON.stringify({ reason: refusal.reason, message: refusal.message }))
}
