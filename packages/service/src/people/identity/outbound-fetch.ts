import { printOutboundFailure, requestOutbound } from '@octavo/outbound'
import type { CustomFetch } from 'openid-client'

const TOTAL_MS_MAX = 10_000
const BYTES_MAX = 500_000
/** The size limit for configurations and keys, which are cached for many projects. */
const PUBLIC_BYTES_MAX = 64_000
/**
 * Matches headers that describe the transferred bytes. They are removed, since the body is already
 * decompressed.
 */
const WIRE_HEADERS = /^(?:content-encoding|content-length|transfer-encoding|connection)$/i

/**
 * Creates a `fetch` for URLs that owners entered: it refuses private addresses and follows no
 * redirects.
 */
export function createOutboundFetch(allowPrivateHosts: readonly string[]): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const sent = new Headers(headers)
    const isPublic = method === 'GET' && !sent.has('authorization')
    const bytesMax = isPublic ? PUBLIC_BYTES_MAX : BYTES_MAX
    const outcome = await requestOutbound({
      url,
      method,
      headers: Object.fromEntries(sent),
      ...(body !== undefined && body !== null && { body: Buffer.from(String(body)) }),
      allowPrivateHosts,
      limits: { totalMsMax: TOTAL_MS_MAX, bytesMax },
      ...(signal !== undefined && { signal }),
    })
    if (outcome.kind !== 'response')
      throw new TypeError(`The request failed: ${printOutboundFailure(outcome, url)}.`)
    const { status, bytes } = outcome
    const kept = outcome.headers.filter(([name]) => !WIRE_HEADERS.test(name))
    const hasBody = status !== 204 && status !== 205 && status !== 304
    return new Response(hasBody ? new Uint8Array(bytes) : null, {
      status,
      headers: kept.map(([name, value]): [string, string] => [name, value]),
    })
  }
}
