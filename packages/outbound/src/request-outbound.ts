/**
 * Sends one request with any method to an untrusted URL, and returns the response with any status.
 * Redirects are not followed: the caller decides whether they are allowed.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { checkTarget, type ResolveHost, systemResolve } from './check-target.ts'
import { failureOf, USER_AGENT, withDeadline } from './fetch-outbound.ts'
import type { OutboundFailure } from './outbound-outcome.ts'

export type OutboundRequestOptions = {
  readonly url: string
  readonly method: string
  /** Hosts that may be on a private network, at any port, as written in a URL. */
  readonly allowPrivateHosts: readonly string[]
  /** The request headers. Their names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly limits: { readonly totalMsMax: number; readonly bytesMax: number }
  readonly signal?: AbortSignal
  readonly resolve?: ResolveHost
}

export type OutboundResponse = {
  readonly kind: 'response'
  readonly status: number
  readonly statusText: string
  /** The headers as received, including those that only concern the connection. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The decompressed body. */
  readonly bytes: Uint8Array
  /** The expiry date of the server's certificate; undefined without TLS. */
  readonly certificateEndsAt?: Date
}

export function requestOutbound(
  options: OutboundRequestOptions,
): Promise<OutboundResponse | OutboundFailure> {
  const { limits } = options
  return withDeadline(limits.totalMsMax, options.signal, async (signal) => {
    const url = URL.parse(options.url)
    if (url === null) return { kind: 'refused', url: options.url, reason: 'url' }
    try {
      return await sendChecked(options, url, signal)
    } catch (error) {
      return failureOf(error, { url, signal, limits })
    }
  })
}

async function sendChecked(
  options: OutboundRequestOptions,
  url: URL,
  signal: AbortSignal,
): Promise<OutboundResponse | OutboundFailure> {
  const { method, limits } = options
  const { ACCEPTED_ENCODINGS, readBody } = await import('./read-body.ts')
  const response = await sendToTarget(options, { url, signal, encodings: ACCEPTED_ENCODINGS })
  if ('kind' in response) return response
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = response
  // Read before the body, because the connection is closed once the body has been read.
  const certificateEndsAt = readCertificateEnd(response.socket)
  // HEAD, 204 and 304 responses have no body, even if their headers describe one.
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  if (!hasBody) response.destroy()
  const read = hasBody
    ? await readBody(response, limits.bytesMax)
    : ({ kind: 'bytes', bytes: new Uint8Array() } as const)
  if (read.kind !== 'bytes') return { kind: 'failed', url: url.href, reason: read.kind }
  const headers = rawHeaders.flatMap((name, index): (readonly [string, string])[] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
  )
  const { bytes } = read
  return {
    kind: 'response',
    status,
    statusText,
    headers,
    bytes,
    ...(certificateEndsAt !== undefined && { certificateEndsAt }),
  }
}

function readCertificateEnd(socket: Socket | TLSSocket): Date | undefined {
  return 'getPeerCertificate' in socket ? new Date(socket.getPeerCertificate().valid_to) : undefined
}

export type TargetRequest = Pick<
  OutboundRequestOptions,
  'method' | 'allowPrivateHosts' | 'headers' | 'body' | 'resolve'
>

/** Checks the URL's target, then sends the request to it. */
export async function sendToTarget(
  options: TargetRequest,
  { url, signal, encodings }: { url: URL; signal: AbortSignal; encodings: string },
): Promise<IncomingMessage | OutboundFailure> {
  const { allowPrivateHosts, resolve = systemResolve, method, body } = options
  const target = await checkTarget(url, { allowPrivateHosts, resolve, signal })
  if (target.kind !== 'checked') return target
  const { sendOutbound } = await import('./outbound-request.ts')
  return sendOutbound({
    method,
    url,
    signal,
    body,
    addresses: target.addresses,
    headers: {
      'user-agent': USER_AGENT,
      'accept-encoding': encodings,
      ...options.headers,
      ...(body !== undefined && { 'content-length': String(body.length) }),
      connection: 'close',
    },
  })
}
