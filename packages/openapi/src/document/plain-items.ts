import type { SpecDocument } from './spec-document.ts'
import type { NodeId } from './tape.ts'

/** Returns the `items` of an array schema, if no other keyword of the schema affects samples. */
export function plainItems(document: SpecDocument, schema: NodeId): NodeId | undefined {
  if (document.textField(schema, 'type') !== 'array') return undefined
  const given = ['example', 'examples', 'default', 'const', 'enum', 'allOf', 'oneOf', 'anyOf']
  if (given.some((key) => document.field(schema, key) !== undefined)) return undefined
  return document.field(schema, 'items')
}
