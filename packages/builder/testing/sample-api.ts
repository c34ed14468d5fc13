/** A local API that does everything that a playground must handle. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sampleSpecification } from './sample-specification.ts'

type Route = (
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
) => void | Promise<void>

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export class SampleApi implements AsyncDisposable {
  readonly #server: Server
  readonly origin: string
  /** All requests except preflight requests, in the form `METHOD /path`. */
  readonly requests: string[] = []
  #challenge = ''

  private constructor(server: Server) {
    this.#server = server
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(): Promise<SampleApi> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const api = new SampleApi(server)
    server.on('request', (request, response) => void api.#answer(request, response))
    return api
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = request.headers.origin ?? '*'
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-allow-credentials', 'true')
    response.setHeader('access-control-expose-headers', '*, x-request-id')
    response.setHeader(
      'access-control-allow-headers',
      'authorization, content-type, x-key, x-trace',
    )
    response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
    response.setHeader('x-request-id', 'r-1')
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname } = new URL(request.url ?? '/', this.origin)
    this.requests.push(`${request.method} ${request.url}`)
    const route =
      this.#routes[`${request.method} ${pathname.replace(/^\/v\d/, '').replace(/\/\d+$/, '/{id}')}`]
    if (route === undefined) json(response, 404, { message: 'Nothing here.' })
    else await route(request, response, Buffer.concat(chunks))
  }

  readonly #routes: Readonly<Record<string, Route>> = {
    'GET /plants/{id}': (request, response) =>
      json(response, 200, {
        id: Number(request.url?.match(/(\d+)/g)?.at(-1)),
        name: 'Fern',
        height: 'tall',
      }),
    'GET /plants': (request, response) => json(response, 200, { url: request.url }),
    'POST /plants': (_, response, body) => json(response, 201, JSON.parse(body.toString())),
    'GET /bearer': (request, response) => echo(request, response, 'authorization'),
    'GET /basic': (request, response) => echo(request, response, 'authorization'),
    'GET /key-header': (request, response) => echo(request, response, 'x-key'),
    'GET /key-query': (request, response) => json(response, 200, { url: request.url }),
    'GET /key-cookie': (request, response) => echo(request, response, 'cookie'),
    'GET /oauth-code': (request, response) => echo(request, response, 'authorization'),
    'GET /oauth-client': (request, response) => echo(request, response, 'authorization'),
    'POST /form': (request, response, body) =>
      json(response, 200, { type: request.headers['content-type'], text: body.toString() }),
    'POST /upload': (request, response, body) =>
      json(response, 200, { type: request.headers['content-type'], text: body.toString() }),
    'POST /binary': (_, response, body) => json(response, 200, { length: body.length }),
    'GET /picture': (_, response) => {
      response.setHeader('content-type', 'image/png')
      response.end(PIXEL)
    },
    'GET /archive': (_, response) => {
      response.setHeader('content-type', 'application/zip')
      response.end(PIXEL)
    },
    'GET /events': (request, response) => this.#events(request, response),
    'GET /lines': async (_, response) => {
      response.setHeader('content-type', 'application/x-ndjson')
      for (const number of [1, 2, 3]) {
        response.write(`${JSON.stringify({ number })}\n`)
        await pause(150)
      }
      response.end()
    },
    'GET /slow': async (_, response) => {
      await pause(3_000)
      json(response, 200, { slow: true })
    },
    'GET /redirect': (_, response) => {
      response.writeHead(302, { location: '/plants/7' }).end()
    },
    'GET /error': (_, response) => json(response, 500, { message: 'It broke.' }),
    'GET /authorize': (request, response) => {
      const query = new URL(request.url ?? '/', this.origin).searchParams
      this.#challenge = query.get('code_challenge') ?? ''
      const target = new URL(query.get('redirect_uri') ?? this.origin)
      target.searchParams.set('code', 'code-1')
      target.searchParams.set('state', query.get('state') ?? '')
      response.writeHead(302, { location: target.href }).end()
    },
    'POST /token': async (_, response, body) => {
      const fields = new URLSearchParams(body.toString())
      if (fields.get('grant_type') === 'client_credentials') {
        const isRight = fields.get('client_secret') === 'secret-1'
        json(
          response,
          isRight ? 200 : 401,
          isRight ? { access_token: 'client-token' } : { error: 'invalid_client' },
        )
        return
      }
      const verifier = new TextEncoder().encode(fields.get('code_verifier') ?? '')
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', verifier)).toString(
        'base64url',
      )
      const isRight = digest === this.#challenge && fields.get('code') === 'code-1'
      json(
        response,
        isRight ? 200 : 400,
        isRight ? { access_token: 'code-token' } : { error: 'invalid_grant' },
      )
    },
  }

  async #events(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const count = Number(new URL(request.url ?? '/', this.origin).searchParams.get('count') ?? 3)
    response.setHeader('content-type', 'text/event-stream')
    for (let number = 1; number <= count && !response.destroyed; number += 1) {
      response.write(`event: step\ndata: {"number":${number}}\n\n`)
      // Long enough for even a busy machine to notice that the stream has not ended.
      await pause(1_000)
    }
    response.end()
  }

  /** Returns the specification of this API. */
  specification(): string {
    return sampleSpecification(this.origin)
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.statusCode = status
  response.end(JSON.stringify(value))
}

function echo(request: IncomingMessage, response: ServerResponse, header: string): void {
  json(response, 200, { value: request.headers[header] ?? '' })
}

function pause(timeMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeMs))
}
