/** Builds a request from the reader's input, for code samples and for sending. */
import {
  type BodyData,
  formFields,
  type Json,
  type MediaData,
  type Pair,
  type ParameterData,
  printQuery,
  type SampleBody,
  type SamplePart,
  type SampleRequest,
  type SchemaData,
  type SecuritySchemeData,
  serversOf,
} from '@octavo/openapi/browser'
import { isList } from './check-value.ts'
import {
  type Credential,
  chosenSchemes,
  isJson,
  keyOf,
  type Operation,
  type RequestState,
} from './request-state.ts'
import { printPlain, serializeParameter, serializePath } from './serialize-parameter.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/**
 * The purpose of a request. In a code sample, missing values become placeholders (`<token>`); a
 * request that is sent omits them.
 */
export type Purpose = 'code' | 'send'

export function buildRequest(
  operation: Operation,
  state: RequestState,
  purpose: Purpose,
): SampleRequest {
  const { page } = operation
  const credentials = credentialPairs(operation, state, purpose)
  const pairs = (place: string) => pairsOf(place, operation, state)
  const query = [...queryPairs(operation, state), ...credentials.query]
  const body = buildBody(operation, state)
  return {
    method: page.method,
    url: `${serverUrl(operation, state)}${filledPath(operation, state)}${printQuery(query, purpose)}`,
    headers: [...credentials.headers, ...contentType(body), ...pairs('header')],
    cookies: [...credentials.cookies, ...pairs('cookie')],
    ...(body === undefined ? {} : { body }),
  }
}

function pairsOf(place: string, { parameters }: Operation, state: RequestState): readonly Pair[] {
  return parameters.flatMap((parameter) => {
    const value = parameter.in === place ? state.parameters.get(keyOf(parameter)) : undefined
    return value === undefined ? [] : serializeParameter(parameter, value)
  })
}

/** Returns the query without credentials. */
export function queryPairs(operation: Operation, state: RequestState): readonly Pair[] {
  return [...pairsOf('query', operation, state), ...state.otherQuery]
}

/** Returns an absolute URL, even if the specification only has a path. */
export function serverUrl({ page, library }: Operation, state: RequestState): string {
  const server = serversOf(page, library.context)[state.server]
  if (server === undefined) return ''
  const filled = server.url.replaceAll(
    /\{([^{}]+)\}/g,
    (all, name: string) => state.variables.get(name) ?? all,
  )
  const whole = filled.startsWith('/') ? `${location.origin}${filled}` : filled
  return whole.replace(/\/$/, '')
}

export function filledPath({ page, parameters }: Operation, state: RequestState): string {
  return page.path.replaceAll(/\{([^{}]+)\}/g, (all, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    return (parameter && pathText(parameter, state)) || all
  })
}

/**
 * Returns path parameters that have no value. As long as one is missing, the request has no URL.
 */
export function missingInPath(
  { page, parameters }: Operation,
  state: RequestState,
): readonly ParameterData[] {
  return parameters.filter(
    (one) =>
      one.in === 'path' && page.path.includes(`{${one.name}}`) && pathText(one, state) === '',
  )
}

function pathText(parameter: ParameterData, state: RequestState): string {
  const value = state.parameters.get(keyOf(parameter))
  const isEmpty = value === undefined || value === '' || (isList(value) && value.length === 0)
  return isEmpty ? '' : serializePath(parameter, value)
}

function credentialPairs(operation: Operation, state: RequestState, purpose: Purpose) {
  const headers: Pair[] = []
  const query: Pair[] = []
  const cookies: Pair[] = []
  const orName = (value: string, name: string) => value || (purpose === 'code' ? name : '')
  for (const { scheme } of chosenSchemes(operation, state)) {
    const credential = state.credentials.get(scheme.name)
    if (scheme.type === 'apiKey') {
      const key = orName(credential?.value ?? '', '<api-key>')
      const place = scheme.in === 'query' ? query : scheme.in === 'cookie' ? cookies : headers
      if (key !== '') place.push([scheme.key ?? scheme.name, key])
    } else if (scheme.type !== 'mutualTLS') {
      const [word, secret] = authorization(scheme, credential, orName)
      if (secret !== '') headers.push(['Authorization', `${word} ${secret}`])
    }
  }
  return { headers, query, cookies }
}

function authorization(
  { type, scheme = 'bearer' }: SecuritySchemeData,
  credential: Credential | undefined,
  orName: (value: string, name: string) => string,
): readonly [word: string, secret: string] {
  const { value = '', username = '', password = '' } = credential ?? {}
  if (type !== 'http' || scheme === 'bearer') return ['Bearer', orName(value, '<token>')]
  if (scheme !== 'basic') return [scheme, orName(value, '<credentials>')]
  const isFilled = username !== '' || password !== ''
  return ['Basic', orName(isFilled ? base64(`${username}:${password}`) : '', '<encoded-value>')]
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

function buildBody(operation: Operation, state: RequestState): SampleBody | undefined {
  const media = chosenMedia(operation.body, state)
  if (media === undefined) return undefined
  const { type } = media
  const { body } = state
  if (isJson(type))
    return body === undefined ? undefined : { kind: 'json', mediaType: type, value: body }
  if (type === FORM_TYPE) {
    return { kind: 'form', fields: fieldsOf(body).flatMap((field) => formFields(field, media)) }
  }
  if (type.startsWith('multipart/')) {
    return { kind: 'multipart', parts: multipart(media, operation, state) }
  }
  const [file] = state.files.get('') ?? []
  if (typeof body === 'string') return { kind: 'text', mediaType: type, text: body }
  if (file !== undefined || isBinary(type)) {
    return { kind: 'file', mediaType: type, fileName: file?.name ?? 'file' }
  }
  return body === undefined
    ? undefined
    : { kind: 'text', mediaType: type, text: JSON.stringify(body) }
}

export function chosenMedia(
  body: BodyData | undefined,
  { mediaType }: RequestState,
): MediaData | undefined {
  return body?.content.find(({ type }) => type === mediaType)
}

/** Checks whether the body is a file rather than text. */
export function isBinary(type: string): boolean {
  return !/^text\/|json|xml|yaml|csv|form-urlencoded|^multipart\//i.test(type)
}

/** Checks whether a property is uploaded as a file. */
export function isFile(
  schema: SchemaData | undefined,
  merged: Operation['library']['merged'],
): boolean {
  if (schema === undefined) return false
  const { format, rules, types, items } = merged(schema)
  if (format === 'binary' || rules?.some(([keyword]) => keyword === 'contentMediaType')) return true
  return types?.includes('array') === true && isFile(items, merged)
}

/**
 * Returns the parts of a multipart body in the order of the specification, which some servers
 * require.
 */
function multipart(
  { schema }: MediaData,
  { library }: Operation,
  state: RequestState,
): readonly SamplePart[] {
  const values = new Map(fieldsOf(state.body))
  const described = schema === undefined ? [] : (library.merged(schema).properties ?? [])
  const names = new Set([
    ...described.map(({ name }) => name),
    ...values.keys(),
    ...state.files.keys(),
  ])
  names.delete('')
  return [...names].flatMap((name): SamplePart[] => {
    const value = values.get(name)
    const list = value === undefined ? [] : isList(value) ? value : [value]
    const files = state.files.get(name) ?? []
    return [
      ...list.map((one) => ({ name, value: printPlain(one) })),
      ...files.map((file) => ({ name, fileName: file.name })),
    ]
  })
}

function fieldsOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  const isFields = typeof value === 'object' && value !== null && !isList(value)
  return isFields ? Object.entries(value) : []
}

function contentType(body: SampleBody | undefined): readonly Pair[] {
  if (body === undefined || body.kind === 'multipart') return []
  return [['Content-Type', body.kind === 'form' ? FORM_TYPE : body.mediaType]]
}
