/** Reads `x-svc.metadata`, which can set any frontmatter field except `openapi`. */
import {
  type Frontmatter,
  type JsonNode,
  type JsonObject,
  type Report,
  readMetadata,
} from '@octavo/model'
import type { Json, SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import { extensionField } from './extensions.ts'

/** Returns the metadata as plain data, to be written to a file. */
export function operationMetadata(
  document: SpecDocument,
  operation: NodeId,
): Readonly<Record<string, Json>> | undefined {
  const node = extensionField(document, operation, 'metadata')
  if (node === undefined || !document.isObject(node)) return undefined
  const fields = document.entries(node).filter(([key]) => key !== 'openapi')
  return Object.fromEntries(fields.map(([key, value]) => [key, document.value(value)]))
}

const DOWNLOADS =
  ' The specification is not in `api-specs.zip`, and only readers of all its operations can download it.'

/** Reads the metadata with the same rules and messages as the frontmatter of a page. */
export function operationFrontmatter(
  document: SpecDocument,
  operation: NodeId,
  report: Report = () => {},
): Frontmatter | undefined {
  const node = extensionField(document, operation, 'metadata')
  if (node === undefined || !document.isObject(node)) return undefined
  const fields = objectNode(document, node)
  fields.members.delete('openapi')
  return readMetadata(fields, ({ place, ...diagnostic }) => {
    const pointer = `${document.pointer(node)}${place.pointer ?? ''}`
    const message = `${diagnostic.message}${diagnostic.code === 'value/set-by-host' ? DOWNLOADS : ''}`
    report({ ...diagnostic, message, place: { ...place, pointer } })
  })
}

/**
 * Returns true if the operation is deprecated. `x-svc.metadata` overrides the operation's own
 * field.
 */
export function isDeprecated(document: SpecDocument, operation: NodeId): boolean {
  const own = operationFrontmatter(document, operation)?.fields.deprecated
  return own ?? document.isTrue(operation, 'deprecated')
}

function objectNode(document: SpecDocument, node: NodeId): JsonObject {
  const members = document.entries(node).map(([key, value]) => {
    const { source, offset } = document.locate(document.offset(value - 1))
    return [key, { keyStart: offset, source, value: jsonNode(document, value) }] as const
  })
  const object: JsonObject = {
    ...baseOf(document, node),
    type: 'object',
    members: new Map(members),
  }
  for (const [key, { value }] of object.members) {
    value.parent = object
    value.key = key
  }
  return object
}

function jsonNode(document: SpecDocument, node: NodeId): JsonNode {
  const at = baseOf(document, node)
  switch (document.kind(node)) {
    case KIND.object:
      return objectNode(document, node)
    case KIND.array: {
      const items = document.items(node).map((item) => jsonNode(document, item))
      const list: JsonNode = { ...at, type: 'array', items }
      for (const [index, item] of items.entries()) {
        item.parent = list
        item.key = index
      }
      return list
    }
    case KIND.string:
      return { ...at, type: 'string', value: document.text(node) }
    case KIND.number: {
      const text = document.text(node)
      return { ...at, type: 'number', value: Number(text), text }
    }
    case KIND.true:
      return { ...at, type: 'boolean', value: true, text: document.text(node) }
    case KIND.false:
      return { ...at, type: 'boolean', value: false, text: document.text(node) }
    case KIND.null:
      return { ...at, type: 'null' }
  }
}

/** Returns the fields that all nodes share. The container sets `parent` and `key` later. */
function baseOf(document: SpecDocument, node: NodeId) {
  const { source, offset } = document.locate(document.offset(node))
  return { source, start: offset, parent: undefined, key: '' }
}
