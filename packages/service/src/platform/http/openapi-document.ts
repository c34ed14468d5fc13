import { ProblemReply } from '@octavo/contract'
import { z } from 'zod'
import { PROBLEMS } from '../problem.ts'
import { type Route, rejectsArchived } from './route.ts'

/** The statuses of problems that any route may return. */
const COMMON = [400, 401, 403, 404, 405, 406, 414, 421, 429, 431, 500, 503]

/** Generates the OpenAPI 3.1 document of the service from its routes. */
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
        description: 'URL of your service.',
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
      responses: problemResponses(),
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
          [route.status ?? 200]: {
            description:
              others.length === 0
                ? 'The result.'
                : 'The result, in the format requested with `Accept`.',
            content: {
              [format]: reply,
              ...Object.fromEntries(others.map((other) => [other, { schema: { type: 'string' } }])),
            },
          },
        }
  const hasBody = route.body !== undefined || route.stream !== undefined
  const problems = [
    ...(route.problems ?? []),
    ...(rejectsArchived(route) ? ['archived' as const] : []),
  ]
  const own = problems.map((code) => PROBLEMS[code].status)
  const statuses = [...new Set([...COMMON, ...(hasBody ? [409, 413] : []), ...own])].sort(
    (a, b) => a - b,
  )
  return {
    operationId: route.summary.toLowerCase().replaceAll(' ', '-'),
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    ...('scope' in route.caller ? { 'x-scope': route.caller.scope } : { security: [] }),
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...requestBody(route),
    responses: {
      ...success,
      ...Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
      ),
    },
  }
}

function requestBody({ body, stream, fromLines }: Route): object {
  if (stream !== undefined)
    return { requestBody: { required: true, content: { [stream.type]: {} } } }
  if (body === undefined) return {}
  const content = {
    'application/json': { schema: jsonSchema(body, 'input') },
    ...(fromLines && { 'application/x-ndjson': {} }),
  }
  return { requestBody: { required: true, content } }
}

/**
 * Returns one shared description for each problem status, because nearly all routes return the same
 * problems.
 */
function problemResponses(): object {
  const schema = { $ref: '#/components/schemas/Problem' }
  const content = { 'application/problem+json': { schema } }
  const titles = new Map<number, string>()
  for (const { status, title } of Object.values(PROBLEMS))
    if (!titles.has(status)) titles.set(status, title)
  return Object.fromEntries(
    [...titles].map(([status, title]) => [
      `Problem${status}`,
      { description: `${title}.`, content },
    ]),
  )
}

function parametersOf(schema: z.ZodObject, place: 'path' | 'query'): readonly object[] {
  return Object.entries(schema.shape).map(([name, one]) => {
    const { description, ...rest } = jsonSchema(one, 'input') as Record<string, unknown>
    // Zod omits `default` and `examples` of transformed values, because they belong to the output
    // type.
    const { default: fallback, examples } = (one as z.ZodType).meta() ?? {}
    return {
      name,
      in: place,
      required: place === 'path' || !(one as z.ZodType).safeParse(undefined).success,
      ...(description ? { description } : {}),
      schema: {
        ...rest,
        ...(fallback === undefined ? {} : { default: fallback }),
        ...(examples === undefined ? {} : { examples }),
      },
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
