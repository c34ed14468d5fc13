import { OPENAPI_LIMITS } from '../document/limits.ts'
import type { NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'

export const METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
] as const

export type Operation = {
  readonly kind: 'operation' | 'webhook'
  /** The method in upper case. */
  readonly method: string
  /** The path of an operation, or the name of a webhook. */
  readonly path: string
  readonly node: NodeId
  /** The path item that contains the operation, after following references. */
  readonly pathItem: NodeId
}

/**
 * Returns the method as it appears in navigation and frontmatter, which is `WEBHOOK` for webhooks.
 */
export function listedMethod({ kind, method }: Operation): string {
  return kind === 'webhook' ? 'WEBHOOK' : method
}

/** Returns all operations in document order, then all webhooks. */
export function listOperations(specification: Specification): readonly Operation[] {
  const { document, version } = specification
  const operations = listPaths(specification).flatMap(({ path, item, isSkipped }) =>
    isSkipped ? [] : inItem(specification, 'operation', path, item),
  )
  if (version === '3.0') return operations
  const webhooks = document.entries(document.field(document.root, 'webhooks'))
  return [
    ...operations,
    ...webhooks.flatMap(([name, item]) => inItem(specification, 'webhook', name, item).slice(0, 1)),
  ]
}

type ListedPath = {
  readonly path: string
  readonly item: NodeId
  /** Whether the path is skipped because too many paths use its path item. */
  readonly isSkipped: boolean
}

/** Returns all paths in document order. */
export function listPaths(specification: Specification): readonly ListedPath[] {
  const { document } = specification
  const uses = new Map<NodeId, number>()
  return document
    .entries(document.field(document.root, 'paths'))
    .filter(([path]) => path.startsWith('/'))
    .map(([path, item]) => {
      const referred = specification.isReference(item) ? specification.follow(item) : undefined
      if (referred === undefined) return { path, item, isSkipped: false }
      const count = (uses.get(referred) ?? 0) + 1
      uses.set(referred, count)
      return { path, item, isSkipped: count > OPENAPI_LIMITS.pathItemUsesMax }
    })
}

function inItem(
  specification: Specification,
  kind: Operation['kind'],
  path: string,
  item: NodeId,
): readonly Operation[] {
  return methodsOf(specification, item).map(({ method, node, pathItem }) => ({
    kind,
    method,
    path,
    node,
    pathItem,
  }))
}

type Method = Pick<Operation, 'method' | 'node' | 'pathItem'>

/** Returns the methods of a path item, then further methods of the path item that it refers to. */
function methodsOf(specification: Specification, item: NodeId): readonly Method[] {
  const { document } = specification
  const referred = specification.isReference(item) ? specification.follow(item) : undefined
  const found = new Map<string, Method>()
  for (const pathItem of [item, referred]) {
    if (pathItem === undefined) continue
    for (const [key, node] of document.entries(pathItem)) {
      if (!isMethod(key) || !document.isObject(node) || found.has(key)) continue
      found.set(key, { method: key.toUpperCase(), node, pathItem })
    }
  }
  return [...found.values()]
}

export function isMethod(key: string): boolean {
  return (METHODS as readonly string[]).includes(key)
}

export type CallbackOperation = Method & { readonly name: string; readonly expression: string }

/**
 * Returns the callbacks of an operation, one for each name, expression and method ("Events", rule
 * 3).
 */
export function callbackOperations(
  specification: Specification,
  operation: NodeId,
): readonly CallbackOperation[] {
  const { document } = specification
  return document
    .entries(document.field(operation, 'callbacks'))
    .flatMap(([name, callback]) => callbacksNamed(specification, name, callback))
}

/** Returns the callbacks with one name, for each expression and method. */
export function callbacksNamed(
  specification: Specification,
  name: string,
  written: NodeId,
): readonly CallbackOperation[] {
  const { document } = specification
  return document.entries(specification.follow(written)).flatMap(([expression, item]) => {
    if (expression.startsWith('x-') || !document.isObject(item)) return []
    return methodsOf(specification, item).map((method) => ({ name, expression, ...method }))
  })
}
