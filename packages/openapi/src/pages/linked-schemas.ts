import { KIND, type NodeId } from '../document/tape.ts'
import type { Operation } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import { schemaPointer } from './shared-parts.ts'

/** The operations and named schemas that the pages show. */
export type PageRoots = {
  readonly operations: Iterable<Operation>
  readonly schemas: Iterable<string>
}

/** Returns the pointers of all schemas that these pages refer to, directly or indirectly. */
export function linkedSchemas(
  specification: Specification,
  { operations, schemas }: PageRoots,
): readonly string[] {
  const { document, parts } = specification
  const roots: (NodeId | undefined)[] = []
  for (const { node, pathItem } of operations) {
    roots.push(node, document.field(pathItem, 'parameters'))
  }
  for (const name of schemas) roots.push(document.find(schemaPointer(name)))
  return linkedParts(specification, roots).filter((ref) => parts.get(ref)?.part === 'schema')
}

function linkedParts(
  specification: Specification,
  roots: readonly (NodeId | undefined)[],
): readonly string[] {
  const { tape } = specification.document
  const found = new Set<string>()
  const waiting = roots.filter((root) => root !== undefined)
  for (let start = waiting.pop(); start !== undefined; start = waiting.pop()) {
    const end = tape.next(start)
    // The rows after a value contain everything inside it.
    for (let row = start; row < end; row += 1) {
      const target = tape.kind(row) === KIND.object ? specification.target(row) : undefined
      const pointer = target === undefined ? undefined : specification.partPointer(target)
      if (target === undefined || pointer === undefined || found.has(pointer)) continue
      found.add(pointer)
      waiting.push(target)
    }
  }
  return [...found]
}
