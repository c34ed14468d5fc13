/** Answers requests as an API would that does exactly what its specification says. */
import type { Json } from '../document/spec-document.ts'
import { listOperations, type Operation } from '../operations/list-operations.ts'
import { type OperationParameter, operationParameters } from '../operations/operation-parameters.ts'
import { Sampler } from '../pages/sample-value.ts'
import type { Specification } from '../specification.ts'
import { checkCredentials, keysInQuery } from './check-credentials.ts'
import { checkRequest } from './check-request.ts'
import { chooseResponse } from './choose-response.ts'
import { decodePart } from './decode-part.ts'
import { MOCK_LIMITS } from './mock-limits.ts'
import type { MockProblem, MockRequest, MockResponse } from './mock-messages.ts'
import { type FoundRoute, PathRouter } from './path-router.ts'
import { readPreferences } from './preferences.ts'
import { parseQuery } from './query-pairs.ts'
import { ParameterReader, type ParameterSource } from './read-parameter.ts'
import { responseContent, responseHeaders } from './response-content.ts'
import { serverPaths } from './server-paths.ts'

export class MockApi {
  readonly specification: Specification
  /** The operations of the specification, without webhooks. */
  readonly operations: readonly Operation[]
  /** The paths of the servers, such as `/v1`, under which the operations are served too. */
  readonly basePaths: readonly string[]
  readonly #router: PathRouter
  readonly #parameters: ParameterReader
  readonly #sampler: Sampler
  readonly #otherNames: readonly string[]

  constructor(specification: Specification) {
    this.specification = specification
    this.operations = listOperations(specification).filter(({ kind }) => kind === 'operation')
    this.basePaths = serverPaths(specification, this.operations)
    this.#router = new PathRouter(this.operations)
    this.#parameters = new ParameterReader(specification)
    this.#sampler = new Sampler(specification)
    this.#otherNames = keysInQuery(specification)
  }

  /**
   * Returns the response to a request; undefined if the specification does not have its path, or
   * not its method if another specification can still have it.
   */
  answer(request: MockRequest, needsMethod: boolean): MockResponse | undefined {
    const path = request.target.replace(/\?.*$/s, '')
    let others: readonly FoundRoute[] = []
    for (const base of [...this.basePaths, '']) {
      if (base !== '' && path !== base && !path.startsWith(`${base}/`)) continue
      const found = this.#router.find(path.slice(base.length) || '/', request.method)
      const hasMethod = found.some(({ route }) => route.operations.has(request.method))
      if (hasMethod) return this.#answerBest(request, found)
      if (others.length === 0) others = found
    }
    return needsMethod ? undefined : this.#answerBest(request, others)
  }

  /**
   * Returns the response to a request, whose path is given without that of its server; undefined if
   * no operation has the path and the method.
   */
  answerAt(request: MockRequest, path: string): MockResponse | undefined {
    const found = this.#router.find(path, request.method)
    const hasMethod = found.some(({ route }) => route.operations.has(request.method))
    return hasMethod ? this.#answerBest(request, found) : undefined
  }

  /** Answers with the first of several equal routes that accepts the request. */
  #answerBest(request: MockRequest, routes: readonly FoundRoute[]): MockResponse | undefined {
    let refused: MockResponse | undefined
    for (const route of routes) {
      const response = this.#answer(request, route)
      if (response.problems.length === 0) return response
      refused ??= response
    }
    return refused
  }

  /** Returns the template that the caller probably meant. */
  nearest(path: string): string | undefined {
    const base = this.basePaths.find((one) => path.startsWith(`${one}/`)) ?? ''
    return this.#router.nearest(path.slice(base.length))
  }

  #answer(request: MockRequest, { route, values }: FoundRoute): MockResponse {
    const { method } = request
    // A server answers HEAD as it does GET, without the body.
    const operation =
      route.operations.get(method) ?? (method === 'HEAD' ? route.operations.get('GET') : undefined)
    if (operation === undefined)
      return wrongMethod(request, route.template, [...route.operations.keys()])
    const { specification } = this
    const parameters = operationParameters(specification, operation)
    const source = sourceOf(request, { path: values, parameters })
    const credentials = checkCredentials(specification, operation, source)
    if (credentials.length > 0) {
      return refuse(401, 'The request has no credentials.', { operation, problems: credentials })
    }
    const otherNames = this.#otherNames
    const checked = { specification, operation, parameters, request, source, otherNames }
    const problems = checkRequest(this.#parameters, checked)
    if (problems.length > 0) {
      const status = statusOf(problems, this.#documents(operation, '422'))
      const title = 'The request does not fit the operation.'
      return refuse(status, title, { operation, problems })
    }
    return this.#respond(operation, request)
  }

  #respond(operation: Operation, request: MockRequest): MockResponse {
    const { specification } = this
    const { code, example } = readPreferences(request.headers.get('prefer'))
    const chosen = chooseResponse(specification, operation, code)
    if ('reason' in chosen) {
      return refuse(400, 'The preferred response does not exist.', {
        operation,
        problems: [chosen],
      })
    }
    const parts = { specification, sampler: this.#sampler }
    const accept = request.headers.get('accept') ?? ''
    const content = responseContent(parts, chosen.node, { accept, example })
    if ('reason' in content) {
      const status = content.code === 'not-acceptable' ? 406 : 400
      const title = 'The preferred response does not exist.'
      return refuse(status, title, { operation, problems: [content] })
    }
    const type = content.type === undefined ? [] : [['Content-Type', content.type] as const]
    return {
      status: chosen.status,
      headers: [...responseHeaders(parts, chosen.node), ...type],
      body: request.method === 'HEAD' ? [] : content.body,
      operation,
      problems: [],
    }
  }

  #documents({ node }: Operation, status: string): boolean {
    const { document } = this.specification
    return document.field(document.field(node, 'responses'), status) !== undefined
  }
}

/** Refuses a request whose path no specification has. */
export function unknownPath(path: string, nearest: string | undefined): MockResponse {
  const shown = path.slice(0, 200)
  const problem: MockProblem = {
    code: 'unknown-path',
    place: 'path',
    reason: `No operation has the path \`${shown}\`.`,
    hint:
      nearest === undefined
        ? 'Check the path, or add it to `paths`.'
        : `The nearest path is \`${nearest}\`.`,
  }
  return refuse(404, 'The path does not exist.', { operation: undefined, problems: [problem] })
}

function wrongMethod(
  { method }: MockRequest,
  template: string,
  methods: readonly string[],
): MockResponse {
  const problem: MockProblem = {
    code: 'unknown-method',
    place: 'method',
    reason: `The path \`${template}\` has no operation for ${method.slice(0, 20)}.`,
    hint: `Use ${methods.join(' or ')}.`,
  }
  const refused = refuse(405, 'The method is not allowed.', {
    operation: undefined,
    problems: [problem],
  })
  return { ...refused, headers: [...refused.headers, ['Allow', methods.join(', ')]] }
}

type Refused = Pick<MockResponse, 'operation' | 'problems'>

/** Returns a problem (RFC 9457) that lists every reason. */
export function refuse(
  status: number,
  title: string,
  { operation, problems }: Refused,
): MockResponse {
  const listed = problems.slice(0, MOCK_LIMITS.problemsMax)
  const body: Json = {
    title,
    status,
    detail: listed[0]?.reason ?? title,
    ...(operation === undefined ? {} : { operation: `${operation.method} ${operation.path}` }),
    problems: listed,
  }
  const authenticate = status === 401 ? [['WWW-Authenticate', 'Bearer'] as const] : []
  return {
    status,
    headers: [['Content-Type', 'application/problem+json'], ...authenticate],
    body: [`${JSON.stringify(body, null, 2)}\n`],
    operation,
    problems: listed,
  }
}

/** Wrong values have the status 422 where the operation documents it, and 400 elsewhere. */
function statusOf(problems: readonly MockProblem[], documents422: boolean): number {
  const has = (code: MockProblem['code']) => problems.some((problem) => problem.code === code)
  if (has('unsupported-media-type')) return 415
  return documents422 && !has('malformed-body') ? 422 : 400
}

function sourceOf(
  { target, headers }: MockRequest,
  {
    path,
    parameters,
  }: {
    readonly path: ReadonlyMap<string, string>
    readonly parameters: readonly OperationParameter[]
  },
): ParameterSource {
  const [, query = ''] = /\?(.*)$/s.exec(target) ?? []
  const cookies = (headers.get('cookie') ?? '').split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=')
    return value.length === 0 ? [] : [[decodePart(name.trim()), value.join('=').trim()] as const]
  })
  const inQuery = parameters.filter(({ place }) => place === 'query').map(({ name }) => name)
  const queryNames = new Set(inQuery)
  return { path, query: parseQuery(query), queryNames, headers, cookies: new Map(cookies) }
}
