/**
 * Calls the API of a Git host once. Never throws: returns either a validated response, or a failure
 * with a message for the owner and the time to wait before a retry.
 */
import { printable } from '@octavo/model'
import { type OutboundResponse, printOutboundFailure, requestOutbound } from '@octavo/outbound'
import type { z } from 'zod'
import type { ProviderFailure } from './provider.ts'

const LIMITS = { totalMsMax: 15_000, bytesMax: 5_000_000 }
const SERVER_ERROR_SECONDS = 10
/** GitHub asks clients to wait a minute if a secondary rate limit does not specify a time. */
const RATE_LIMIT_SECONDS = 60
const RETRY_SECONDS_MAX = 3_600
const SERVER_MESSAGE_MAX = 200
/** GitHub redirects requests for a renamed repository to its new address on the same host. */
const REDIRECTS_MAX = 2
const REDIRECTS: readonly number[] = [301, 302, 307, 308]

export type ApiCall = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
  readonly allowPrivateHosts: readonly string[]
  /** Removed from all failure messages, in case the server repeats it. */
  readonly secret: string | undefined
  readonly now: () => number
  readonly signal: AbortSignal
  readonly totalMsMax?: number
}

export type ApiFailure = ProviderFailure & {
  /** The status code of the response; undefined if there was no response. */
  readonly status: number | undefined
}

export type ApiReply<Data> = {
  readonly kind: 'reply'
  readonly data: Data
  /** True if the response is a list with more pages. */
  readonly hasNext: boolean
}

export async function callApi<Data>(
  call: ApiCall,
  schema: z.ZodType<Data>,
): Promise<ApiReply<Data> | ApiFailure> {
  let { url } = call
  for (let hop = 0; ; hop += 1) {
    const outcome = await requestOutbound({
      url,
      method: call.method,
      headers: {
        accept: 'application/json',
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(call.body !== undefined && { body: Buffer.from(JSON.stringify(call.body)) }),
      allowPrivateHosts: call.allowPrivateHosts,
      limits: { ...LIMITS, ...(call.totalMsMax !== undefined && { totalMsMax: call.totalMsMax }) },
      signal: call.signal,
    })
    if (outcome.kind !== 'response') {
      const isFinal = outcome.kind === 'refused'
      const reason = printOutboundFailure(outcome, url)
      return failure(call, reason, isFinal ? undefined : SERVER_ERROR_SECONDS, undefined)
    }
    const { status } = outcome
    if (REDIRECTS.includes(status)) {
      const next = URL.parse(headerOf(outcome, 'location') ?? '', url)
      // The token must not be sent to another host.
      if (next === null || next.origin !== new URL(url).origin || hop >= REDIRECTS_MAX)
        return failure(call, 'it redirects to another host', undefined, status)
      url = next.href
      continue
    }
    if (status < 200 || status > 299) return refusal(call, outcome)
    const parsed = schema.safeParse(readJson(outcome.bytes))
    if (!parsed.success)
      return failure(call, 'the response is not as documented', SERVER_ERROR_SECONDS, status)
    const hasNext = /;\s*rel="?next"?/.test(headerOf(outcome, 'link') ?? '')
    return { kind: 'reply', data: parsed.data, hasNext }
  }
}

function refusal(call: ApiCall, response: OutboundResponse): ApiFailure {
  const { status, bytes } = response
  const said = serverMessage(readJson(bytes))
  const reason = `the server responded with status ${status}${said === '' ? '' : ` (${said})`}`
  const isRateLimit =
    status === 429 ||
    (status === 403 &&
      (headerOf(response, 'retry-after') !== undefined ||
        headerOf(response, 'x-ratelimit-remaining') === '0' ||
        /rate limit/i.test(said)))
  if (isRateLimit) return failure(call, reason, rateLimitSeconds(response, call.now()), status)
  const isPassing = status >= 500 || status === 408
  const wait = isPassing ? (waitSeconds(response) ?? SERVER_ERROR_SECONDS) : undefined
  return failure(call, reason, wait, status)
}

function rateLimitSeconds(response: OutboundResponse, nowMs: number): number {
  const retryAfter = waitSeconds(response)
  if (retryAfter !== undefined) return retryAfter
  const reset = headerOf(response, 'x-ratelimit-reset') ?? headerOf(response, 'ratelimit-reset')
  if (reset === undefined || !/^\d{1,12}$/.test(reset)) return RATE_LIMIT_SECONDS
  return bounded(Number(reset) - Math.floor(nowMs / 1_000) + 1)
}

function waitSeconds(response: OutboundResponse): number | undefined {
  const text = headerOf(response, 'retry-after')
  return text !== undefined && /^\d{1,9}$/.test(text) ? bounded(Number(text)) : undefined
}

const bounded = (seconds: number) => Math.min(RETRY_SECONDS_MAX, Math.max(1, seconds))

function failure(
  { url, secret }: ApiCall,
  reason: string,
  retryAfterSeconds: number | undefined,
  status: number | undefined,
): ApiFailure {
  const host = new URL(url).host
  const message = `The request to ${host} failed: ${withoutSecret(reason, secret)}.`
  return { kind: 'failed', message, retryAfterSeconds, status }
}

const withoutSecret = (text: string, secret: string | undefined) =>
  secret === undefined || secret === '' ? text : text.replaceAll(secret, '…')

function headerOf({ headers }: OutboundResponse, name: string): string | undefined {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1]
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * Returns the error message of a response. GitHub and Gitea send `message`. GitLab also sends
 * `error`, or an object with a list for each invalid field.
 */
function serverMessage(body: unknown): string {
  if (typeof body !== 'object' || body === null) return ''
  const { message, error } = body as { readonly message?: unknown; readonly error?: unknown }
  const said = message ?? error ?? ''
  const text = typeof said === 'string' ? said : JSON.stringify(said)
  return printable(text).slice(0, SERVER_MESSAGE_MAX)
}
