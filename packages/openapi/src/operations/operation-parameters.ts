import type { NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import type { Operation } from './list-operations.ts'

export type OperationParameter = {
  readonly name: string
  /** `path`, `query`, `header` or `cookie`. */
  readonly place: string
  /** The parameter, after following references. */
  readonly node: NodeId
  /** The parameter as the operation or its path has it, which may be a reference. */
  readonly written: NodeId
}

/**
 * Returns the path's parameters, then the operation's. A parameter of the operation replaces one of
 * the path with the same name and location.
 */
export function operationParameters(
  specification: Specification,
  { node: operation, pathItem }: Operation,
): readonly OperationParameter[] {
  const { document } = specification
  const found = new Map<string, OperationParameter>()
  for (const owner of [pathItem, operation]) {
    for (const written of document.items(document.field(owner, 'parameters'))) {
      const node = specification.follow(written)
      const name = document.textField(node, 'name')
      const place = document.textField(node, 'in')
      if (node === undefined || name === undefined || place === undefined) continue
      found.set(`${place} ${name}`, { name, place, node, written })
    }
  }
  return [...found.values()]
}
