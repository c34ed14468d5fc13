/**
 * Prints each request as Node's parser passed it to the service, and its response. Scripts load
 * this module into a service with `node --import`. It uses Node's own diagnostics channels, so the
 * service runs as in production.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'

type Started = { readonly request: IncomingMessage; readonly response: ServerResponse }

export type ObservedRequest = {
  /** The address of the sender. */
  readonly from: string
  /** The client's address, as forwarded by the proxy. */
  readonly client: string | undefined
  readonly method: string
  readonly host: string
  readonly url: string
  /** The length of the body according to the headers. */
  readonly length: string
  readonly status: number
}

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as Started
  const { headers, method = '', url = '' } = request
  const from = request.socket.remoteAddress ?? ''
  response.once('close', () => {
    const client = headers['x-edge-client']
    const observed: ObservedRequest = {
      from: from.replace(/^::ffff:/, ''),
      client: typeof client === 'string' ? client : undefined,
      method,
      host: headers.host ?? '',
      url,
      length: headers['transfer-encoding'] ?? headers['content-length'] ?? '',
      status: response.headersSent ? response.statusCode : 0,
    }
    process.stdout.write(`${JSON.stringify({ observed })}\n`)
  })
})
