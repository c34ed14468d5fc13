/**
 * Renders components that an author wrote. The interpreter completely renders those that only
 * produce markup. Components that use hooks, event handlers or browser APIs become islands: only
 * their initial state is rendered here, and their module is sent to the reader's browser.
 */
import type { Node } from 'estree-jsx'
import { invoke } from '../interpreter/call.ts'
import { EvaluationProblem } from '../interpreter/problem.ts'
import type { Context, Frame, TagRequest } from '../interpreter/run.ts'
import { toNodes } from '../interpreter/to-nodes.ts'
import {
  type Closure,
  containsFunction,
  Markup,
  toData,
  type ValueObject,
} from '../interpreter/value.ts'
import type { PageState } from '../page-state.ts'
import { checkTree } from '../tree/check-tree.ts'
import type { Data, IslandNode, PageNode } from '../tree/page-tree.ts'
import { propsWithChildren, spotOfRequest } from './render-tag.ts'

/** Renders an author's component, or turns it into an island. */
export function renderAuthored(
  page: PageState,
  closure: Closure,
  request: TagRequest,
): readonly PageNode[] {
  const outer = page.run.frame
  const { file } = closure.unit.source
  const call = spotOfRequest(request)
  const frame: Frame = { call, outer, needsBrowser: false, file, held: [] }
  const props = propsWithChildren(request)
  page.run.frame = frame
  const rendered = page.run.attempt(() => renderBody(page, closure, props))
  page.run.frame = outer
  if (rendered instanceof EvaluationProblem) {
    // A browser may be able to run code that the interpreter cannot, so only unknown names and
    // exceeded limits are errors.
    const isReported = rendered.kind === 'undefined-name' || rendered.kind === 'limit'
    if (rendered.kind === 'page' || (isReported && !frame.needsBrowser)) throw rendered
    frame.needsBrowser = true
  }
  if (frame.needsBrowser && frame.borrowed !== undefined) {
    const message = `\`${frame.borrowed}\` is not defined`
    throw new EvaluationProblem('undefined-name', message, { unit: closure.unit, offset: 0 })
  }
  if (outer !== undefined && frame.borrowed !== undefined) outer.borrowed ??= frame.borrowed
  const nodes = rendered instanceof EvaluationProblem ? staticText(closure.syntax) : rendered
  if (!frame.needsBrowser) {
    for (const report of frame.held) {
      if (outer === undefined) report()
      else outer.held.push(report)
    }
    return nodes
  }
  // A component inside one from its own module is part of the outer one, which is the island.
  if (
    outer !== undefined &&
    (outer.file === frame.file || containsFunction(props, (steps) => page.run.spend(steps)))
  ) {
    outer.needsBrowser = true
    return nodes
  }
  return [island(page, { closure, props, nodes })]
}

function renderBody(page: PageState, closure: Closure, props: ValueObject): readonly PageNode[] {
  const node = { type: 'Identifier', name: closure.name } as const
  const context: Context = { run: page.run, scope: closure.scope, unit: closure.unit }
  return toNodes(context, invoke(context, closure, { args: [props], node }), node)
}

type IslandInput = {
  readonly closure: Closure
  readonly props: ValueObject
  readonly nodes: readonly PageNode[]
}

function island(page: PageState, { closure, props, nodes }: IslandInput): IslandNode {
  page.countNode()
  const tooLarge = checkTree(nodes)
  if (tooLarge !== undefined)
    throw new EvaluationProblem('page', tooLarge, { unit: undefined, offset: 0 })
  const data: Record<string, Data> = Object.create(null)
  const spend = (steps: number) => page.run.spend(steps)
  let slots: Record<string, readonly PageNode[]> | undefined
  for (const [name, value] of Object.entries(props)) {
    if (value instanceof Markup) {
      slots ??= Object.create(null) as Record<string, readonly PageNode[]>
      slots[name] = value.nodes
      continue
    }
    const read = toData(value, spend)
    if (read !== undefined) data[name] = read
  }
  const source = { file: closure.unit.source.file, name: closure.name }
  return {
    kind: 'island',
    name: closure.name,
    source,
    props: data,
    slots,
    children: withoutIslands(nodes),
  }
}

/** Replaces islands with their content, since an island inside another is part of the outer one. */
export function withoutIslands(nodes: readonly PageNode[]): readonly PageNode[] {
  return nodes.flatMap((node): readonly PageNode[] => {
    if (typeof node === 'string' || !('children' in node)) return [node]
    if (node.kind === 'island') return withoutIslands(node.children)
    return [{ ...node, children: withoutIslands(node.children) }]
  })
}

/** Returns the literal text of a component that cannot be rendered at build time. */
export function staticText(syntax: object): readonly PageNode[] {
  const words: string[] = []
  const stack: unknown[] = [syntax]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (Array.isArray(node)) for (const part of node.toReversed()) stack.push(part)
    else if (isNode(node)) {
      if (node.type === 'JSXText' && node.value.trim() !== '')
        words.push(node.value.trim().replaceAll(/\s+/g, ' '))
      stack.push(
        ...Object.values(node)
          .toReversed()
          .filter((part) => typeof part === 'object'),
      )
    }
  }
  return words.length === 0 ? [] : [words.join(' ')]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
