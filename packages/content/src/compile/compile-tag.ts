import { allowedTag } from '../allowed/allowed-html.ts'
import { COMPONENTS } from '../allowed/components.ts'
import { EvaluationProblem } from '../interpreter/problem.ts'
import {
  isObject,
  newObject,
  ownProperty,
  Snippet,
  type Value,
  type ValueObject,
} from '../interpreter/value.ts'
import { fillVariables } from '../markdown/fill-variables.ts'
import { spotOf } from '../modules/markdown-file.ts'
import type { PageNode } from '../tree/page-tree.ts'
import { attributeStarts, expressionUnit, type TagNode } from './code-places.ts'
import { evaluateText, reportProblem } from './compile-expression.ts'
import { compileChildren } from './compile-markdown.ts'
import { reportForeignTag } from './foreign-tag.ts'
import { type Reading, unitAt } from './reading.ts'

/** Compiles `<Name …>…</Name>` on a page. */
export function compileTag(reading: Reading, node: TagNode): readonly PageNode[] {
  const { name } = node
  const inside = () => compileChildren(reading, node.children)
  const children = isCaptioned(node) ? reading.page.withoutAltText(inside) : inside()
  if (name === null) return children
  const props = readProps(reading, node)
  const start = node.position?.start.offset ?? 0
  const value = lookUp(reading, name)
  reportForeignTag(reading, node, value)
  const request = { name, value, props, children, unit: unitAt(reading, start), offset: 0 }
  const nodes = reading.page.run.attempt(() => reading.page.run.renderTag(request))
  if (!(nodes instanceof EvaluationProblem)) return nodes
  // Over the node limit, the whole page fails; any other problem affects only this component.
  if (nodes.kind === 'page') throw nodes
  reportProblem(reading.page, nodes, {
    text: `<${name}>`,
    unit: request.unit,
    spot: spotOf(reading.file, node),
    otherwise: 'omitted',
  })
  return children
}

/** The caption of a `Frame` already describes the image. */
function isCaptioned({ name, attributes }: TagNode): boolean {
  if (name !== 'Frame') return false
  return attributes.some(
    (attribute) =>
      attribute.type === 'mdxJsxAttribute' && attribute.name === 'caption' && attribute.value,
  )
}

/**
 * Returns the author's definition of a name: `Card`, `Parts.Card`. Lower-case names are HTML,
 * except for snippets with a name that HTML does not have (`import fork from
 * '/snippets/fork.mdx'`).
 */
function lookUp(reading: Reading, name: string): Value {
  if (/^[a-z][^.]*$/.test(name)) {
    const own = allowedTag(name) === undefined ? reading.scope.find(name)?.get(name) : undefined
    return own instanceof Snippet ? own : undefined
  }
  const [first = '', ...rest] = name.split('.')
  let value = reading.scope.find(first)?.get(first)
  for (const part of rest) value = isObject(value) ? ownProperty(value, part) : undefined
  return value
}

function readProps(reading: Reading, node: TagNode): ValueObject {
  const props = newObject()
  let starts: readonly number[] | undefined
  for (const [index, attribute] of node.attributes.entries()) {
    const startOf = () => {
      starts ??= attributeStarts(reading.file.parsed.text, node)
      return starts[index] ?? node.position?.start.offset ?? 0
    }
    const read = (code: string) => readExpression(reading, code, startOf)
    if (attribute.type === 'mdxJsxExpressionAttribute') {
      // Replaces the dots with spaces, so that all offsets stay the same.
      const spread = read(attribute.value.replace('...', '   '))
      if (isObject(spread)) for (const [key, value] of Object.entries(spread)) props[key] = value
      continue
    }
    const { name, value } = attribute
    if (value === null || value === undefined) props[name] = true
    else if (typeof value === 'string') props[name] = fillVariables(value, reading.variables)
    else if (name === 'icon' && COMPONENTS.has(node.name ?? '')) {
      props[name] = reading.page.withoutAltText(() => read(value.value))
    } else props[name] = read(value.value)
  }
  return props
}

/** Fast path without a parser for the most common expressions: numbers, booleans, strings. */
function readExpression(reading: Reading, written: string, startOf: () => number): Value {
  const text = written.trim()
  if (text === 'true') return true
  if (text === 'false') return false
  if (/^\d{1,9}$/.test(text)) return Number(text)
  if (/^"[^"\\\n]*"$|^'[^'\\\n]*'$/.test(text)) return text.slice(1, -1)
  const unit = expressionUnit(reading, written, startOf())
  const spot = { source: unit.source, offset: unit.toOffset(0) }
  const code = { text: written, unit, spot, otherwise: 'omitted' } as const
  return evaluateText(reading, code, (_, value) => value)
}
