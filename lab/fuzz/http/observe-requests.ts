/**
 * Loaded into a service with `node --import`, for scripts alone: prints each request as Node's parser gave it to the
 * service, and how it was answered. It uses Node's own diagnostics channels, so the service is as in production.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'

type Started = { readonly request: IncomingMessage; readonly response: ServerResponse }

export type ObservedRequest = {
  /** The address of whoever sent it. */
  readonly from: string
  /** What the proxy in front says of its client. */
  readonly client: string | undefined
  readonly method: string
  readonly host: string
  readonly url: string
  /** Of the body, as the headers say. */
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
