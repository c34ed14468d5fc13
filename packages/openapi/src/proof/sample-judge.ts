/** Decides whether the requests of a sample are those that its operation documents. */
import { type PreparedRequest, prepareRequest } from '../code-samples/prepare-request.ts'
import type { SampleRequest } from '../code-samples/sample-request.ts'
import type { MockApi } from '../mock/mock-api.ts'
import type { Operation } from '../operations/list-operations.ts'
import { operationParameters } from '../operations/operation-parameters.ts'
import { compareRequest, type Documented } from './compare-request.ts'
import type { RecordedRequest, SampleProblem } from './recorded-request.ts'
import type { ServerUrls } from './server-urls.ts'

export type JudgedSample = Pick<Documented, 'isBrowser' | 'contentOf'> & {
  readonly api: MockApi
  readonly operation: Operation
  readonly servers: ServerUrls
  /** The request of a generated sample; undefined for code that an author wrote. */
  readonly request: SampleRequest | undefined
}

const NO_REQUEST: SampleProblem = {
  place: 'request',
  reason: 'The sample has sent no request to the documented server.',
  hint: 'Check that the sample runs to its end, and waits for the response.',
}

/** Checks the requests that a sample sent to `origin` instead of the documented server. */
export function judgeSample(
  sample: JudgedSample,
  { requests, origin }: { readonly requests: readonly RecordedRequest[]; readonly origin: string },
): readonly SampleProblem[] {
  const [first, ...others] = requests
  if (first === undefined) return [NO_REQUEST]
  const { request } = sample
  if (request === undefined) return judgeWritten(sample, requests)
  if (others.length > 0) {
    const reason = `The sample has sent ${requests.length} requests instead of one.`
    return [{ ...NO_REQUEST, reason, hint: 'Report this as a bug of Octavo.' }]
  }
  // A body can contain the URL of the server, too.
  const text = JSON.stringify(prepareRequest(request))
  const prepared: PreparedRequest = JSON.parse(sample.servers.replace(text, origin) ?? text)
  return compareRequest(first, { ...sample, request: prepared, headers: headerNames(sample) })
}

/** Returns the names of headers that only the documented request decides. */
function headerNames({ api: { specification }, operation }: JudgedSample): readonly string[] {
  return operationParameters(specification, operation)
    .filter(({ place }) => place === 'header')
    .map(({ name }) => name)
}

/**
 * Checks code that an author wrote, which may use other values than the documented example. Each of
 * its requests must fit an operation, and one of them must be this operation.
 */
function judgeWritten(
  { api, operation, servers }: JudgedSample,
  requests: readonly RecordedRequest[],
): readonly SampleProblem[] {
  const wanted = `${operation.method} ${operation.path}`
  let isOwn = false
  const problems = requests.flatMap((request): readonly SampleProblem[] => {
    const path = servers.below(request.target)?.replace(/\?.*$/s, '')
    const response = path === undefined ? undefined : api.answerAt(request, path)
    const found = response?.operation
    if (found?.path === operation.path && request.method === operation.method) isOwn = true
    if (response !== undefined) return response.problems
    const sent = `\`${request.method} ${request.target.slice(0, SHOWN_MAX)}\``
    const reason = `The sample has sent ${sent}, which no operation of the specification has.`
    return [{ place: 'request', reason, hint: `Send \`${wanted}\`, with the path of the server.` }]
  })
  if (isOwn || problems.length > 0) return problems
  const reason = `The sample has sent requests to other operations, but not \`${wanted}\`.`
  return [{ place: 'request', reason, hint: 'Correct the method and the URL of the sample.' }]
}

const SHOWN_MAX = 300
