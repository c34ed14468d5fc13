import { allowedTag } from '../allowed/allowed-html.ts'
import { COMPONENTS } from '../allowed/components.ts'
import { EvaluationProblem } from '../interpreter/problem.ts'
import {
  Broken,
  Closure,
  containsFunction,
  isObject,
  Native,
  newObject,
  Snippet,
  type Value,
  type ValueObject,
} from '../interpreter/value.ts'
import { fillVariables } from '../markdown/fill-variables.ts'
import { spotOf } from '../modules/markdown-file.ts'
import { attributeStarts, expressionUnit, type TagNode } from './code-places.ts'
import { evaluateText, type Outcome } from './compile-expression.ts'
import type { Reading } from './reading.ts'

export type TagProps = {
  readonly props: ValueObject
  /** The indexes of the attributes that only add event handlers. They are not in `props`. */
  readonly handlers: ReadonlySet<number>
  /** False if the value of any other attribute is only known in a browser. */
  readonly isKnown: boolean
}

/** Evaluates the attributes of a tag. `value` is the author's definition of its name. */
export function readProps(reading: Reading, node: TagNode, value: Value): TagProps {
  const props = newObject()
  const handlers = new Set<number>()
  const kind = kindOf(reading, node, value)
  let isKnown = true
  let starts: readonly number[] | undefined
  for (const [index, attribute] of node.attributes.entries()) {
    const startOf = () => {
      starts ??= attributeStarts(reading.file.parsed.text, node)
      return starts[index] ?? node.position?.start.offset ?? 0
    }
    const { name, outcome } = readAttribute(reading, { attribute, node, startOf })
    const needsBrowser = outcome.kind === 'needs-browser'
    const read = outcome.kind === 'failed' ? undefined : outcome.value
    if (name === undefined) {
      for (const [key, item] of isObject(read) ? Object.entries(read) : []) {
        if (kind !== 'other' && isHandler(key, item)) handlers.add(index)
        else props[key] = item
      }
      if (needsBrowser) isKnown = false
    } else if (kind !== 'other' && HANDLER.test(name) && (needsBrowser || isHandler(name, read)))
      handlers.add(index)
    else if (kind === 'built-in' && (needsBrowser || isCode(reading, name, read)))
      reportBuiltIn(reading, node, name)
    else {
      props[name] = read
      if (needsBrowser && value instanceof Snippet) props[name] = broken(name)
      else if (needsBrowser) isKnown = false
    }
  }
  return { props, handlers, isKnown }
}

/**
 * Returns the kind of a tag. Elements get an island for their handlers, while an author's component
 * becomes an island itself.
 */
function kindOf({ page }: Reading, node: TagNode, value: Value): 'html' | 'built-in' | 'other' {
  const name = node.name ?? ''
  if (value !== undefined || page.run.frame?.file !== undefined) return 'other'
  if (COMPONENTS.has(name)) return 'built-in'
  return allowedTag(name) === undefined ? 'other' : 'html'
}

const HANDLER = /^(?:on[a-z]|ref$)/i

function isHandler(name: string, value: Value): boolean {
  return HANDLER.test(name) && (value instanceof Closure || value instanceof Native)
}

function isCode({ page }: Reading, name: string, value: Value): boolean {
  return /^on[A-Z]/.test(name) || containsFunction(value, (steps) => page.run.spend(steps))
}

function reportBuiltIn({ page, file }: Reading, node: TagNode, attribute: string): void {
  page.report('content/needs-browser', spotOf(file, node), {
    message: `\`${attribute}\` of \`<${node.name}>\` is removed: its value needs a browser, and built-in components are rendered when the site is built.`,
    hint: 'Wrap it in your own component in a `.jsx` file and import that.',
  })
}

function broken(name: string): Broken {
  const message = `only a browser knows \`${name}\``
  return new Broken(new EvaluationProblem('browser', message, { unit: undefined, offset: 0 }))
}

type Attribute = {
  readonly attribute: TagNode['attributes'][number]
  readonly node: TagNode
  readonly startOf: () => number
}

type ReadAttribute = { readonly name: string | undefined; readonly outcome: Outcome<Value> }

/** Evaluates an attribute. The returned name is undefined for a spread. */
function readAttribute(reading: Reading, { attribute, node, startOf }: Attribute): ReadAttribute {
  // The dots of a spread are replaced by spaces, so that all offsets stay the same.
  if (attribute.type === 'mdxJsxExpressionAttribute') {
    const code = attribute.value.replace('...', '   ')
    return { name: undefined, outcome: readExpression(reading, code, startOf) }
  }
  const { name, value } = attribute
  if (value === null || value === undefined) return { name, outcome: known(true) }
  if (typeof value === 'string')
    return { name, outcome: known(fillVariables(value, reading.variables)) }
  const read = () => readExpression(reading, value.value, startOf)
  const isIcon = name === 'icon' && COMPONENTS.has(node.name ?? '')
  return { name, outcome: isIcon ? reading.page.withoutAltText(read) : read() }
}

/** Evaluates an expression. Numbers, booleans and strings, the most common ones, need no parser. */
function readExpression(reading: Reading, written: string, startOf: () => number): Outcome<Value> {
  const text = written.trim()
  if (text === 'true') return known(true)
  if (text === 'false') return known(false)
  if (/^\d{1,9}$/.test(text)) return known(Number(text))
  if (/^"[^"\\\n]*"$|^'[^'\\\n]*'$/.test(text)) return known(text.slice(1, -1))
  const unit = expressionUnit(reading, written, startOf())
  const spot = { source: unit.source, offset: unit.toOffset(0) }
  const code = { text: written, unit, spot, otherwise: 'omitted' } as const
  return evaluateText(reading, code, (_, value) => value)
}

function known(value: Value): Outcome<Value> {
  return { kind: 'value', value }
}
