/**
 * The data of the playground. The file of an operation has what its form shows first; further parts
 * of a specification are loaded when they are needed.
 */
import {
  type BodyData,
  type MediaData,
  type OperationPage,
  type ResponseData,
  type SchemaData,
  type SharedPart,
  type StatusData,
  securityOf,
} from '@octavo/openapi'
import type { PlaygroundSettings } from '../compile/api-settings.ts'
import type { OpenedSpecification } from '../compile/opened-specification.ts'

/**
 * The maximum number of characters that a file has in addition to the operation itself. It bounds
 * the size of a site with many operations that share large schemas.
 */
const SHARED_LENGTH_MAX = 64_000

/**
 * Returns the content of an operation's file: the operation, what all operations share, and the
 * parts that its request refers to, the nearest first. Whatever does not fit is omitted, because
 * the playground can load it.
 */
export function printOperationFile(
  page: OperationPage,
  opened: OpenedSpecification,
  settings: PlaygroundSettings,
): string {
  const { schemes, ...frame } = frameOf(opened)
  const used = new Set(
    securityOf(page, opened.context)
      .flat()
      .map(({ scheme }) => scheme),
  )
  const own = { ...frame, schemes: schemes.filter(({ name }) => used.has(name)) }
  const shared = new SharedData(SHARED_LENGTH_MAX)
  const hasFrame = shared.add(own)
  const operation = operationData(page)
  const { parameters, body } = operation
  const roots = new Set(refsIn([parameters, body]))
  const seen = new Set(roots)
  const parts: unknown[] = []
  // The set grows while it is iterated, so the parts are in the order of their distance.
  for (const ref of seen) {
    const part = opened.context.part(ref)
    const data = part && partData(part, { hasSample: roots.has(ref) })
    if (data === undefined || !shared.add(data)) continue
    parts.push(data)
    for (const inner of refsIn(data)) seen.add(inner)
  }
  return `${JSON.stringify({ settings, ...(hasFrame && { frame: own }), page: operation, parts })}\n`
}

/** Counts how much fits into a file. */
class SharedData {
  #room: number

  constructor(room: number) {
    this.#room = room
  }

  add(data: unknown): boolean {
    const { length } = JSON.stringify(data)
    if (length > this.#room) return false
    this.#room -= length
    return true
  }
}

/** Returns what all operations share. */
export function frameOf({ context }: OpenedSpecification) {
  const { servers, security, schemes } = context.frame
  return { servers, security, schemes }
}

/** Returns every reference in a value. Samples contain authors' data, not references. */
function refsIn(value: unknown): readonly string[] {
  const found: string[] = []
  const visit = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return
    for (const [key, inner] of Object.entries(at)) {
      if (key === 'sample' || key === 'requestSample' || key === 'value') continue
      if (key === 'ref' && typeof inner === 'string') found.push(inner)
      else visit(inner)
    }
  }
  visit(value)
  return found
}

/**
 * Returns the data of an operation that the playground needs. Descriptions are shortened, and only
 * fields keep them.
 */
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

/** Returns the data of a part. Only a form that starts with the part needs its sample. */
export function partData(
  part: SharedPart,
  { hasSample }: { readonly hasSample: boolean },
): unknown {
  switch (part.kind) {
    case 'schema': {
      const { ref, kind, schema, ...samples } = part
      return { ref, kind, schema: plainSchema(schema), ...(hasSample && samples) }
    }
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

/**
 * Returns only the schemas of a response, which are needed to check it. The page already has the
 * examples.
 */
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

/** Shortens all descriptions in a schema, at every level. */
function plainSchema(schema: SchemaData): SchemaData {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'description' && typeof value === 'string') return firstWords(value)
    return key === 'docs' && typeof value !== 'object' ? undefined : value
  })
  return JSON.parse(text) as SchemaData
}

/** Removes all descriptions from a schema, at every level. */
function schemaWithoutTexts(schema: SchemaData): SchemaData {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    (key === 'description' || key === 'docs') && typeof value !== 'object' ? undefined : value,
  )
  return JSON.parse(text) as SchemaData
}

const WORDS_LENGTH_MAX = 120

/** Returns the beginning of a description without markup, because the page has the full text. */
function firstWords(text: string | undefined): string | undefined {
  const [first = ''] = text?.trim().split(/\n\s*\n/) ?? []
  const plain = first.replaceAll(/[`*]|\[|\]\([^)]*\)/g, '').replaceAll(/\s+/g, ' ')
  if (plain.length <= WORDS_LENGTH_MAX) return plain === '' ? undefined : plain
  return `${plain.slice(0, plain.lastIndexOf(' ', WORDS_LENGTH_MAX))}…`
}
