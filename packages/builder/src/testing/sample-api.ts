/** An API on loopback with everything that a playground meets, and its own specification. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

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
  /** `METHOD /path` of all that arrived, but for what browsers ask beforehand. */
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
      await pause(150)
    }
    response.end()
  }

  /** Its own description. */
  specification(): string {
    const ok = (schema: object, type = 'application/json') => ({
      200: { description: 'Good.', content: { [type]: { schema } } },
    })
    const plain = (security: readonly object[]) => ({
      security,
      responses: ok({ type: 'object', properties: { value: { type: 'string' } } }),
    })
    const flows = {
      authorizationUrl: `${this.origin}/authorize`,
      tokenUrl: `${this.origin}/token`,
      scopes: { read: 'Read.' },
    }
    const get = (operation: object) => ({ get: operation })
    return JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Sample', version: '1' },
      servers: [
        { url: `${this.origin}/v1`, description: 'First' },
        {
          url: `${this.origin}/{version}`,
          description: 'Second',
          variables: { version: { default: 'v2', enum: ['v2', 'v3'] } },
        },
      ],
      security: [],
      tags: [{ name: 'plants', 'x-group': 'Green things' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', 'x-default': 'sample-token' },
          basic: { type: 'http', scheme: 'basic' },
          header: { type: 'apiKey', in: 'header', name: 'X-Key', 'x-default': 'sample-key' },
          query: { type: 'apiKey', in: 'query', name: 'key' },
          cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
          code: { type: 'oauth2', flows: { authorizationCode: flows } },
          client: {
            type: 'oauth2',
            flows: { clientCredentials: { ...flows, authorizationUrl: undefined } },
          },
        },
        schemas: SCHEMAS,
      },
      paths: {
        '/plants': {
          get: {
            tags: ['plants'],
            summary: 'List plants',
            description: 'Lists **all** plants.\n\nMore about it.',
            parameters: [
              { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
              {
                name: 'limit',
                in: 'query',
                required: true,
                schema: { type: 'integer', minimum: 1, maximum: 100, 'x-default': 5 },
              },
              { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
            ],
            responses: ok({ type: 'object' }),
          },
          post: {
            tags: ['plants'],
            summary: 'Add a plant',
            requestBody: {
              required: true,
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/NewPlant' } },
              },
            },
            callbacks: {
              grown: {
                '{$request.body#/hook}': {
                  post: {
                    requestBody: {
                      content: {
                        'application/json': { schema: { $ref: '#/components/schemas/Plant' } },
                      },
                    },
                    responses: { 204: { description: 'Heard.' } },
                  },
                },
              },
            },
            responses: {
              201: {
                description: 'Added.',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Plant' } } },
              },
            },
          },
        },
        '/plants/{id}': get({
          tags: ['plants'],
          summary: 'Get a plant',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: ok({ $ref: '#/components/schemas/Plant' }),
        }),
        '/bearer': get({ summary: 'Bearer', ...plain([{ bearer: [] }]) }),
        '/basic': get({ summary: 'Basic', ...plain([{ basic: [] }, { bearer: [] }]) }),
        '/key-header': get({ summary: 'Key header', ...plain([{ header: [] }]) }),
        '/key-query': get({ summary: 'Key query', ...plain([{ query: [] }]) }),
        '/key-cookie': get({ summary: 'Key cookie', ...plain([{ cookie: [] }]) }),
        '/oauth-code': get({ summary: 'Oauth code', ...plain([{ code: ['read'] }]) }),
        '/oauth-client': get({ summary: 'Oauth client', ...plain([{ client: [] }]) }),
        '/form': {
          post: {
            summary: 'Form',
            requestBody: { content: { 'application/x-www-form-urlencoded': { schema: FORM } } },
            responses: ok({ type: 'object' }),
          },
        },
        '/upload': {
          post: {
            summary: 'Upload',
            requestBody: {
              content: {
                'multipart/form-data': {
                  schema: {
                    type: 'object',
                    properties: {
                      note: { type: 'string' },
                      file: { type: 'string', format: 'binary' },
                    },
                  },
                },
              },
            },
            responses: ok({ type: 'object' }),
          },
        },
        '/binary': {
          post: {
            summary: 'Binary',
            requestBody: { content: { 'application/octet-stream': {} } },
            responses: ok({ type: 'object' }),
          },
        },
        '/picture': get({ summary: 'Picture', responses: ok({}, 'image/png') }),
        '/archive': get({ summary: 'Archive', responses: ok({}, 'application/zip') }),
        '/events': get({
          summary: 'Events',
          parameters: [{ name: 'count', in: 'query', schema: { type: 'integer' } }],
          responses: ok({ type: 'object' }, 'text/event-stream'),
        }),
        '/lines': get({
          summary: 'Lines',
          responses: ok({ type: 'object' }, 'application/x-ndjson'),
        }),
        '/slow': get({ summary: 'Slow', responses: ok({ type: 'object' }) }),
        '/redirect': get({
          summary: 'Redirect',
          responses: ok({ $ref: '#/components/schemas/Plant' }),
        }),
        '/error': get({ summary: 'Error', responses: ok({ type: 'object' }) }),
        '/hidden': get({ summary: 'Hidden', 'x-hidden': true, responses: {} }),
        '/no-server': {
          get: { summary: 'No server', servers: [], responses: ok({ type: 'object' }) },
        },
        '/other-server': {
          get: {
            summary: 'Other server',
            servers: [{ url: `${this.origin}/v9` }],
            responses: ok({ type: 'object' }),
          },
        },
        '/quiet': get({
          summary: 'Quiet',
          'x-svc': { metadata: { playground: 'none' } },
          responses: {},
        }),
        '/for-some': get({
          summary: 'For some',
          'x-svc': { metadata: { playground: 'auth' } },
          responses: {},
        }),
        '/extended': get({
          summary: 'Extended',
          'x-svc': {
            href: '/moved/here',
            content: '<Note>Written above.</Note>\n\n## Before you start',
            metadata: {
              ...{ title: 'Another title', sidebarTitle: 'Short', description: 'About it.' },
              ...{ 'og:title': 'Shared title', groups: ['staff'], public: true },
            },
          },
          responses: ok({ $ref: '#/components/schemas/Pills' }),
        }),
      },
      webhooks: {
        grown: {
          post: {
            summary: 'A plant has grown',
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Plant' } } },
            },
            responses: { 204: { description: 'Heard.' } },
          },
        },
      },
    })
  }
}

const FORM = {
  type: 'object',
  properties: { name: { type: 'string' }, colors: { type: 'array', items: { type: 'string' } } },
}

const SCHEMAS = {
  Plant: {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string' },
      height: { type: 'number' },
      parent: { $ref: '#/components/schemas/Plant' },
      garden: { $ref: '#/components/schemas/Garden' },
    },
  },
  Garden: {
    type: 'object',
    properties: { owner: { $ref: '#/components/schemas/Owner' }, name: { type: 'string' } },
  },
  Owner: {
    type: 'object',
    properties: {
      email: { type: 'string' },
      friends: { type: 'array', items: { $ref: '#/components/schemas/Owner' } },
    },
  },
  NewPlant: {
    type: 'object',
    required: ['name', 'kind'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string', minLength: 2, 'x-default': 'Fern', default: 'Moss' },
      kind: {
        oneOf: [
          { type: 'object', title: 'Tree', properties: { rings: { type: 'integer' } } },
          {
            type: 'object',
            title: 'Flower',
            properties: { color: { type: 'string', enum: ['red', 'blue'] } },
          },
        ],
      },
      tags: { type: 'array', items: { type: 'string' } },
      isWild: { type: 'boolean' },
      secret: { type: 'string', writeOnly: true },
    },
  },
  Pills: {
    type: 'object',
    properties: {
      id: {
        type: 'string',
        readOnly: true,
        'x-stage': 'beta',
        'x-svc': { pre: ['before'], post: ['after'] },
      },
    },
  },
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
