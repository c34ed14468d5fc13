import type { SpecDocument } from './spec-document.ts'
import type { NodeId } from './tape.ts'

/** The items of a schema that is a list and says nothing else that a sample depends on. */
export function plainItems(document: SpecDocument, schema: NodeId): NodeId | undefined {
  if (document.textField(schema, 'type') !== 'array') return undefined
  const given = ['example', 'examples', 'default', 'const', 'enum', 'allOf', 'oneOf', 'anyOf']
  if (given.some((key) => document.field(schema, key) !== undefined)) return undefined
  return document.field(schema, 'items')
}
