import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Hono } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { openApiDocument } from '../../platform/http/openapi-document.ts'
import type { Frame, Route } from '../../platform/http/route.ts'
import type { AppBindings } from '../../platform/http/server.ts'
import { asProblem, PROBLEMS, Problem, problemBody } from '../../platform/problem.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import type { Web } from '../web/web.ts'

export type AppDeps = {
  readonly routes: readonly Route[]
  /** The dashboard and sign-in; undefined if the service's own URL is not set. */
  readonly web: Web | undefined
  readonly frame: Frame
  readonly log: Log
  readonly metrics: Metrics
}

/**
 * Matches paths of the API and of problem types. They never serve the sign-in page, which a program
 * could mistake for a response from the API.
 */
const API_PATHS = /^\/(?:v\d+|problems)\//i

const compress = promisify(gzip)
/** The minimum size for compression, which does not make smaller responses any smaller. */
const GZIP_BYTES_MIN = 1_024

/**
 * Creates the app with all routes. Every response gets a request id and a log line, and errors
 * become problems.
 */
export function createApp(deps: AppDeps): Hono<AppBindings> {
  const app = new Hono<AppBindings>({ getPath: (request) => new URL(request.url).pathname })
  const document = JSON.stringify(openApiDocument(deps.routes))

  app.get(
    '/v1/openapi.json',
    () => new Response(document, { headers: { 'content-type': 'application/json' } }),
  )

  const methods = new Map<string, string[]>()
  for (const route of deps.routes) {
    methods.set(route.path, [...(methods.get(route.path) ?? []), route.method])
    app.on(route.method, route.path, (context) =>
      answer(deps, context.req.raw, route.path, (requestId) =>
        route.run(deps.frame, {
          requestId,
          request: context.req.raw,
          params: context.req.param() as Record<string, string>,
          clientAddress: context.env?.clientAddress,
          click: context.env?.click,
        }),
      ),
    )
  }
  for (const [path, allowed] of methods) {
    app.all(path, (context) =>
      answer(deps, context.req.raw, path, () => refuseMethod(context.req.method, allowed)),
    )
  }
  // Metrics count all pages as one route, since a histogram per page would double the metrics.
  for (const { method, path, handle } of deps.web?.routes ?? []) {
    app.on(method, path, ({ req, env }, next) => {
      const webRequest = {
        request: req.raw,
        params: req.param(),
        clientAddress: env?.clientAddress,
      }
      return API_PATHS.test(req.path)
        ? next()
        : answer(deps, req.raw, '*', () => handle(webRequest))
    })
  }
  app.all('*', (context) =>
    answer(deps, context.req.raw, '*', () => {
      throw new Problem('not-found', 'This URL does not exist.')
    }),
  )
  return app
}

/**
 * Responds to `OPTIONS` with the allowed methods, and rejects others. There are no CORS headers,
 * since API keys do not belong in browsers.
 */
function refuseMethod(method: string, allowed: readonly string[]): Promise<Response> {
  const allow = [...(allowed.includes('GET') ? ['HEAD'] : []), ...allowed, 'OPTIONS'].join(', ')
  if (method === 'OPTIONS')
    return Promise.resolve(new Response(null, { status: 204, headers: { allow } }))
  throw new Problem('method-not-allowed', `Allowed methods: ${allow}.`, { headers: { allow } })
}

async function answer(
  deps: AppDeps,
  request: Request,
  route: string,
  work: (requestId: string) => Promise<Response>,
): Promise<Response> {
  const requestId = randomUUID()
  const started = performance.now()
  let response: Response
  try {
    response = await compressed(request, await work(requestId))
  } catch (error) {
    const problem = asProblem(error)
    if (problem.code === 'internal')
      deps.log.error('unexpected error', { requestId, route, error: problem.cause })
    if (problem.code === 'unavailable' && problem.cause !== undefined)
      deps.log.error('unavailable', {
        requestId,
        route,
        detail: problem.message,
        error: problem.cause,
      })
    response = problemResponse(problem, requestId)
  }
  response.headers.set('x-request-id', requestId)
  if (!response.headers.has('cache-control'))
    response.headers.set('cache-control', 'private, no-store')
  response.headers.set('x-content-type-options', 'nosniff')
  const ms = performance.now() - started
  deps.metrics.observe({ method: request.method, route, status: response.status, ms, requestId })
  deps.log.info('request', {
    requestId,
    method: request.method,
    route,
    status: response.status,
    ms: Math.round(ms),
  })
  return response
}

function problemResponse(problem: Problem, requestId: string): Response {
  return new Response(JSON.stringify(problemBody(problem, requestId)), {
    status: PROBLEMS[problem.code].status,
    headers: { 'content-type': 'application/problem+json', ...problem.headers },
  })
}

/**
 * Compresses a JSON response for a client that accepts gzip; streams stay as they are. Level 1
 * takes a third of the time of level 6, which Hono's middleware uses: 20 ms for 1 MB instead of 61.
 */
async function compressed(request: Request, response: Response): Promise<Response> {
  const accepted = parseAccept(request.headers.get('accept-encoding') ?? '')
  const isJson = response.headers.get('content-type') === 'application/json'
  if (!isJson || !accepted.some(({ type, q }) => type.toLowerCase() === 'gzip' && q > 0))
    return response
  const bytes = await response.arrayBuffer()
  if (bytes.byteLength < GZIP_BYTES_MIN) return new Response(bytes, response)
  const zipped = await compress(new Uint8Array(bytes), { level: 1 })
  const headers = new Headers(response.headers)
  headers.set('content-encoding', 'gzip')
  headers.set('vary', 'accept-encoding')
  return new Response(new Uint8Array(zipped), { status: response.status, headers })
}
