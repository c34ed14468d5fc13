/**
 * One request to an address that somebody typed, whose response is read while it comes: a model that
 * writes. Redirects are not followed. How long it may take is the caller's to say, by the signal.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { failureOf } from './fetch-outbound.ts'
import type { OutboundFailure } from './outbound-outcome.ts'
import { sendToTarget, type TargetRequest } from './request-outbound.ts'

export type OutboundStream = {
  readonly kind: 'stream'
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /**
   * As it comes; it throws when the connection is cut, the signal is aborted or there is too much. Who
   * stops reading closes the connection.
   */
  readonly body: AsyncIterable<Uint8Array>
}

export async function openOutbound(
  options: TargetRequest & {
    readonly url: string
    readonly bytesMax: number
    readonly signal: AbortSignal
  },
): Promise<OutboundStream | OutboundFailure> {
  const { signal, bytesMax } = options
  const url = URL.parse(options.url)
  if (url === null) return { kind: 'refused', url: options.url, reason: 'url' }
  try {
    // Compressed, the pieces would wait for each other.
    const response = await sendToTarget(options, { url, signal, encodings: 'identity' })
    if ('kind' in response) return response
    const { statusCode: status = 0, headers } = response
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
      response.destroy()
      return { kind: 'failed', url: url.href, reason: 'encoding' }
    }
    const { limitTo } = await import('./read-body.ts')
    return { kind: 'stream', status, headers, body: limitTo(bytesMax)(response) }
  } catch (error) {
    return failureOf(error, { url, signal, limits: { totalMsMax: 0 } })
  }
}
