/**
 * What pages of an API load when a reader asks for it: deeper levels of schemas as HTML, and the data
 * of the playground. Every part of a specification is written once, into files of a middle size: see
 * `fragmentBucket` for which part is where.
 */
import type {
  BodyData,
  MediaData,
  OperationPage,
  ResponseData,
  SchemaData,
  SharedPart,
  StatusData,
} from '@octavo/openapi'
import { fragmentBucket } from '@octavo/theme'
import type { PlaygroundSettings } from '../compile/api-settings.ts'
import type { OpenedSpecification } from '../compile/opened-specification.ts'
import type { SiteOutput } from './site-output.ts'

export type FragmentSource = {
  readonly opened: OpenedSpecification
  readonly key: string
  readonly settings: PlaygroundSettings
  /** Before the first HTML is made. */
  readonly prepare: () => Promise<void>
  /** The fields of a schema. */
  readonly html: (schema: SchemaData) => string
}

export async function writeFragments(
  output: SiteOutput,
  sources: readonly FragmentSource[],
): Promise<void> {
  for (const source of sources) {
    const { folder, count } = source.opened.fragments
    const files = Array.from({ length: count }, (_, index) => `${folder.slice(1)}/${index}.json`)
    const facts = { key: source.key, access: 'default' } as const
    if (files.every((file) => output.keep(file, facts))) continue
    await source.prepare()
    const buckets = files.map((): string[] => [])
    for (const [name, value] of entriesOf(source)) {
      buckets[fragmentBucket(name, count)]?.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
    }
    for (const [index, file] of files.entries()) {
      output.write(file, `{${buckets[index]?.join(',\n') ?? ''}}\n`, facts)
    }
  }
}

function* entriesOf({ opened, settings, html }: FragmentSource): Iterable<[string, unknown]> {
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
    if (part.kind === 'schema') yield [`html ${part.ref}`, html(part.schema)]
  }
}

/** What the playground needs of an operation: none of its texts. */
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
    parameters: parameters?.map((one) => ('ref' in one ? one : { ...one, description: undefined })),
    body: body && ('ref' in body ? body : plainBody(body)),
    responses: responses.map(plainStatus),
  }
}

function partData(part: SharedPart): unknown {
  switch (part.kind) {
    case 'schema':
      return { ...part, schema: plainSchema(part.schema) }
    case 'parameter':
      return { ...part, parameter: { ...part.parameter, description: undefined } }
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

/** An answer is checked against its schema; examples of it are on the page. */
function plainResponse({ content }: ResponseData): ResponseData {
  return {
    content: content.map(({ type, schema }) => ({
      type,
      ...(schema && { schema: plainSchema(schema) }),
    })),
  }
}

function plainMedia(media: MediaData): MediaData {
  const { schema } = media
  return schema === undefined ? media : { ...media, schema: plainSchema(schema) }
}

/** Without texts, all the way down. */
function plainSchema(schema: SchemaData): SchemaData {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    (key === 'description' || key === 'docs') && typeof value !== 'object' ? undefined : value,
  )
  return JSON.parse(text) as SchemaData
}
