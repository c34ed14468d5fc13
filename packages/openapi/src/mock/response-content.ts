/** Prints the body and the headers of a response: the documented example, otherwise a sample. */
import { isJsonType } from '../document/json-type.ts'
import type { Json } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import { printXml } from '../pages/print-xml.ts'
import type { Sampler } from '../pages/sample-value.ts'
import type { Specification } from '../specification.ts'
import { acceptedType, plainType } from './media-ranges.ts'
import type { MockProblem, MockResponse } from './mock-messages.ts'

type Content = Pick<MockResponse, 'body'> & { readonly type: string | undefined }

type Asked = { readonly accept: string; readonly example: string | undefined }

export function responseContent(
  { specification, sampler }: { readonly specification: Specification; readonly sampler: Sampler },
  response: NodeId | undefined,
  { accept, example }: Asked,
): Content | MockProblem {
  const { document } = specification
  const media = document.entries(document.field(response, 'content'))
  if (media.length === 0) return { body: [], type: undefined }
  const types = media.map(([type]) => type).toSorted((a, b) => jsonFirst(a) - jsonFirst(b))
  const type = acceptedType(accept, types)
  if (type === undefined) return notAcceptable(accept, types)
  const node = media.find(([one]) => one === type)?.[1]
  const value = chooseValue({ specification, sampler }, node, example)
  if (value === 'unknown') return unknownExample(example ?? '', exampleNames(specification, node))
  const sent = concreteType(type, value)
  const schema = document.field(node, 'schema')
  return { type: sent, body: printBody(specification, { type: sent, schema, value }) }
}

function jsonFirst(type: string): number {
  return isJsonType(type) ? 0 : 1
}

type Parts = { readonly specification: Specification; readonly sampler: Sampler }

/** Returns the value of an example or a sample; `unknown` if the named example does not exist. */
function chooseValue(
  { specification, sampler }: Parts,
  media: NodeId | undefined,
  name: string | undefined,
): Json | undefined | 'unknown' {
  const { document } = specification
  const examples = document.entries(document.field(media, 'examples'))
  const [, written] = examples.find(([one]) => name === undefined || one === name) ?? []
  if (name !== undefined && written === undefined) return 'unknown'
  const value =
    document.field(specification.follow(written), 'value') ??
    (name === undefined ? document.field(media, 'example') : undefined)
  if (value !== undefined) return document.value(value)
  const schema = document.field(media, 'schema')
  return schema === undefined ? undefined : sampler.sample(schema, 'response')
}

function exampleNames({ document }: Specification, media: NodeId | undefined): readonly string[] {
  return document.entries(document.field(media, 'examples')).map(([name]) => name)
}

function unknownExample(name: string, names: readonly string[]): MockProblem {
  const listed = names.map((one) => `\`${one}\``).join(', ')
  return {
    code: 'unknown-response',
    place: 'header.Prefer',
    reason: `The response has no example \`${name}\`.`,
    hint:
      names.length === 0 ? 'Add it to `examples`.' : `Use one of ${listed}, or add the example.`,
  }
}

function notAcceptable(accept: string, types: readonly string[]): MockProblem {
  return {
    code: 'not-acceptable',
    place: 'header.Accept',
    reason: `The response has no content of the type \`${accept.slice(0, 200)}\`.`,
    hint: `Accept ${types.map((type) => `\`${type}\``).join(' or ')}.`,
  }
}

/** Returns a type without ranges, which a response cannot have. */
function concreteType(type: string, value: Json | undefined): string {
  if (!type.includes('*')) return type
  const [group = '*'] = type.split('/')
  if (group === 'image') return 'image/png'
  if (group === 'text') return 'text/plain'
  if (group !== '*' && group !== 'application') return `${group}/octet-stream`
  return typeof value === 'string' ? 'text/plain' : 'application/json'
}

type Printed = {
  readonly type: string
  readonly schema: NodeId | undefined
  readonly value: Json | undefined
}

function printBody(
  specification: Specification,
  { type, schema, value }: Printed,
): MockResponse['body'] {
  const plain = plainType(type)
  if (plain === 'text/event-stream') return events(value).map(printEvent)
  if (/(?:ndjson|jsonl|json-lines|json-seq|jsonlines)$/.test(plain)) {
    return events(value).map((item) => `${JSON.stringify(item)}\n`)
  }
  if (isJsonType(plain)) return [`${JSON.stringify(value ?? {}, null, 2)}\n`]
  const isBinary = !/^text\/|xml|json|yaml|csv|html|javascript|urlencoded/.test(plain)
  if (isBinary && !isExampleText(specification, schema, value)) return [sampleFile(plain)]
  if (value === undefined) return ['']
  if (typeof value === 'string') return [value]
  if (plain.includes('xml')) return [`${printXml(rootName(specification, schema), value)}\n`]
  return [`${JSON.stringify(value, null, 2)}\n`]
}

/** Returns true if a value is text that the author wrote, and not the sample of a file. */
function isExampleText(
  specification: Specification,
  schema: NodeId | undefined,
  value: Json | undefined,
): boolean {
  const { document } = specification
  const target = specification.follow(schema)
  const isFile = document.textField(target, 'format') === 'binary'
  return value !== undefined && !isFile && value !== '<string>'
}

/** Returns the events of a stream: the items of a list, or the value as the only one. */
function events(value: Json | undefined): readonly Json[] {
  if (value === undefined) return []
  return Array.isArray(value) ? (value as readonly Json[]) : [value]
}

function printEvent(event: Json): string {
  // The example of a stream is often its text.
  if (typeof event === 'string' && /^(?:data|event|id|retry|):/m.test(event)) {
    return `${event.trimEnd()}\n\n`
  }
  const text = typeof event === 'string' ? event : JSON.stringify(event)
  return `${text
    .split(/\r\n?|\n/)
    .map((line) => `data: ${line}`)
    .join('\n')}\n\n`
}

/** A PNG image of one transparent pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

function sampleFile(type: string): Uint8Array {
  if (type !== 'image/png') return new TextEncoder().encode('A sample file of octavo mock.\n')
  return Uint8Array.from(atob(PIXEL), (character) => character.charCodeAt(0))
}

function rootName(specification: Specification, schema: NodeId | undefined): string {
  const { document } = specification
  const target = specification.follow(schema)
  const written = document.textField(document.field(target, 'xml'), 'name')
  const reference = schema === undefined ? undefined : document.textField(schema, '$ref')
  return written ?? reference?.split('/').at(-1) ?? 'root'
}

/** Headers that the server sets itself, or that a response of a mock must not have. */
const OWN_HEADERS =
  /^(?:connection|keep-alive|content-(?:type|length|encoding|security-policy)|transfer-encoding|trailer|upgrade|date|clear-site-data|access-control-.*)$/i

/** Returns the documented headers, with their examples or samples. */
export function responseHeaders(
  { specification, sampler }: Parts,
  response: NodeId | undefined,
): MockResponse['headers'] {
  const { document } = specification
  return document.entries(document.field(response, 'headers')).flatMap(([name, written]) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || OWN_HEADERS.test(name)) return []
    const header = specification.follow(written)
    const [first] = document.entries(document.field(header, 'examples'))
    const example =
      document.field(header, 'example') ?? document.field(specification.follow(first?.[1]), 'value')
    const schema = document.field(header, 'schema')
    const sample = schema === undefined ? undefined : sampler.sample(schema, 'response')
    const value = example === undefined ? sample : document.value(example)
    if (value === undefined || value === null || typeof value === 'object') return []
    const text = String(value)
    return /^[\t\x20-\x7e]*$/.test(text) ? [[name, text] as const] : []
  })
}
