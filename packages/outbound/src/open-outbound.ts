/**
 * Sends one request to an untrusted URL and streams its response, such as from a model. Redirects
 * are not followed. The caller limits the time with its signal.
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
   * Streams the body; throws if the connection is lost, the signal is aborted or there are too many
   * bytes. When the caller stops reading, the connection is closed.
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
    // Compression would delay the pieces.
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
