/**
 * Fetches an untrusted URL that an author, reader or owner entered. It may point to the operator's
 * internal network, to this service, or to a malicious server, so every hop is checked before a
 * connection is opened, and time and size are always limited.
 */
import { checkTarget, type ResolveHost, systemResolve } from './check-target.ts'
import type { FailureReason, OutboundFailure, OutboundOutcome } from './outbound-outcome.ts'

export const OUTBOUND_LIMITS = {
  /** The time from the call to the last byte, including all redirects. */
  totalMsMax: 20_000,
  /** The maximum size of the decompressed response. */
  bytesMax: 50_000_000,
  redirectsMax: 5,
} as const

export type OutboundLimits = { readonly [Name in keyof typeof OUTBOUND_LIMITS]: number }

export type OutboundOptions = {
  readonly url: string
  /** Hosts that may be on a private network, at any port, as written in a URL. */
  readonly allowPrivateHosts: readonly string[]
  /** The request headers. Their names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** `false` if the caller only needs the response headers. */
  readonly wantsBody?: boolean
  readonly method?: 'GET' | 'HEAD'
  readonly limits?: Partial<OutboundLimits>
  readonly signal?: AbortSignal
  readonly resolve?: ResolveHost
}

export const USER_AGENT = 'octavo'
/**
 * Headers that are forwarded when a redirect leads to another origin. Other headers are dropped,
 * since they may identify the caller.
 */
const PORTABLE_HEADER = /^(?:accept|user-agent|if-none-match|if-modified-since)$/
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function fetchOutbound(options: OutboundOptions): Promise<OutboundOutcome> {
  const limits = { ...OUTBOUND_LIMITS, ...options.limits }
  return withDeadline(limits.totalMsMax, options.signal, (signal) =>
    follow(options, limits, signal),
  )
}

/** Runs `work` with a signal that is aborted on timeout or when the caller cancels. */
export async function withDeadline<Result>(
  totalMs: number,
  canceled: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const control = new AbortController()
  const timer = setTimeout(() => control.abort(new TimeoutError()), totalMs)
  const cancel = () => control.abort()
  canceled?.addEventListener('abort', cancel, { once: true })
  if (canceled?.aborted) cancel()
  try {
    return await work(control.signal)
  } finally {
    clearTimeout(timer)
    canceled?.removeEventListener('abort', cancel)
  }
}

async function follow(
  options: OutboundOptions,
  limits: OutboundLimits,
  signal: AbortSignal,
): Promise<OutboundOutcome> {
  const start = URL.parse(options.url)
  if (start === null) return { kind: 'refused', url: options.url, reason: 'url' }
  let url = start
  let headers = options.headers ?? {}
  for (let hop = 0; hop <= limits.redirectsMax; hop += 1) {
    const reply = await ask({ ...options, headers }, { url, signal, limits })
    if (reply.kind !== 'redirect') return reply
    if (reply.url.origin !== url.origin) headers = portable(headers)
    url = reply.url
  }
  return { kind: 'refused', url: start.href, reason: 'redirects' }
}

type Hop = { readonly url: URL; readonly signal: AbortSignal; readonly limits: OutboundLimits }
type Reply = OutboundOutcome | { readonly kind: 'redirect'; readonly url: URL }

async function ask(options: OutboundOptions, hop: Hop): Promise<Reply> {
  try {
    return await askChecked(options, hop)
  } catch (error) {
    return failureOf(error, hop)
  }
}

async function askChecked(options: OutboundOptions, hop: Hop): Promise<Reply> {
  const { url, signal } = hop
  const { allowPrivateHosts, resolve = systemResolve, method = 'GET' } = options
  const target = await checkTarget(url, { allowPrivateHosts, resolve, signal })
  if (target.kind !== 'checked') return target
  // Imported lazily, because loading HTTP, TLS and decompression takes 40 ms and most commands do
  // not need them.
  const { sendOutbound } = await import('./outbound-request.ts')
  const { ACCEPTED_ENCODINGS, readBody } = await import('./read-body.ts')
  const response = await sendOutbound({
    method,
    url,
    signal,
    addresses: target.addresses,
    headers: {
      'user-agent': USER_AGENT,
      'accept-encoding': ACCEPTED_ENCODINGS,
      ...options.headers,
      connection: 'close',
    },
  })
  const { statusCode: status = 0, headers } = response
  const next = REDIRECTS.has(status) ? URL.parse(headers.location ?? '', url.href) : null
  const isLoaded = status >= 200 && status < 300
  if (!isLoaded || options.wantsBody === false) response.destroy()
  if (next !== null && headers.location !== undefined) return { kind: 'redirect', url: next }
  if (status === 304) return { kind: 'not-modified', url: url.href }
  if (!isLoaded) return { kind: 'failed', url: url.href, reason: 'status', status }
  const wantsBody = options.wantsBody ?? true
  const body = wantsBody
    ? await readBody(response, hop.limits.bytesMax)
    : ({ kind: 'bytes', bytes: new Uint8Array() } as const)
  if (body.kind !== 'bytes') return { kind: 'failed', url: url.href, reason: body.kind }
  return {
    kind: 'loaded',
    url: url.href,
    bytes: body.bytes,
    contentType: headers['content-type'],
    etag: headers.etag,
    lastModified: headers['last-modified'],
  }
}

class TimeoutError extends Error {}

export function failureOf(
  error: unknown,
  { url, signal, limits }: Omit<Hop, 'limits'> & { readonly limits: { totalMsMax: number } },
): OutboundFailure {
  const failed = { kind: 'failed', url: url.href } as const
  if (signal.reason instanceof TimeoutError)
    return { ...failed, reason: 'timeout', afterMs: limits.totalMsMax }
  if (signal.aborted) return { ...failed, reason: 'canceled' }
  const { code } = error as NodeJS.ErrnoException
  // An error without a code is not a network failure but a bug.
  if (code === undefined) throw error
  return { ...failed, reason: reasonOf(code), code }
}

const TLS_ERROR =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH|EPROTO)/

function reasonOf(code: string): FailureReason {
  return TLS_ERROR.test(code) ? 'tls' : 'connect'
}

function portable(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => PORTABLE_HEADER.test(name)))
}
