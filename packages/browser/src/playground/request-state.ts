/** The reader's input. It is immutable, so that only the changed parts are rendered again. */
import {
  type BodyData,
  type ExampleData,
  type Json,
  type MediaData,
  type OperationPage,
  type PageContext,
  type Pair,
  type ParameterData,
  sampleOf,
  securityOf,
  serversOf,
} from '@octavo/openapi/browser'
import type { PlaygroundWords } from '@octavo/theme/browser'
import { isList } from './check-value.ts'
import type { PartLibrary } from './part-library.ts'
import { namedValue, startValue } from './start-value.ts'

export type Credential = {
  /** An API key or token. */
  readonly value: string
  readonly username?: string
  readonly password?: string
  readonly clientId?: string
  readonly clientSecret?: string
}

export type RequestState = {
  readonly server: number
  readonly variables: ReadonlyMap<string, string>
  readonly alternative: number
  /** Credentials by the name of the security scheme. */
  readonly credentials: ReadonlyMap<string, Credential>
  /** Values by location and name, such as `query limit`. */
  readonly parameters: ReadonlyMap<string, Json>
  /** Names and values in the query that the specification does not describe. */
  readonly otherQuery: readonly Pair[]
  readonly mediaType: string | undefined
  readonly body: Json | undefined
  /** Files by the name of their part; the name is empty for the whole body. */
  readonly files: ReadonlyMap<string, readonly File[]>
}

export type Operation = {
  readonly page: OperationPage
  readonly parameters: readonly ParameterData[]
  readonly body: BodyData | undefined
  readonly library: PartLibrary
  readonly settings: PlaygroundSettings
  readonly tools: PageTools
}

/** Functions of the page's script, which is already loaded. */
export type PageTools = {
  readonly copyText: (text: string) => Promise<void>
}

export type PlaygroundSettings = {
  readonly languages: readonly string[]
  /**
   * Which fields start with example values: all, none, or if undefined, the body and required
   * parameters.
   */
  readonly prefill?: boolean
  readonly words: PlaygroundWords
  /** Whether requests include the reader's cookies. */
  readonly credentials: boolean
  /** Whether requests are sent through the site's host, if the host supports that. */
  readonly proxy: boolean
}

export function initialState(operation: Operation): RequestState {
  const { page, parameters, body, library } = operation
  const [server] = serversOf(page, library.context)
  const media = preferredMedia(body)
  return {
    server: 0,
    variables: new Map(server?.variables?.map((one) => [one.name, one.default])),
    alternative: 0,
    credentials: new Map(
      library.frame.schemes.flatMap(({ name, prefill }) =>
        prefill === undefined ? [] : [[name, { value: prefill }] as const],
      ),
    ),
    parameters: new Map(
      parameters.flatMap((parameter) => {
        const value = initialParameter(parameter, operation)
        return value === undefined ? [] : [[keyOf(parameter), value] as const]
      }),
    ),
    otherQuery: [],
    mediaType: media?.type,
    body: media === undefined ? undefined : initialBody(media, body, operation),
    files: new Map(),
  }
}

export function keyOf({ in: place, name }: Pick<ParameterData, 'in' | 'name'>): string {
  return `${place} ${name}`
}

function preferredMedia(body: BodyData | undefined): MediaData | undefined {
  return body?.content.find(({ type }) => isJson(type)) ?? body?.content[0]
}

export function isJson(type: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i.test(type)
}

/**
 * Returns the initial value of a parameter: `x-default`, else an example if it is required or
 * docs.json enables that, else the default of a required parameter.
 */
function initialParameter(parameter: ParameterData, operation: Operation): Json | undefined {
  const { library, settings } = operation
  const schema = parameter.schema ?? parameter.content?.[0]?.schema
  const merged = schema && library.merged(schema)
  if (merged?.prefill !== undefined) return merged.prefill.value
  const example =
    (settings.prefill ?? parameter.required)
      ? (firstExample(parameter.examples, library.context) ?? merged?.examples?.[0])
      : undefined
  return example ?? (parameter.required && merged ? namedValue(merged) : undefined)
}

export function initialBody(
  media: MediaData,
  body: BodyData | undefined,
  operation: Operation,
): Json | undefined {
  const { library, settings } = operation
  if (media.schema === undefined) return undefined
  const { merged } = library
  const { prefill = true } = settings
  const start = startValue(media.schema, { merged, useDefaults: !prefill })
  if (!prefill) return body?.required || !isEmpty(start) ? start : undefined
  const sample =
    firstExample(media.examples, library.context) ?? sampleOf(media, 'request', library.context)
  return merge(sample && withoutPlaceholders(sample), start)
}

/** Removes values such as `<string>`, which a sample has where the specification names no value. */
function withoutPlaceholders(value: Json): Json | undefined {
  if (typeof value === 'string') return /^<[^<>]*>$/.test(value) ? undefined : value
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.flatMap((one) => withoutPlaceholders(one) ?? [])
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const kept = withoutPlaceholders(inner)
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return Object.fromEntries(entries)
}

function isEmpty(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 0
}

function firstExample(
  examples: readonly ExampleData[] | undefined,
  { part }: PageContext,
): Json | undefined {
  const [first] = examples ?? []
  if (first === undefined) return undefined
  if (!('ref' in first)) return first.value
  const shared = part(first.ref)
  return shared?.kind === 'example' && 'value' in shared.example ? shared.example.value : undefined
}

function merge(under: Json | undefined, over: Json | undefined): Json | undefined {
  if (over === undefined) return under
  if (!isObject(under) || !isObject(over)) return over
  const merged: Record<string, Json> = { ...under }
  for (const [key, value] of Object.entries(over)) {
    merged[key] = merge(Object.hasOwn(under, key) ? under[key] : undefined, value) ?? value
  }
  return merged
}

function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a copy of the map with one entry set, or removed if the value is undefined. */
export function withEntry<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
  value: Value | undefined,
): ReadonlyMap<string, Value> {
  const copy = new Map(map)
  if (value === undefined) copy.delete(key)
  else copy.set(key, value)
  return copy
}

/** Returns the schemes of the selected security alternative. */
export function chosenSchemes({ page, library }: Operation, { alternative }: RequestState) {
  const wanted = securityOf(page, library.context)[alternative] ?? []
  return wanted.flatMap(({ scheme: name, scopes = [] }) => {
    const scheme = library.frame.schemes.find((one) => one.name === name)
    return scheme === undefined ? [] : [{ scheme, scopes }]
  })
}
