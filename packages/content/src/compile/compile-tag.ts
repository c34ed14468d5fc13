import { allowedTag } from '../allowed/allowed-html.ts'
import { EvaluationProblem } from '../interpreter/problem.ts'
import { isObject, ownProperty, Snippet, type Value } from '../interpreter/value.ts'
import { spotOf } from '../modules/markdown-file.ts'
import type { PageNode } from '../tree/page-tree.ts'
import type { TagNode } from './code-places.ts'
import { reportProblem } from './compile-expression.ts'
import { compileChildren } from './compile-markdown.ts'
import { reportForeignTag } from './foreign-tag.ts'
import { inPageFrame, pageIsland, withHandlers, writeTag } from './page-island.ts'
import { readProps } from './read-props.ts'
import { type Reading, unitAt } from './reading.ts'

/** Compiles `<Name …>…</Name>` on a page. */
export function compileTag(reading: Reading, node: TagNode): readonly PageNode[] {
  const { name } = node
  const { run } = reading.page
  const inside = () => compileChildren(reading, node.children)
  const children = isCaptioned(node) ? reading.page.withoutAltText(inside) : inside()
  if (name === null) return children
  const value = lookUp(reading, name)
  const { props, handlers, isKnown } = readProps(reading, node, value)
  const start = node.position?.start.offset ?? 0
  reportForeignTag(reading, node, value)
  const end = (node.position?.end.offset ?? start) - start
  const request = { name, value, props, children, unit: unitAt(reading, start), offset: 0, end }
  const spot = spotOf(reading.file, node)
  const { value: nodes, needsBrowser } = inPageFrame(reading, spot, () => {
    if (!isKnown && run.frame !== undefined) run.frame.needsBrowser = true
    return run.renderTag(request)
  })
  if (nodes instanceof EvaluationProblem) {
    reportProblem(reading.page, nodes, {
      text: `<${name}>`,
      unit: request.unit,
      spot,
      otherwise: 'omitted',
    })
    return children
  }
  if (handlers.size > 0 && isKnown) return withHandlers(reading, node, { handlers, nodes })
  if (!needsBrowser) return nodes
  return pageIsland(reading, {
    name,
    kind: 'component',
    isInline: false,
    spot,
    code: writeTag(reading, node, children.length > 0),
    shown: nodes,
    children,
  })
}

/** Checks whether a tag is a `Frame` with a caption, which already describes the image inside. */
function isCaptioned({ name, attributes }: TagNode): boolean {
  if (name !== 'Frame') return false
  return attributes.some(
    (attribute) =>
      attribute.type === 'mdxJsxAttribute' && attribute.name === 'caption' && attribute.value,
  )
}

/**
 * Returns the author's definition of a tag name such as `Card` or `Parts.Card`. A lower-case name
 * is HTML, unless it is the name of a snippet and not of an HTML tag
 * (`import fork from '/snippets/fork.mdx'`).
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
