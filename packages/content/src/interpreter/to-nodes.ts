import type { Expression } from 'estree-jsx'
import type { PageNode } from '../tree/page-tree.ts'
import { type Context, fail } from './run.ts'
import { isObject, Markup, Missing, newObject, Snippet, type Value } from './value.ts'

/** Converts a value to page nodes. Null, undefined and booleans produce no nodes, as in React. */
export function toNodes(context: Context, value: Value, node: Expression): readonly PageNode[] {
  if (value instanceof Markup) {
    context.run.spend(value.nodes.length, context, node)
    return value.nodes
  }
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (typeof value === 'number') return [String(value)]
  if (
    value === undefined ||
    value === null ||
    typeof value === 'boolean' ||
    value instanceof Missing
  )
    return []
  if (Array.isArray(value)) {
    context.run.spend(value.length, context, node)
    const nodes: PageNode[] = []
    for (const item of value) for (const child of toNodes(context, item, node)) nodes.push(child)
    return nodes
  }
  if (value instanceof Snippet) return value.render(newObject())
  const what = isObject(value) ? 'An object' : 'A function'
  return fail('unsupported', `${what} cannot be shown as text`, { context, node })
}
