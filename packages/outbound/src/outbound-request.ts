/** Sends one request over a new connection to a checked address. */
import type { LookupAddress } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

export type OutboundRequest = {
  readonly method: string
  readonly url: URL
  /** The addresses of the URL's host. No other address is connected to. */
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
      // No pool: connections are never shared between sites.
      agent: false,
      // Set explicitly, to override the environment of the process.
      rejectUnauthorized: true,
    }
    const request = send(url, options, resolve)
    request.on('error', reject)
    // A response that switches protocols (101) ends the connection without an error.
    request.on('close', () => reject(new ClosedError()))
    request.end(body)
  })
}

class ClosedError extends Error {
  readonly code = 'ECONNRESET'
}

/** Returns the checked addresses, whatever the name resolves to by now. */
function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses
    if (all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
}
