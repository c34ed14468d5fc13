/** Renders a tag: the author's component, an HTML element, a built-in component, or an error. */
import { COMPONENTS } from '../allowed/components.ts'
import { call } from '../interpreter/call.ts'
import type { Context, TagRequest } from '../interpreter/run.ts'
import { Scope } from '../interpreter/scope.ts'
import { toNodes } from '../interpreter/to-nodes.ts'
import {
  Closure,
  Markup,
  Missing,
  Native,
  newObject,
  ownProperty,
  Snippet,
  type Value,
  type ValueObject,
} from '../interpreter/value.ts'
import type { PageState, Spot } from '../page-state.ts'
import type { PageNode } from '../tree/page-tree.ts'
import { lineText } from '../tree/plain-text.ts'
import { renderAuthored } from './render-authored.ts'
import { renderComponent } from './render-component.ts'
import { renderElement } from './render-element.ts'
import { renameTag } from './tag-fixes.ts'
import { correctionForComponent, hintForComponent } from './tag-hints.ts'

/** The steps that rendering a snippet costs, so that endless nesting exceeds the step limit. */
const SNIPPET_STEPS = 100

export function renderTag(page: PageState, request: TagRequest): readonly PageNode[] {
  const { name, value } = request
  page.run.spend(value instanceof Snippet ? SNIPPET_STEPS : 1)
  if (value instanceof Closure)
    return excludeFromHeading(page, request, renderAuthored(page, value, request))
  if (value instanceof Snippet)
    return excludeFromHeading(page, request, value.render(propsWithChildren(request)))
  if (value instanceof Native) return renderNative(page, value, request)
  if (value instanceof Missing && !COMPONENTS.has(name)) return childrenOf(request)
  const spot = spotOfRequest(request)
  if (/^[a-z]/.test(name)) {
    return renderElement(page, {
      tag: name,
      props: request.props,
      children: childrenOf(request),
      spot,
      end: endOfRequest(request),
    })
  }
  if (COMPONENTS.has(name))
    return renderComponent(page, { ...request, children: childrenOf(request), spot })
  const children = childrenOf(request)
  const rest = lineText(children) === '' ? 'it is not shown' : 'only its content is shown'
  const put = correctionForComponent(name)
  page.report('content/unknown-component', spot, {
    message: `Unknown component \`<${name}>\`: ${rest}.`,
    hint: hintForComponent(name),
    fix: put === undefined ? undefined : renameTag(spot, { name, put, end: endOfRequest(request) }),
  })
  return children
}

/**
 * Excludes a component without children from heading names: the name of
 * `## Prices <Since version="5" />` is "Prices".
 */
function excludeFromHeading(
  page: PageState,
  { children }: TagRequest,
  nodes: readonly PageNode[],
): readonly PageNode[] {
  if (children.length > 0) return nodes
  for (const node of nodes) if (typeof node !== 'string') page.excludedFromHeading.add(node)
  return nodes
}

export function spotOfRequest({ unit, offset }: TagRequest): Spot {
  return { source: unit.source, offset: unit.toOffset(unit.base + offset) }
}

function endOfRequest({ unit, offset, end = offset }: TagRequest): number {
  return unit.toOffset(unit.base + end)
}

/** Returns the content between the tags, or else the `children` prop. */
function childrenOf({ props, children }: TagRequest): readonly PageNode[] {
  if (children.length > 0) return children
  const written: Value = ownProperty(props, 'children')
  if (written instanceof Markup) return written.nodes
  return typeof written === 'string' ? [written] : children
}

/** Returns the props that an author's component is called with. */
export function propsWithChildren({ props, children }: TagRequest): ValueObject {
  const all = newObject(Object.entries(props))
  if (children.length > 0) all.children = new Markup(children)
  return all
}

function renderNative(page: PageState, native: Native, request: TagRequest): readonly PageNode[] {
  const context: Context = { run: page.run, scope: new Scope(undefined), unit: request.unit }
  const node = { type: 'Identifier', name: native.name } as const
  const value = call(context, { callee: native, args: [propsWithChildren(request)], node })
  return toNodes(context, value, node)
}
