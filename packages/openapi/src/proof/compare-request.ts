/**
 * Compares a recorded request with the one that a generated sample shows. Only what the sample
 * decides must be equal: a client may order and encode it differently, and add headers of its own.
 */
import { FORM_MEDIA_TYPE, type PreparedRequest } from '../code-samples/prepare-request.ts'
import type { Pair } from '../code-samples/sample-request.ts'
import { decodePart, decodeQueryPart } from '../mock/decode-part.ts'
import { parseQuery } from '../mock/query-pairs.ts'
import { compareBody } from './compare-body.ts'
import { comparePairs, different } from './compare-pairs.ts'
import type { RecordedRequest, SampleProblem } from './recorded-request.ts'

export type Documented = {
  readonly request: PreparedRequest
  /** The names of the operation's header parameters and API keys. */
  readonly headers: readonly string[]
  /** A page in a browser cannot set the cookies of a request. */
  readonly isBrowser: boolean
  /** Returns the content of a file that the sample reads. */
  readonly contentOf: (fileName: string) => string
}

/** Headers that clients add on their own. */
const CLIENT_HEADERS = new Set(
  'accept accept-encoding accept-language connection content-length content-type cookie host transfer-encoding user-agent'.split(
    ' ',
  ),
)

export function compareRequest(
  recorded: RecordedRequest,
  documented: Documented,
): readonly SampleProblem[] {
  const { request } = documented
  const [path = '', query = ''] = splitTarget(request.url.replace(/^[a-z]+:\/\/[^/?#]*/i, ''))
  const [sentPath = '', sentQuery = ''] = splitTarget(recorded.target)
  return [
    ...(recorded.method === request.method
      ? []
      : [different('method', request.method, recorded.method)]),
    ...(normalizePath(path) === normalizePath(sentPath) ? [] : [different('path', path, sentPath)]),
    ...comparePairs('query', { documented: queryPairs(query), sent: queryPairs(sentQuery) }),
    ...compareHeaders(recorded, documented),
    ...(documented.isBrowser ? [] : compareCookies(recorded, documented)),
    ...compareBody(recorded, documented),
  ]
}

function splitTarget(target: string): readonly string[] {
  const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/s.exec(target) ?? []
  return [path, query]
}

/** Resolves dots as clients do, and decodes each segment. */
function normalizePath(path: string): string {
  const { pathname } = URL.parse(`http://localhost${path}`) ?? { pathname: path }
  return pathname.split('/').map(decodePart).join('/')
}

function queryPairs(query: string): readonly Pair[] {
  return parseQuery(query).map(({ name, written }) => [name, decodeQueryPart(written)])
}

function compareHeaders(
  { headers: sent }: RecordedRequest,
  { request, headers: names }: Documented,
): readonly SampleProblem[] {
  const shown = new Map(request.headers.map(([name, value]) => [name.toLowerCase(), value]))
  const wrong = [...shown].flatMap(([name, value]) => {
    const found = sent.get(name)
    const isEqual = name === 'content-type' ? isType(found, value) : found?.trim() === value.trim()
    return isEqual ? [] : [different(`header.${name}`, value, found)]
  })
  const other = names
    .map((name) => name.toLowerCase())
    .filter((name) => !shown.has(name) && !CLIENT_HEADERS.has(name) && sent.has(name))
    .map((name) => different(`header.${name}`, undefined, sent.get(name)))
  const type = typeOf(request)
  const isTyped = type === undefined || isType(sent.get('content-type'), type)
  return [
    ...wrong,
    ...other,
    ...(isTyped ? [] : [different('header.content-type', type, sent.get('content-type'))]),
  ]
}

function typeOf({ body, contentType }: PreparedRequest): string | undefined {
  if (body?.kind === 'form') return FORM_MEDIA_TYPE
  return body?.kind === 'multipart' ? 'multipart/form-data' : contentType
}

/** Checks the media type and the documented parameters. A client may add its own, such as `charset`. */
function isType(sent: string | undefined, documented: string): boolean {
  const [type, ...parameters] = partsOfType(documented)
  const [sentType, ...sentParameters] = partsOfType(sent ?? '')
  return type === sentType && parameters.every((one) => sentParameters.includes(one))
}

function partsOfType(written: string): readonly string[] {
  return written.split(';').map((part) => part.trim().toLowerCase().replaceAll('"', ''))
}

function compareCookies(
  { headers }: RecordedRequest,
  { request: { cookies } }: Documented,
): readonly SampleProblem[] {
  const sent = (headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair): Pair => {
      const [name = '', ...value] = pair.split('=')
      return [name, value.join('=')]
    })
  return comparePairs('cookie', { documented: cookies, sent })
}
