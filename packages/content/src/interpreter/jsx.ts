import type {
  Expression,
  JSXAttribute,
  JSXElement,
  JSXFragment,
  JSXIdentifier,
  JSXMemberExpression,
  JSXNamespacedName,
  JSXSpreadAttribute,
} from 'estree-jsx'
import type { PageNode } from '../tree/page-tree.ts'
import { evaluate, readProperty } from './evaluate.ts'
import { type Context, endOf, fail, startOf } from './run.ts'
import { toNodes } from './to-nodes.ts'
import { isObject, Markup, newObject, type Value, type ValueObject } from './value.ts'

/** Evaluates JSX to markup. */
export function evaluateJsx(context: Context, node: JSXElement | JSXFragment): Markup {
  if (node.type === 'JSXFragment') return new Markup(childNodes(context, node))
  const { openingElement } = node
  const { name, value } = readTag(context, openingElement.name)
  const props = readProps(context, openingElement.attributes)
  // If the only child is an expression, its value is passed unchanged, since a component may expect
  // a function or data.
  const nodes = context.run.renderTag({
    name,
    value,
    props,
    children: childNodes(context, node),
    unit: context.unit,
    offset: startOf(node),
    end: endOf(node),
  })
  return new Markup(nodes)
}

function childNodes(context: Context, node: JSXElement | JSXFragment): readonly PageNode[] {
  const nodes: PageNode[] = []
  for (const child of node.children) {
    if (child.type === 'JSXText') {
      const text = cleanText(child.value)
      if (text !== '') nodes.push(text)
    } else if (child.type === 'JSXExpressionContainer') {
      if (child.expression.type === 'JSXEmptyExpression') continue
      for (const part of toNodes(context, evaluate(context, child.expression), child.expression))
        nodes.push(part)
    } else if (child.type === 'JSXSpreadChild') {
      for (const part of toNodes(context, evaluate(context, child.expression), child.expression))
        nodes.push(part)
    } else for (const part of evaluateJsx(context, child).nodes) nodes.push(part)
  }
  return nodes
}

/** Joins the lines of JSX text as React does, without indentation and line breaks. */
function cleanText(written: string): string {
  if (!written.includes('\n')) return written
  const lines = written.split(/\r\n|\n|\r/)
  return lines
    .map((line, index) => {
      let text = line.replaceAll('\t', ' ')
      if (index > 0) text = text.trimStart()
      return index < lines.length - 1 ? text.trimEnd() : text
    })
    .filter((line) => line !== '')
    .join(' ')
}

type Tag = { readonly name: string; readonly value: Value }

function readTag(
  context: Context,
  node: JSXIdentifier | JSXMemberExpression | JSXNamespacedName,
): Tag {
  if (node.type === 'JSXNamespacedName')
    return { name: `${node.namespace.name}:${node.name.name}`, value: undefined }
  if (node.type === 'JSXIdentifier') return { name: node.name, value: lookUp(context, node.name) }
  const object = readTag(context, node.object)
  const name = `${object.name}.${node.property.name}`
  return {
    name,
    value: isObject(object.value) ? readProperty(object.value, node.property.name) : undefined,
  }
}

/**
 * Returns the definition of a tag name; undefined for a lower-case name, which is HTML as in React.
 */
function lookUp(context: Context, name: string): Value {
  return /^[a-z]/.test(name) ? undefined : context.scope.find(name)?.get(name)
}

function readProps(
  context: Context,
  attributes: readonly (JSXAttribute | JSXSpreadAttribute)[],
): ValueObject {
  const props = newObject()
  for (const attribute of attributes) {
    if (attribute.type === 'JSXSpreadAttribute') {
      const value = evaluate(context, attribute.argument)
      if (isObject(value)) for (const [key, item] of Object.entries(value)) props[key] = item
      continue
    }
    const { name } = attribute
    const key =
      name.type === 'JSXIdentifier' ? name.name : `${name.namespace.name}:${name.name.name}`
    props[key] = readValue(context, attribute)
  }
  return props
}

function readValue(context: Context, { value }: JSXAttribute): Value {
  if (value === null) return true
  switch (value.type) {
    case 'Literal':
      return typeof value.value === 'string' ? value.value : String(value.value)
    case 'JSXExpressionContainer':
      if (value.expression.type === 'JSXEmptyExpression') return undefined
      return evaluate(context, value.expression as Expression)
    case 'JSXElement':
    case 'JSXFragment':
      return evaluateJsx(context, value)
    default:
      return fail('unsupported', 'This value is not supported', { context, node: value })
  }
}
