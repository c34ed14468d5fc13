import type { Json, SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import { extensionField } from './extensions.ts'

/** `x-svc.metadata`: any frontmatter field but `openapi`, which the page has already. */
export function operationMetadata(
  document: SpecDocument,
  operation: NodeId,
): Readonly<Record<string, Json>> | undefined {
  const node = extensionField(document, operation, 'metadata')
  if (node === undefined || !document.isObject(node)) return undefined
  const fields = document.entries(node).filter(([key]) => key !== 'openapi')
  return Object.fromEntries(fields.map(([key, value]) => [key, document.value(value)]))
}
