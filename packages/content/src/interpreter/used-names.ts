import type { Node } from 'estree-jsx'
import { parseExpression } from './parse-code.ts'

export type UsedNames = {
  readonly names: ReadonlySet<string>
  /** Names that the code itself defines, possibly only in one of its functions. */
  readonly local: ReadonlySet<string>
}

/** Returns the names in an expression, except the names of members and attributes. */
export function usedNames(code: string): UsedNames {
  const names = new Set<string>()
  const local = new Set<string>()
  const parsed = parseExpression(code)
  const stack: { node: unknown; isBinding: boolean }[] = []
  if (parsed.kind === 'parsed') stack.push({ node: parsed.syntax, isBinding: false })
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node, isBinding } = top
    if (Array.isArray(node)) for (const one of node) stack.push({ node: one, isBinding })
    if (!isNode(node)) continue
    const name = nameOf(node)
    if (name !== undefined) (isBinding ? local : names).add(name)
    for (const [key, inner] of Object.entries(node)) {
      if (typeof inner !== 'object' || inner === null || isLabel(node, key)) continue
      const binds = bindsNames(node, key) || (isBinding && isPattern(node))
      stack.push({ node: inner, isBinding: binds })
    }
  }
  return { names, local }
}

/** Returns the name of an identifier. Lower-case tags are HTML, so they are not names. */
function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name
  return node.type === 'JSXIdentifier' && /^[A-Z]/.test(node.name) ? node.name : undefined
}

function isLabel(node: Node, key: string): boolean {
  switch (node.type) {
    case 'MemberExpression':
      return key === 'property' && !node.computed
    case 'Property':
      return key === 'key' && !node.computed
    case 'JSXMemberExpression':
      return key === 'property'
    case 'JSXAttribute':
      return key === 'name'
    default:
      return false
  }
}

function bindsNames(node: Node, key: string): boolean {
  if (key === 'params' || key === 'param') return true
  return key === 'id' && /Declarator|Function|Class/.test(node.type)
}

function isPattern({ type }: Node): boolean {
  return /Pattern|RestElement|Property/.test(type)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
