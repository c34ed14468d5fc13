/**
 * Sends one request to an untrusted URL and streams its response, such as a model's answer.
 * Redirects are not followed. The caller sets the timeout with its signal.
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
   * Streams the body. Throws if the connection is lost, the signal is aborted or the size limit is
   * exceeded. Closes the connection when the caller stops reading.
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
    // Compression would delay the chunks of a streamed response.
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
