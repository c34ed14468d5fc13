/**
 * Checks every example, default, enum value and constant against its schema
 * (`openapi/example-mismatch`).
 */
import type { DiagnosticText } from '@octavo/model'
import { isJsonType } from '../document/json-type.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import { callbackOperations, listOperations } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import type { Mismatch } from '../values/mismatch.ts'
import { ValueChecker } from '../values/value-checker.ts'
import type { Direction } from '../values/value-context.ts'
import type { ShapeChecker } from './check-shape.ts'
import type { Problems } from './problems.ts'

/** The maximum number of differences that are listed for one example. */
const DIFFERENCES_MAX = 20

type Example = {
  /** What messages call the value, such as "The example". */
  readonly name: string
  readonly node: NodeId
  readonly schema: NodeId
  readonly direction?: Direction | undefined
}

export function checkExamples(
  specification: Specification,
  checker: ShapeChecker,
  problems: Problems,
): void {
  const { document } = specification
  const directions = directionsOf(specification, checker)
  const values = new ValueChecker(specification)
  const seen = new Set<string>()
  for (const owner of checker.noted.examples) {
    const examples =
      checker.partOf(owner) === 'schema'
        ? examplesOfSchema(document, owner)
        : examplesOfMedia(specification, owner, directions.get(owner))
    for (const example of examples) {
      const { node, schema, direction } = example
      const found = values.differences({ document, node }, schema, direction)
      for (const mismatch of found.slice(0, DIFFERENCES_MAX)) {
        // An example can be shared, and several parts of a schema can report the same.
        const key = `${mismatch.node} ${mismatch.rule}`
        if (seen.has(key)) continue
        seen.add(key)
        problems.add('openapi/example-mismatch', mismatch.node, () =>
          describeMismatch(specification, { document, root: node, name: example.name }, mismatch),
        )
      }
    }
  }
}

function examplesOfSchema(document: SpecDocument, schema: NodeId): readonly Example[] {
  const single = [
    ['The example', document.field(schema, 'example')],
    ['The default', document.field(schema, 'default')],
    ['The constant', document.field(schema, 'const')],
  ] as const
  return [
    ...single.flatMap(([name, node]) => (node === undefined ? [] : [{ name, node, schema }])),
    ...document
      .items(document.field(schema, 'examples'))
      .map((node) => ({ name: 'The example', node, schema })),
    ...document
      .items(document.field(schema, 'enum'))
      .map((node) => ({ name: 'The enum value', node, schema })),
  ]
}

/** Returns the examples of a media type, a parameter or a header. */
function examplesOfMedia(
  specification: Specification,
  owner: NodeId,
  media: Media | undefined,
): readonly Example[] {
  const { document } = specification
  const schema = document.field(owner, 'schema')
  if (schema === undefined || media?.isJson === false) return []
  const own = document.field(owner, 'example')
  const named = document.entries(document.field(owner, 'examples')).map(([name, written]) => ({
    name: `The example \`${name}\``,
    node: document.field(specification.follow(written), 'value'),
  }))
  return [{ name: 'The example', node: own }, ...named].flatMap(({ name, node }) =>
    node === undefined || (media === undefined && isSerialized(specification, node, schema))
      ? []
      : [{ name, node, schema, direction: media?.direction }],
  )
}

/**
 * Returns true if the example of a parameter is its text in the request, such as `a,b` for a list.
 */
function isSerialized(specification: Specification, node: NodeId, schema: NodeId): boolean {
  const { document } = specification
  if (document.kind(node) !== KIND.string) return false
  const type = document.textField(specification.follow(schema), 'type')
  return type === 'array' || type === 'object'
}

type Media = { readonly isJson: boolean; readonly direction: Direction | undefined }

/** Returns the media types of bodies. Those of events have no direction, since the API sends both. */
function directionsOf(
  specification: Specification,
  { noted }: ShapeChecker,
): ReadonlyMap<NodeId, Media> {
  const { document } = specification
  const events = eventBodies(specification)
  const media = new Map<NodeId, Media>()
  for (const [direction, owners] of [
    ['request', noted.requestBody],
    ['response', noted.response],
  ] as const) {
    for (const owner of owners) {
      for (const [type, node] of document.entries(document.field(owner, 'content'))) {
        const isEvent = events.has(owner)
        media.set(node, { isJson: isJsonType(type), direction: isEvent ? undefined : direction })
      }
    }
  }
  return media
}

/** Returns the bodies of webhooks and callbacks, and of the responses to them. */
function eventBodies(specification: Specification): ReadonlySet<NodeId> {
  const { document } = specification
  const operations = listOperations(specification)
  const events = [
    ...operations.filter(({ kind }) => kind === 'webhook'),
    ...operations.flatMap(({ node }) => callbackOperations(specification, node)),
  ]
  const bodies = new Set<NodeId>()
  for (const node of new Set(events.map((event) => event.node))) {
    const responses = document.entries(document.field(node, 'responses')).map(([, one]) => one)
    for (const written of [document.field(node, 'requestBody'), ...responses]) {
      const body = specification.follow(written)
      if (body !== undefined) bodies.add(body)
    }
  }
  return bodies
}

type Described = {
  /** The document that contains the value. */
  readonly document: SpecDocument
  /** The whole example. */
  readonly root: NodeId
  readonly name: string
}

/** Returns the text of a diagnostic for one difference. */
export function describeMismatch(
  { document: schemas }: Specification,
  { document, root, name }: Described,
  { node, rule, text }: Mismatch,
): DiagnosticText {
  const { message, hint, fix } = text()
  const path = document.pointer(node).slice(document.pointer(root).length)
  const label = path === '' ? name : `\`${printPath(path)}\``
  const related = [{ message: 'The schema is here.', place: schemas.place(rule) }]
  return { message: `${label} ${message}`, hint, related, fix }
}

/** Prints a pointer such as `/pets/0/name` as `pets[0].name`. */
function printPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((token, index) => {
      if (/^\d+$/.test(token)) return `[${token}]`
      return index === 0 ? token : `.${token}`
    })
    .join('')
}
