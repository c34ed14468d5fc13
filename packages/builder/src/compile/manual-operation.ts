/**
 * Reads API pages written by hand, which have `api` in the frontmatter and a `ParamField` for each
 * parameter.
 */
import type { ComponentNode, Data, PageNode } from '@octavo/content'
import type { Config } from '@octavo/model'
import type {
  Json,
  OperationPage,
  ParameterData,
  PropertyData,
  SchemaData,
  SecuritySchemeData,
  ServerData,
  SpecificationFrame,
} from '@octavo/openapi'

export type ManualOperation = {
  readonly page: OperationPage
  readonly frame: SpecificationFrame
}

export type ManualInput = {
  /** Has the form `METHOD path-or-URL`. */
  readonly api: string
  readonly authMethod: string | undefined
  /** Media type of the body. By default, it depends on the body's fields. */
  readonly contentType?: string | undefined
  readonly nodes: readonly PageNode[]
  readonly settings: Config['api']
}

/** Returns undefined if the text is not a method and an address. */
export function manualOperation(input: ManualInput): ManualOperation | undefined {
  const [, written = '', address] = /^\s*([A-Za-z]+)\s+(\S+)\s*$/.exec(input.api) ?? []
  if (address === undefined) return undefined
  const method = written.toUpperCase()
  const { servers, path } = placeOf(address, input.settings)
  const fields = [...fieldsIn(input.nodes)]
  const body = fields.filter(({ place }) => place === 'body')
  const scheme = schemeOf(input)
  const page: OperationPage = {
    method,
    path,
    title: '',
    specification: '',
    responses: [],
    servers,
    kind: method === 'WEBHOOK' ? 'webhook' : 'operation',
    security: scheme === undefined ? [] : [[{ scheme: scheme.name }]],
    parameters: [...parametersOf(fields), ...implicitPathParameters(path, fields)],
    ...(body.length > 0 && { body: bodyOf(body, input.contentType) }),
  }
  return { page, frame: { schemes: scheme === undefined ? [] : [scheme] } }
}

/**
 * Returns the server and path. A full URL includes its server; a path uses the servers in
 * docs.json.
 */
function placeOf(
  address: string,
  settings: Config['api'],
): { readonly servers: readonly ServerData[]; readonly path: string } {
  const [, origin, path = ''] = /^(https?:\/\/[^/]+)(\/.*)?$/i.exec(address) ?? []
  if (origin !== undefined) {
    const names = [...origin.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
    const variables = names.map((name) => ({ name, default: name }))
    return { servers: [{ url: origin, ...(variables.length > 0 && { variables }) }], path }
  }
  const { server = [] } = settings?.mdx ?? {}
  const urls = typeof server === 'string' ? [server] : server
  const whole = address.startsWith('/') ? address : `/${address}`
  return { servers: urls.map((url) => ({ url })), path: whole }
}

const PLACES = ['path', 'query', 'header', 'cookie', 'body'] as const

type Field = {
  readonly place: (typeof PLACES)[number]
  readonly name: string
  readonly isRequired: boolean
  readonly schema: SchemaData
}

/** Yields the top-level fields only, because nested fields belong to their parent field. */
function* fieldsIn(nodes: readonly PageNode[]): Generator<Field> {
  for (const node of nodes) {
    if (typeof node === 'string' || !('children' in node)) continue
    const field = node.kind === 'component' ? readField(node) : undefined
    if (field === undefined) yield* fieldsIn(node.children)
    else yield field
  }
}

function readField(node: ComponentNode): Field | undefined {
  if (node.name !== 'ParamField') return undefined
  const { props } = node
  const place = PLACES.find((key) => typeof props[key] === 'string')
  if (place === undefined) return undefined
  const inner = [...fieldsIn(node.children)].filter((one) => one.place === place)
  const example = props.placeholder
  return {
    place,
    name: String(props[place]),
    isRequired: props.required === true,
    schema: {
      ...schemaOf(textOf(props.type) ?? 'string', inner),
      ...(isSaid(props.default) && { default: { value: props.default as Json } }),
      ...(isSaid(example) && { examples: [example as Json] }),
    },
  }
}

function schemaOf(type: string, inner: readonly Field[]): SchemaData {
  const name = type.trim().toLowerCase()
  if (name.endsWith('[]')) return { types: ['array'], items: schemaOf(name.slice(0, -2), inner) }
  if (inner.length > 0) {
    const object = { types: ['object'], properties: inner.map(propertyOf) }
    return name === 'array' ? { types: ['array'], items: object } : object
  }
  if (name === 'file') return { types: ['string'], format: 'binary' }
  const known = ['integer', 'number', 'boolean', 'object', 'array'].find((one) => one === name)
  return { types: [known ?? 'string'] }
}

function propertyOf({ name, isRequired, schema }: Field): PropertyData {
  return { name, schema, ...(isRequired && { required: true as const }) }
}

function parametersOf(fields: readonly Field[]): readonly ParameterData[] {
  return fields.flatMap(({ place, name, isRequired, schema }) =>
    place === 'body'
      ? []
      : [{ in: place, name, schema, ...(isRequired && { required: true as const }) }],
  )
}

/** Returns path parameters such as `{id}` for which the page has no field. */
function implicitPathParameters(path: string, fields: readonly Field[]): readonly ParameterData[] {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  return names
    .filter((name) => !fields.some((one) => one.place === 'path' && one.name === name))
    .map((name) => ({ in: 'path', name, required: true, schema: { types: ['string'] } }))
}

function bodyOf(
  fields: readonly Field[],
  written: string | undefined,
): NonNullable<OperationPage['body']> {
  const hasFile = fields.some(({ schema }) => schema.format === 'binary')
  const schema = { types: ['object'], properties: fields.map(propertyOf) }
  const type = written ?? (hasFile ? 'multipart/form-data' : 'application/json')
  const isRequired = fields.some((one) => one.isRequired)
  return { content: [{ type, schema }], ...(isRequired && { required: true as const }) }
}

function schemeOf({ authMethod, settings }: ManualInput): SecuritySchemeData | undefined {
  const { method, name } = settings?.mdx?.auth ?? {}
  switch (authMethod ?? method) {
    case 'bearer':
      return { name: 'bearer', type: 'http', scheme: 'bearer' }
    case 'basic':
      return { name: 'basic', type: 'http', scheme: 'basic' }
    case 'key':
      return { name: 'key', type: 'apiKey', in: 'header', key: name ?? 'X-API-Key' }
    // One company uses this method name.
    case 'cobo':
      return { name: 'key', type: 'apiKey', in: 'header', key: name ?? 'API-SECRET' }
    default:
      return undefined
  }
}

function textOf(value: Data | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isSaid(value: Data | undefined): boolean {
  return value !== undefined && value !== null && value !== ''
}
