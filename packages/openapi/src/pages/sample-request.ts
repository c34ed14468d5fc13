/** Creates a request from the data of a page, for code samples. */

import { encodeText, printQuery } from '../code-samples/print-query.ts'
import type { Pair, SampleBody, SampleRequest } from '../code-samples/sample-request.ts'
import { isJsonType } from '../document/json-type.ts'
import type { Json } from '../document/spec-document.ts'
import { formFields, isList, printPlain } from './form-fields.ts'
import { mergeSchema } from './merge-schema.ts'
import { type PageContext, sampleOf, securityOf, serversOf } from './page-context.ts'
import type {
  ExampleData,
  MediaData,
  OperationPage,
  ParameterData,
  SchemaData,
} from './page-data.ts'
import { printXml } from './print-xml.ts'
import { sampledMedia } from './sample-variants.ts'

export type RequestSource = PageContext & {
  readonly page: OperationPage
  readonly parameters: SampledParameters
  /** The body to send, instead of its example or sample. */
  readonly bodyValue?: Json | undefined
}

/**
 * The parameters that a sample contains (`api.examples.defaults` of docs.json). By default, these
 * are required parameters and those with an example.
 */
export type SampledParameters = 'all' | 'required' | 'with-example'

/** Returns a request to the first server, with the first security alternative and media type. */
export function sampleRequest(source: RequestSource): SampleRequest {
  const { page } = source
  const parameters = shownParameters(source)
  const credentials = credentialsOf(source)
  const body = sampleBody(source)
  const inPlace = (place: string) =>
    parameters.filter((parameter) => parameter.in === place).flatMap((it) => pairsOf(it, source))
  const query = [...inPlace('query'), ...credentials.query]
  return {
    method: page.kind === 'webhook' ? 'POST' : page.method,
    url: `${serverUrl(source)}${fillPath(page.path, parameters, source)}${printQuery(query, 'code')}`,
    headers: [...credentials.headers, ...contentType(body), ...inPlace('header')],
    cookies: [...credentials.cookies, ...inPlace('cookie')],
    ...(body === undefined ? {} : { body }),
  }
}

function shownParameters(source: RequestSource): readonly ParameterData[] {
  const { page, part, parameters } = source
  const all = (page.parameters ?? []).flatMap((parameter) => {
    if (!('ref' in parameter)) return [parameter]
    const shared = part(parameter.ref)
    return shared?.kind === 'parameter' ? [shared.parameter] : []
  })
  return all.filter((parameter) => {
    if (parameter.required || parameters === 'required') return parameter.required
    return !parameter.deprecated && (parameters === 'all' || hasExample(parameter, source))
  })
}

function hasExample({ examples, schema }: ParameterData, { part }: RequestSource): boolean {
  if (examples !== undefined && examples.length > 0) return true
  const merged = (written: SchemaData) =>
    mergeSchema(written, (ref) => {
      const shared = part(ref)
      return shared?.kind === 'schema' ? shared.schema : undefined
    })
  const { examples: own, items } = schema === undefined ? {} : merged(schema)
  return own !== undefined || (items !== undefined && merged(items).examples !== undefined)
}

function serverUrl(source: RequestSource): string {
  const [server] = serversOf(source.page, source)
  if (server === undefined) return ''
  const values = new Map(server.variables?.map((variable) => [variable.name, variable.default]))
  const url = server.url.replaceAll(/\{([^{}]+)\}/g, (all, name: string) => values.get(name) ?? all)
  return url.replace(/\/$/, '')
}

/**
 * Fills in path parameters. One without an example stays `{id}`, so that readers see what to
 * replace.
 */
function fillPath(
  path: string,
  parameters: readonly ParameterData[],
  source: RequestSource,
): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (all, name: string) => {
    const parameter = parameters.find((it) => it.in === 'path' && it.name === name)
    const value = parameter && shownValue(parameter.examples, undefined, source)
    return value === undefined || typeof value === 'object' ? all : encodeText(String(value))
  })
}

/**
 * Returns the name and value of a parameter. Lists and objects may become several pairs (`style`
 * and `explode`).
 */
function pairsOf(parameter: ParameterData, source: RequestSource): readonly Pair[] {
  const { name, style, explode } = parameter
  const value =
    shownValue(parameter.examples, sampleOf(parameter, 'request', source), source) ?? `<${name}>`
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  const isSpread = explode ?? (parameter.in === 'query' || parameter.in === 'cookie')
  if (isList(value)) {
    const texts = value.map(printPlain)
    if (isSpread) return texts.map((text) => [name, text])
    const separator = style === 'pipeDelimited' ? '|' : style === 'spaceDelimited' ? ' ' : ','
    return [[name, texts.join(separator)]]
  }
  const fields = Object.entries(value)
  if (style === 'deepObject')
    return fields.map(([key, field]) => [`${name}[${key}]`, printPlain(field)])
  if (isSpread) return fields.map(([key, field]) => [key, printPlain(field)])
  return [[name, fields.flat().map(printPlain).join(',')]]
}

function credentialsOf(source: RequestSource) {
  const { schemes } = source.frame
  const headers: Pair[] = []
  const query: Pair[] = []
  const cookies: Pair[] = []
  for (const { scheme: name } of securityOf(source.page, source)[0] ?? []) {
    const scheme = schemes.find((candidate) => candidate.name === name)
    if (scheme === undefined) continue
    if (scheme.type === 'apiKey') {
      const pair: Pair = [scheme.key ?? scheme.name, scheme.prefill ?? '<api-key>']
      if (scheme.in === 'query') query.push(pair)
      else if (scheme.in === 'cookie') cookies.push(pair)
      else headers.push(pair)
    } else if (scheme.type === 'http' && scheme.scheme === 'basic') {
      headers.push(['Authorization', 'Basic <encoded-value>'])
    } else if (scheme.type !== 'mutualTLS') {
      headers.push(['Authorization', `Bearer ${scheme.prefill ?? '<token>'}`])
    }
  }
  return { headers, query, cookies }
}

function sampleBody(source: RequestSource): SampleBody | undefined {
  const media = sampledMedia(source.page, source)
  if (media === undefined) return undefined
  const value =
    source.bodyValue ?? shownValue(media.examples, sampleOf(media, 'request', source), source)
  const mediaType = media.type
  if (isJsonType(mediaType)) return { kind: 'json', mediaType, value: value ?? {} }
  if (mediaType === 'application/x-www-form-urlencoded') {
    return { kind: 'form', fields: fieldsOf(value).flatMap((field) => formFields(field, media)) }
  }
  if (mediaType.startsWith('multipart/')) return multipart(media, value, source)
  if (typeof value === 'string' && /^text\/|json|xml|yaml|csv/.test(mediaType)) {
    return { kind: 'text', mediaType, text: value }
  }
  if (mediaType.includes('xml') && value !== undefined) {
    return { kind: 'text', mediaType, text: printXml(rootName(media), value) }
  }
  if (value !== undefined && /^text\/|json|yaml/.test(mediaType)) {
    return { kind: 'text', mediaType, text: JSON.stringify(value) }
  }
  return { kind: 'file', mediaType, fileName: 'file' }
}

function multipart(media: MediaData, value: Json | undefined, { part }: RequestSource): SampleBody {
  const shared = media.schema?.ref === undefined ? undefined : part(media.schema.ref)
  const schema = shared?.kind === 'schema' ? shared.schema : media.schema
  const files = new Set(
    schema?.properties
      ?.filter((property) => isFile(property.schema) || isFile(property.schema.items))
      .map(({ name }) => name),
  )
  const values = new Map(fieldsOf(value))
  // Parts are in the order of the specification, because some servers require it.
  const described = (schema?.properties ?? []).map(({ name }) => name)
  const names = new Set([
    ...described.filter((name) => files.has(name) || values.has(name)),
    ...values.keys(),
  ])
  const parts = [...names].map((name) =>
    files.has(name)
      ? { name, fileName: 'file' }
      : { name, value: printPlain(values.get(name) ?? '') },
  )
  return { kind: 'multipart', parts }
}

function isFile(schema: MediaData['schema']): boolean {
  if (schema === undefined) return false
  const isMedia = schema.rules?.some(([keyword]) => keyword === 'contentMediaType') ?? false
  return schema.format === 'binary' || isMedia
}

/** Returns the value of the first example. If there is no example, returns the sample. */
function shownValue(
  examples: readonly ExampleData[] | undefined,
  sample: Json | undefined,
  { part }: RequestSource,
): Json | undefined {
  const [first] = examples ?? []
  if (first === undefined) return sample
  if (!('ref' in first)) return first.value ?? sample
  const shared = part(first.ref)
  if (shared?.kind !== 'example' || 'ref' in shared.example) return sample
  return shared.example.value ?? sample
}

function contentType(body: SampleBody | undefined): readonly Pair[] {
  if (body === undefined || body.kind === 'multipart') return []
  const type = body.kind === 'form' ? 'application/x-www-form-urlencoded' : body.mediaType
  return [['Content-Type', type]]
}

function fieldsOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  const isFields = typeof value === 'object' && value !== null && !isList(value)
  return isFields ? Object.entries(value) : []
}

function rootName(media: MediaData): string {
  return media.schema?.ref?.split('/').at(-1) ?? 'root'
}
