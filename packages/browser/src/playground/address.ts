/** Prints the path and query of a request as one text, and reads a text that the reader edited. */
import {
  type Json,
  type Pair,
  type ParameterData,
  printQuery,
  type SchemaData,
} from '@octavo/openapi/browser'
import { filledPath, queryPairs } from './build-request.ts'
import { keyOf, type Operation, type RequestState } from './request-state.ts'

export function printAddress(operation: Operation, state: RequestState): string {
  return `${filledPath(operation, state)}${printQuery(queryPairs(operation, state), 'code')}`
}

/** Returns the state with the values in the text; undefined if the text has another path. */
export function readAddress(
  text: string,
  operation: Operation,
  state: RequestState,
): RequestState | undefined {
  const [path = '', ...query] = text.trim().split('?')
  const values = pathValues(path, operation.page.path)
  if (values === undefined) return undefined
  const parameters = new Map(state.parameters)
  const set = (parameter: ParameterData, value: Json | undefined) => {
    if (value === undefined) parameters.delete(keyOf(parameter))
    else parameters.set(keyOf(parameter), value)
  }
  const known = new Set<string>()
  const pairs = queryOf(query.join('?'))
  for (const parameter of operation.parameters) {
    const { name, in: place } = parameter
    const own = place === 'path' ? values.get(name) : pairs.get(name)
    const type = typeOf(parameter, operation)
    // Objects have several spellings, so only their own field edits them.
    if (type === 'object' || (place !== 'path' && place !== 'query')) continue
    known.add(`${place} ${name}`)
    if (place === 'query') set(parameter, own && readValues(own, type))
    else if (own !== undefined) set(parameter, readValues(own, type))
  }
  const isOther = (name: string) => !known.has(`query ${name}`)
  const objects = new Set(
    queryPairs(operation, { ...state, otherQuery: [] })
      .map(([name]) => name)
      .filter(isOther),
  )
  const otherQuery = [...pairs]
    .filter(([name]) => isOther(name) && !objects.has(name))
    .flatMap(([name, all]) => all.map((value): Pair => [name, value]))
  return { ...state, parameters, otherQuery }
}

/** Returns the values of the variables in a path; a variable that is still there has none. */
function pathValues(
  path: string,
  template: string,
): ReadonlyMap<string, readonly string[]> | undefined {
  const values = new Map<string, readonly string[]>()
  // Names and the texts around them alternate. A value ends where the next text begins.
  const [start = '', ...pieces] = template.split(/\{([^{}]+)\}/)
  if (!path.startsWith(start)) return undefined
  let at = start.length
  for (let index = 0; index < pieces.length; index += 2) {
    const [name = '', next = ''] = pieces.slice(index, index + 2)
    const isLast = index + 2 >= pieces.length
    const end = isLast ? path.length - next.length : path.indexOf(next, at)
    const text = path.slice(at, end)
    if (end < at || text.includes('/') || !path.startsWith(next, end)) return undefined
    const value = decode(text)
    values.set(name, value === `{${name}}` ? [] : [value])
    at = end + next.length
  }
  return at === path.length ? values : undefined
}

function queryOf(text: string): ReadonlyMap<string, readonly string[]> {
  const pairs = new Map<string, readonly string[]>()
  for (const piece of text.split('&').filter((one) => one !== '')) {
    const [name = '', ...value] = piece.split('=')
    const key = decode(name)
    pairs.set(key, [...(pairs.get(key) ?? []), decode(value.join('='))])
  }
  return pairs
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function typeOf({ schema, content }: ParameterData, { library }: Operation): string {
  const merged = library.merged(schema ?? content?.[0]?.schema ?? NO_SCHEMA)
  const type = merged.types?.find((one) => one !== 'null')
  return content !== undefined || merged.properties !== undefined ? 'object' : (type ?? 'string')
}

const NO_SCHEMA: SchemaData = {}

function readValues(texts: readonly string[], type: string): Json | undefined {
  const [first = ''] = texts
  if (type !== 'array') return first === '' ? undefined : readValue(first, type)
  const all = texts.length === 1 ? first.split(',') : texts
  return all.filter((one) => one !== '')
}

function readValue(text: string, type: string): Json {
  const number = Number(text)
  const isNumber = (type === 'integer' || type === 'number') && String(number) === text
  if (isNumber) return number
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
}
