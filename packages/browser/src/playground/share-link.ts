/**
 * Encodes a filled-in request as a link. The link contains no credentials and no field whose name
 * suggests a secret. Opening a link cannot leak secrets either: the parts of a server URL that
 * accept any text are not read from the link.
 */
import { type Json, serversOf } from '@octavo/openapi/browser'
import { isList } from './check-value.ts'
import type { Operation, RequestState } from './request-state.ts'

type Shared = {
  readonly server?: number
  readonly variables?: Readonly<Record<string, string>>
  readonly alternative?: number
  readonly parameters?: Readonly<Record<string, Json>>
  readonly mediaType?: string
  readonly body?: Json
}

const SECRET = /authorization|api[-_]?key|token|secret|password|passwd|credential|cookie|session/i
const LINK_LENGTH_MAX = 20_000
const MARK = '#try='

export function printLink(operation: Operation, state: RequestState): string {
  const { library, parameters, body } = operation
  const isSecret = (name: string) => SECRET.test(name)
  const passwords = new Set(
    parameters
      .filter(({ schema }) => schema && library.merged(schema).format === 'password')
      .map(({ in: place, name }) => `${place} ${name}`),
  )
  const shared: Shared = {
    server: state.server,
    variables: Object.fromEntries(state.variables),
    alternative: state.alternative,
    parameters: Object.fromEntries(
      [...state.parameters].filter(([key]) => !isSecret(key) && !passwords.has(key)),
    ),
    ...(state.mediaType === undefined ? {} : { mediaType: state.mediaType }),
    ...(state.body === undefined || body === undefined ? {} : { body: withoutSecrets(state.body) }),
  }
  const text = encode(JSON.stringify(shared))
  return `${location.origin}${location.pathname}${MARK}${text}`
}

function withoutSecrets(value: Json): Json {
  if (isList(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([name]) => !SECRET.test(name))
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutSecrets(inner)]))
}

/** Adds the request in the page's URL to an empty state. */
export function readLink(hash: string, operation: Operation, fresh: RequestState): RequestState {
  if (!hash.startsWith(MARK) || hash.length > LINK_LENGTH_MAX) return fresh
  const shared = decode(hash.slice(MARK.length))
  if (shared === undefined) return fresh
  const servers = serversOf(operation.page, operation.library.context)
  const server = servers[shared.server ?? 0] === undefined ? 0 : (shared.server ?? 0)
  const variables = new Map(
    servers[server]?.variables?.map(({ name, default: value, values }) => {
      const wanted = shared.variables?.[name]
      return [name, wanted !== undefined && values?.includes(wanted) ? wanted : value]
    }),
  )
  const known = new Set(operation.parameters.map(({ in: place, name }) => `${place} ${name}`))
  const parameters = Object.entries(shared.parameters ?? {}).filter(([key]) => known.has(key))
  const media = operation.body?.content.find(({ type }) => type === shared.mediaType)
  return {
    ...fresh,
    server,
    variables,
    alternative: Number.isInteger(shared.alternative) ? (shared.alternative ?? 0) : 0,
    parameters: new Map([...fresh.parameters, ...parameters]),
    mediaType: media?.type ?? fresh.mediaType,
    body: shared.body ?? fresh.body,
  }
}

function encode(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function decode(text: string): Shared | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null ? (value as Shared) : undefined
  } catch {
    return undefined
  }
}
