/**
 * Serves the operations of specifications over HTTP. Only websites of this machine may read the
 * responses, because a specification can be confidential.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MockApi } from '@octavo/openapi'
import { isAllowedHost, isLocalHost } from '../loopback/allowed-host.ts'
import { answerRequest, pathOf } from './answer-request.ts'
import { RecentRequests, type SeenRequest } from './recent-requests.ts'

export type MockServerInput = {
  readonly apis: readonly MockApi[]
  readonly host: string
  readonly now: () => number
  /** Called for each response. */
  readonly onRequest: (seen: SeenRequest) => void
}

/** The path that lists the last requests. */
const REQUESTS_PATH = '/_octavo/requests'

export class MockServer {
  readonly #input: MockServerInput
  readonly #server: Server
  readonly #recent = new RecentRequests()

  constructor(input: MockServerInput) {
    this.#input = input
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        // A bug in one response must not stop the server.
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
        response.end(`octavo mock: request failed: ${String(error)}\n`)
      })
    })
  }

  /** Starts to listen and resolves to the port; rejects if it is in use. */
  readonly listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, this.#input.host, () => {
        this.#server.off('error', reject)
        resolve((this.#server.address() as AddressInfo).port)
      })
    })

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { apis, host, now, onRequest } = this.#input
    if (!isAllowedHost(request.headers.host, host)) {
      response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' })
      response.end('octavo mock only accepts requests for the host name it was started with.\n')
      return
    }
    for (const [name, value] of corsHeaders(request)) response.setHeader(name, value)
    if (isPreflight(request)) {
      response.writeHead(204).end()
      return
    }
    const target = request.url ?? '/'
    if (pathOf(target) === REQUESTS_PATH) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`${JSON.stringify(this.#recent.list, null, 2)}\n`)
      return
    }
    const seen = await answerRequest(request, response, { apis, target, now })
    this.#recent.add(seen)
    onRequest(seen)
  }
}

/** Returns the headers that allow websites of this machine, such as `octavo dev`, to send requests. */
function corsHeaders({ headers }: IncomingMessage): readonly (readonly [string, string])[] {
  const { origin } = headers
  const host = origin === undefined ? undefined : URL.parse(origin)?.host
  if (origin === undefined || !isLocalHost(host)) return [['vary', 'Origin']]
  return [
    ['vary', 'Origin'],
    ['access-control-allow-origin', origin],
    ['access-control-allow-credentials', 'true'],
    ['access-control-allow-methods', headers['access-control-request-method'] ?? 'GET'],
    ['access-control-allow-headers', headers['access-control-request-headers'] ?? '*'],
    ['access-control-max-age', '600'],
  ]
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
