/**
 * Returns the specification of the sample API, with every kind of credential, parameter, body and
 * response.
 */
export function sampleSpecification(origin: string): string {
  const ok = (schema: object, type = 'application/json') => ({
    200: { description: 'Good.', content: { [type]: { schema } } },
  })
  const plain = (security: readonly object[]) => ({
    security,
    responses: ok({ type: 'object', properties: { value: { type: 'string' } } }),
  })
  const flows = {
    authorizationUrl: `${origin}/authorize`,
    tokenUrl: `${origin}/token`,
    scopes: { read: 'Read.' },
  }
  const get = (operation: object) => ({ get: operation })
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Sample', version: '1' },
    servers: [
      { url: `${origin}/v1`, description: 'First' },
      {
        url: `${origin}/{version}`,
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
      '/plants/all': {
        put: {
          tags: ['plants'],
          summary: 'Replace plants',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: LONG_BODY } },
          },
          responses: {},
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
                  required: ['file'],
                  properties: {
                    file: { type: 'string', format: 'binary' },
                    note: { type: 'string' },
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
        responses: ok({ type: 'string' }, 'text/event-stream'),
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
          servers: [{ url: `${origin}/v9` }],
          responses: ok({ type: 'object' }),
        },
      },
      '/tenant-server': {
        get: {
          summary: 'Tenant server',
          servers: [
            {
              url: `http://{tenant}.localhost:${new URL(origin).port}/v9`,
              variables: { tenant: { default: 'api' } },
            },
          ],
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
            title: 'Another title',
            sidebarTitle: 'Short',
            description: 'About it.',
            'og:title': 'Shared title',
            groups: ['staff'],
            public: true,
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

const FORM = {
  type: 'object',
  properties: { name: { type: 'string' }, colors: { type: 'array', items: { type: 'string' } } },
}

/** A body with many fields. The last field is far down, and it contains a required field. */
const LONG_BODY = {
  type: 'object',
  properties: {
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`field${index}`, { type: 'string' }]),
    ),
    last: {
      type: 'object',
      'x-default': {},
      required: ['inner'],
      properties: { inner: { type: 'string' } },
    },
  },
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
      parent: { $ref: '#/components/schemas/NewPlant' },
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
