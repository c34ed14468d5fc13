/**
 * Parts of API pages that are loaded on demand: deeper levels of schemas as HTML, and the data of
 * the playground. Every part of a specification is written once, into files of medium size:
 * `fragmentBucket` selects the file.
 */
import type { AccessLabel, PageBacking } from '@octavo/model'
import type {
  BodyData,
  MediaData,
  OperationPage,
  ResponseData,
  SchemaData,
  SharedPart,
  StatusData,
} from '@octavo/openapi'
import { schemaPointer } from '@octavo/openapi'
import { type BasePath, fragmentBucket } from '@octavo/theme'
import type { PlaygroundSettings } from '../compile/api-settings.ts'
import type { OpenedSpecification } from '../compile/opened-specification.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { SiteOutput } from './site-output.ts'

export type FragmentSource = {
  readonly opened: OpenedSpecification
  /** The folder from which pages of the label load them. */
  readonly folder: string
  readonly access: AccessLabel
  /**
   * The operations and schemas that pages of the label show; undefined if all parts have the same
   * readers.
   */
  readonly shown: readonly PageBacking[] | undefined
  readonly key: string
  readonly settings: PlaygroundSettings
  /** Called before the first HTML is rendered. */
  readonly prepare: () => Promise<void>
  /** Renders the fields of a schema. */
  readonly html: (schema: SchemaData) => string
}

export async function writeFragments(
  output: SiteOutput,
  sources: readonly FragmentSource[],
  basePath: BasePath,
): Promise<void> {
  for (const source of sources) {
    const { folder, access, shown } = source
    const { count } = source.opened.fragments
    const files = Array.from({ length: count }, (_, index) => `${folder.slice(1)}/${index}.json`)
    const key = hashBytes(
      source.key,
      basePath.path,
      shown === undefined ? '' : JSON.stringify(shown),
    )
    const facts = { key, access }
    if (files.every((file) => output.keep(file, facts))) continue
    await source.prepare()
    const buckets = files.map((): string[] => [])
    const isShown = shown === undefined ? () => true : reachableEntries(source.opened, shown)
    for (const [name, value] of entriesOf(source, basePath)) {
      if (!isShown(name)) continue
      buckets[fragmentBucket(name, count)]?.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
    }
    for (const [index, file] of files.entries()) {
      output.write(file, `{${buckets[index]?.join(',\n') ?? ''}}\n`, facts)
    }
  }
}

/**
 * Returns a filter for the entries that these operations and schemas need, including references.
 */
function reachableEntries(
  opened: OpenedSpecification,
  shown: readonly PageBacking[],
): (name: string) => boolean {
  const names = new Set(['frame'])
  const refs = new Set<string>()
  // Any text that looks like a reference counts: an extra part does no harm.
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && value.startsWith('#')) refs.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  for (const backing of shown) {
    if (backing.kind === 'schema') {
      refs.add(schemaPointer(backing.name))
      continue
    }
    const { method, path } = backing.listing
    const operation = opened.find(method, path)
    if (operation === undefined) continue
    const page = opened.pages.page(operation)
    names.add(`${page.method} ${page.path}`)
    collect(page)
  }
  // The set grows during the iteration until it contains all reachable references.
  for (const ref of refs) collect(opened.context.part(ref))
  return (name) => names.has(name) || refs.has(name.replace(/^html /, ''))
}

function* entriesOf(
  { opened, settings, html }: FragmentSource,
  basePath: BasePath,
): Iterable<[string, unknown]> {
  const { frame } = opened.context
  const { servers, security, schemes } = frame
  yield ['frame', { servers, security, schemes, settings }]
  for (const operation of opened.operations()) {
    if (operation.kind === 'webhook') continue
    const page = opened.pages.page(operation)
    yield [`${page.method} ${page.path}`, operationData(page)]
  }
  for (const part of opened.parts.all()) {
    const data = partData(part)
    if (data !== undefined) yield [part.ref, data]
    if (part.kind === 'schema') yield [`html ${part.ref}`, basePath.html(html(part.schema))]
  }
}

/** Returns the data of an operation for the playground, with short texts for fields only. */
function operationData(page: OperationPage) {
  const { kind, method, path, title, servers, security, parameters, body, responses } = page
  return {
    kind,
    method,
    path,
    title,
    servers,
    security,
    specification: '',
    parameters: parameters?.map((one) =>
      'ref' in one ? one : { ...one, description: firstWords(one.description) },
    ),
    body: body && ('ref' in body ? body : plainBody(body)),
    responses: responses.map(plainStatus),
  }
}

function partData(part: SharedPart): unknown {
  switch (part.kind) {
    case 'schema':
      return { ...part, schema: plainSchema(part.schema) }
    case 'parameter':
      return {
        ...part,
        parameter: { ...part.parameter, description: firstWords(part.parameter.description) },
      }
    case 'body':
      return { ...part, body: plainBody(part.body) }
    case 'response':
      return { ...part, response: plainResponse(part.response) }
    case 'example':
      return part
    default:
      return undefined
  }
}

function plainBody(body: BodyData): BodyData {
  const { required, content } = body
  return { ...(required && { required }), content: content.map(plainMedia) }
}

function plainStatus({ status, response }: StatusData): StatusData {
  return { status, response: 'ref' in response ? response : plainResponse(response) }
}

/** Only the schema is needed to check a response; examples are on the page. */
function plainResponse({ content }: ResponseData): ResponseData {
  return {
    content: content.map(({ type, schema }) => ({
      type,
      ...(schema && { schema: schemaWithoutTexts(schema) }),
    })),
  }
}

function plainMedia(media: MediaData): MediaData {
  const { schema } = media
  return schema === undefined ? media : { ...media, schema: plainSchema(schema) }
}

/** Shortens all descriptions, recursively. */
function plainSchema(schema: SchemaData): SchemaData {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'description' && typeof value === 'string') return firstWords(value)
    return key === 'docs' && typeof value !== 'object' ? undefined : value
  })
  return JSON.parse(text) as SchemaData
}

/** Removes all descriptions, recursively. */
function schemaWithoutTexts(schema: SchemaData): SchemaData {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    (key === 'description' || key === 'docs') && typeof value !== 'object' ? undefined : value,
  )
  return JSON.parse(text) as SchemaData
}

const WORDS_LENGTH_MAX = 120

/** Returns the beginning of a description without markup; the page has the full text. */
function firstWords(text: string | undefined): string | undefined {
  const [first = ''] = text?.trim().split(/\n\s*\n/) ?? []
  const plain = first.replaceAll(/[`*]|\[|\]\([^)]*\)/g, '').replaceAll(/\s+/g, ' ')
  if (plain.length <= WORDS_LENGTH_MAX) return plain === '' ? undefined : plain
  return `${plain.slice(0, plain.lastIndexOf(' ', WORDS_LENGTH_MAX))}…`
}
