/** Sends one request over a new connection to a checked address. */
import type { LookupAddress } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

export type OutboundRequest = {
  readonly method: string
  readonly url: URL
  /** The checked addresses of the URL's host. The connection is only opened to one of these. */
  readonly addresses: readonly LookupAddress[]
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  readonly signal: AbortSignal
}

export function sendOutbound(outbound: OutboundRequest): Promise<IncomingMessage> {
  const { method, url, addresses, headers, body, signal } = outbound
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const options = {
      method,
      signal,
      headers,
      lookup: pinnedLookup(addresses),
      // No connection pool, so that two sites never share a connection.
      agent: false,
      // Set explicitly, because an environment variable could disable it.
      rejectUnauthorized: true,
    }
    const request = send(url, options, resolve)
    request.on('error', reject)
    // If the server switches protocols (101), the connection closes without an `error` event.
    request.on('close', () => reject(new ClosedError()))
    request.end(body)
  })
}

class ClosedError extends Error {
  readonly code = 'ECONNRESET'
}

/**
 * Returns a lookup function with the checked addresses as its result, so that the name is not
 * resolved again.
 */
function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses
    if (all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
}
