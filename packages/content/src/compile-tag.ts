import type { MdastNode } from 'satteri'
import { evaluateText, reportProblem } from './compile-expression.ts'
import { compileChildren } from './compile-markdown.ts'
import { COMPONENTS } from './components.ts'
import { fillVariables } from './fill-variables.ts'
import { EvaluationProblem } from './interpreter/problem.ts'
import {
  isObject,
  newObject,
  ownProperty,
  type Value,
  type ValueObject,
} from './interpreter/value.ts'
import { spotOf } from './markdown-file.ts'
import type { PageNode } from './page-tree.ts'
import { type Reading, unitAt } from './reading.ts'

type TagNode = Extract<MdastNode, { type: 'mdxJsxFlowElement' | 'mdxJsxTextElement' }>

/** `<Name …>…</Name>` on a page. */
export function compileTag(reading: Reading, node: TagNode): readonly PageNode[] {
  const { name } = node
  const children = compileChildren(reading, node.children)
  if (name === null) return children
  const props = readProps(reading, node)
  const start = node.position?.start.offset ?? 0
  const value = lookUp(reading, name)
  const request = { name, value, props, children, unit: unitAt(reading, start), offset: 0 }
  const nodes = reading.page.run.attempt(() => reading.page.run.renderTag(request))
  if (!(nodes instanceof EvaluationProblem)) return nodes
  // A page that is over its limit of nodes ends; any other problem costs this component only.
  if (nodes.kind === 'page') throw nodes
  reportProblem(reading.page, nodes, {
    text: `<${name}>`,
    unit: request.unit,
    spot: spotOf(reading.file, node),
    otherwise: 'left out',
  })
  return children
}

/** What the author defined under the name: `Card`, `Parts.Card`. Lower-case names are HTML. */
function lookUp(reading: Reading, name: string): Value {
  if (/^[a-z][^.]*$/.test(name)) return undefined
  const [first = '', ...rest] = name.split('.')
  let value = reading.scope.find(first)?.get(first)
  for (const part of rest) value = isObject(value) ? ownProperty(value, part) : undefined
  return value
}

function readProps(reading: Reading, node: TagNode): ValueObject {
  const props = newObject()
  for (const attribute of node.attributes) {
    if (attribute.type === 'mdxJsxExpressionAttribute') {
      const spread = readExpression(reading, node, attribute.value.trim().replace(/^\.\.\./, ''))
      if (isObject(spread)) for (const [key, value] of Object.entries(spread)) props[key] = value
      continue
    }
    const { name, value } = attribute
    if (value === null || value === undefined) props[name] = true
    else if (typeof value === 'string') props[name] = fillVariables(value, reading.variables)
    else if (name === 'icon' && COMPONENTS.has(node.name ?? '')) {
      props[name] = reading.page.decorate(() => readExpression(reading, node, value.value))
    } else props[name] = readExpression(reading, node, value.value)
  }
  return props
}

/** The commonest expressions are read without a parser: numbers, truth values, plain texts. */
function readExpression(reading: Reading, node: TagNode, written: string): Value {
  const text = written.trim()
  if (text === 'true') return true
  if (text === 'false') return false
  if (/^\d{1,9}$/.test(text)) return Number(text)
  if (/^"[^"\\\n]*"$|^'[^'\\\n]*'$/.test(text)) return text.slice(1, -1)
  const spot = spotOf(reading.file, node)
  const unit = unitAt(reading, node.position?.start.offset ?? 0)
  return evaluateText(reading, { text, unit, spot, otherwise: 'left out' }, (_, value) => value)
}
