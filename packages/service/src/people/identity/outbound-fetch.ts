import { printOutboundFailure, requestOutbound } from '@octavo/outbound'
import type { CustomFetch } from 'openid-client'

const TOTAL_MS_MAX = 10_000
const BYTES_MAX = 500_000
/** Of what everybody may read: configurations and keys, which are kept for many projects at once. */
const PUBLIC_BYTES_MAX = 64_000
/** They speak of the bytes as they were sent, and these are decompressed. */
const OF_CONNECTION = /^(?:content-encoding|content-length|transfer-encoding|connection)$/i

/** A `fetch` for addresses that owners typed: private ones are refused, redirects are not followed. */
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
    const kept = outcome.headers.filter(([name]) => !OF_CONNECTION.test(name))
    const hasBody = status !== 204 && status !== 205 && status !== 304
    return new Response(hasBody ? new Uint8Array(bytes) : null, {
      status,
      headers: kept.map(([name, value]): [string, string] => [name, value]),
    })
  }
}
