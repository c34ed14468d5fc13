import { z } from 'zod'
import { ProblemReply } from '../contract.ts'
import { PROBLEMS } from './problem.ts'
import type { Route } from './route.ts'

/** Problems that any route may answer with. */
const COMMON = [400, 401, 403, 404, 405, 406, 414, 429, 431, 500, 503]

const PATH_PARAMETERS: Readonly<Record<string, object>> = {
  projectId: {
    description: 'The project of the key.',
    schema: { type: 'string', examples: ['prj_5kbu4k41mpelzrqs'] },
  },
  conversationId: {
    description: 'The id of a conversation, a ULID.',
    schema: { type: 'string', examples: ['01KG9YS7G0CPZHN1J3EKWGC1Y1'] },
  },
}

/** The OpenAPI 3.1 document of the service, made from the routes themselves. */
export function openApiDocument(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Octavo service',
      version: '1',
      description: 'Server-side API: keep the admin key out of browsers.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: 'https://{host}',
        description: 'Where your service runs.',
        variables: { host: { default: 'octavo.example.com' } },
      },
    ],
    security: [{ adminKey: [] }],
    paths,
    components: {
      securitySchemes: {
        adminKey: { type: 'http', scheme: 'bearer', description: 'Admin API key, `octavo_adm_…`.' },
      },
      schemas: { Problem: jsonSchema(ProblemReply, 'output') },
    },
  }
}

function operation(route: Route): object {
  const [format = 'application/json', ...others] = route.formats
  const reply =
    route.reply === undefined ? undefined : { schema: jsonSchema(route.reply, 'output') }
  const success =
    reply === undefined
      ? { 204: { description: 'Done.' } }
      : {
          200: {
            description:
              others.length === 0
                ? 'The result.'
                : 'The result, in the format that `Accept` asks for.',
            content: {
              [format]: reply,
              ...Object.fromEntries(others.map((other) => [other, { schema: { type: 'string' } }])),
            },
          },
        }
  const statuses = [...COMMON, ...(route.body === undefined ? [] : [409, 413])].sort(
    (a, b) => a - b,
  )
  return {
    operationId: route.summary.toLowerCase().replaceAll(' ', '-'),
    summary: route.summary,
    description: route.description,
    tags: ['Analytics'],
    'x-scope': route.scope,
    parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(route.body, 'input') } },
          },
        }),
    responses: {
      ...success,
      ...Object.fromEntries(statuses.map((status) => [status, problemReference(status)])),
    },
  }
}

function problemReference(status: number): object {
  const title =
    Object.values(PROBLEMS).find((problem) => problem.status === status)?.title ?? 'Problem'
  const schema = { $ref: '#/components/schemas/Problem' }
  return { description: `${title}.`, content: { 'application/problem+json': { schema } } }
}

function pathParameters(path: string): readonly object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...PATH_PARAMETERS[name],
  }))
}

function queryParameters(query: z.ZodObject): readonly object[] {
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = jsonSchema(schema, 'input') as Record<string, unknown>
    return {
      name,
      in: 'query',
      required: false,
      ...(description ? { description } : {}),
      schema: rest,
    }
  })
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<
    string,
    unknown
  >
  return rest
}
