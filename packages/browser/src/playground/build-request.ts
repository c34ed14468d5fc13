/** What was filled in → one request, for code and for the browser alike. */
import {
  type BodyData,
  formFields,
  type Json,
  type MediaData,
  type Pair,
  type SampleBody,
  type SamplePart,
  type SampleRequest,
  type SchemaData,
  serversOf,
} from '@octavo/openapi/browser'
import { isList } from './check-value.ts'
import { chosenSchemes, isJson, keyOf, type Operation, type RequestState } from './request-state.ts'
import { printPlain, serializeParameter, serializePath } from './serialize-parameter.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

export function buildRequest(operation: Operation, state: RequestState): SampleRequest {
  const { page } = operation
  const credentials = credentialPairs(operation, state)
  const pairs = (place: string) =>
    operation.parameters.flatMap((parameter) => {
      const value = parameter.in === place ? state.parameters.get(keyOf(parameter)) : undefined
      return value === undefined ? [] : serializeParameter(parameter, value)
    })
  const query = [...pairs('query'), ...credentials.query]
  const body = buildBody(operation, state)
  return {
    method: page.method,
    url: `${serverUrl(operation, state)}${filledPath(operation, state)}${printQuery(query)}`,
    headers: [...credentials.headers, ...contentType(body), ...pairs('header')],
    cookies: [...credentials.cookies, ...pairs('cookie')],
    ...(body === undefined ? {} : { body }),
  }
}

/** Whole, also where the specification says only a path. */
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

function filledPath({ page, parameters }: Operation, state: RequestState): string {
  return page.path.replaceAll(/\{([^{}]+)\}/g, (all, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    const value = parameter && state.parameters.get(keyOf(parameter))
    return parameter === undefined || value === undefined || value === ''
      ? all
      : serializePath(parameter, value)
  })
}

function credentialPairs(operation: Operation, state: RequestState) {
  const headers: Pair[] = []
  const query: Pair[] = []
  const cookies: Pair[] = []
  for (const { scheme } of chosenSchemes(operation, state)) {
    const credential = state.credentials.get(scheme.name)
    const value = credential?.value ?? ''
    if (scheme.type === 'apiKey') {
      const pair: Pair = [scheme.key ?? scheme.name, value || '<api-key>']
      const place = scheme.in === 'query' ? query : scheme.in === 'cookie' ? cookies : headers
      place.push(pair)
    } else if (scheme.type === 'http' && scheme.scheme === 'basic') {
      const { username = '', password = '' } = credential ?? {}
      const isFilled = username !== '' || password !== ''
      headers.push([
        'Authorization',
        isFilled ? `Basic ${base64(`${username}:${password}`)}` : 'Basic <encoded-value>',
      ])
    } else if (scheme.type === 'http' && scheme.scheme !== 'bearer') {
      headers.push(['Authorization', `${scheme.scheme ?? ''} ${value || '<credentials>'}`])
    } else if (scheme.type !== 'mutualTLS') {
      headers.push(['Authorization', `Bearer ${value || '<token>'}`])
    }
  }
  return { headers, query, cookies }
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
  if (type.startsWith('multipart/')) return { kind: 'multipart', parts: multipart(state) }
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

/** A body that is a file and no text. */
export function isBinary(type: string): boolean {
  return !/^text\/|json|xml|yaml|csv|form-urlencoded|^multipart\//i.test(type)
}

/** A property that is uploaded. */
export function isFile(
  schema: SchemaData | undefined,
  merged: Operation['library']['merged'],
): boolean {
  if (schema === undefined) return false
  const { format, rules, types, items } = merged(schema)
  if (format === 'binary' || rules?.some(([keyword]) => keyword === 'contentMediaType')) return true
  return types?.includes('array') === true && isFile(items, merged)
}

function multipart(state: RequestState): readonly SamplePart[] {
  const files = [...state.files].flatMap(([name, list]) =>
    name === '' ? [] : list.map((file) => ({ name, fileName: file.name })),
  )
  const texts = fieldsOf(state.body).flatMap(([name, value]) =>
    (isList(value) ? value : [value]).map((one) => ({ name, value: printPlain(one) })),
  )
  return [...texts, ...files]
}

function fieldsOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  const isFields = typeof value === 'object' && value !== null && !isList(value)
  return isFields ? Object.entries(value) : []
}

function contentType(body: SampleBody | undefined): readonly Pair[] {
  if (body === undefined || body.kind === 'multipart') return []
  return [['Content-Type', body.kind === 'form' ? FORM_TYPE : body.mediaType]]
}

function printQuery(pairs: readonly Pair[]): string {
  if (pairs.length === 0) return ''
  const encode = (text: string) => encodeURIComponent(text.toWellFormed())
  return `?${pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`
}
