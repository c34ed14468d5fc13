/**
 * Elements and expressions of a page that need a browser. Each becomes a separate island that is as
 * small as possible: Markdown between the tags remains part of the page.
 */
import { allowedTag, isHtmlTag, VOID_TAGS } from '../allowed/allowed-html.ts'
import { COMPONENTS } from '../allowed/components.ts'
import { BROWSER_NAMES } from '../interpreter/globals.ts'
import { EvaluationProblem } from '../interpreter/problem.ts'
import type { Frame } from '../interpreter/run.ts'
import { usedNames } from '../interpreter/used-names.ts'
import {
  Broken,
  containsFunction,
  Markup,
  Missing,
  Snippet,
  toData,
  type Value,
} from '../interpreter/value.ts'
import { fillVariables } from '../markdown/fill-variables.ts'
import { spotOf } from '../modules/markdown-file.ts'
import type { Spot } from '../page-state.ts'
import { withoutIslands } from '../render/render-authored.ts'
import { checkTree } from '../tree/check-tree.ts'
import type { Data, IslandNode, PageCode, PageNode, Slots } from '../tree/page-tree.ts'
import type { TagNode } from './code-places.ts'
import type { Reading } from './reading.ts'

/** Evaluates an element or expression of the page and returns whether it needs a browser. */
export function inPageFrame<Result>(
  { page: { run } }: Reading,
  call: Spot,
  work: () => Result,
): { readonly value: Result | EvaluationProblem; readonly needsBrowser: boolean } {
  const { frame } = run
  // Inside an author's component, the whole component becomes the island.
  const isInComponent = frame?.file !== undefined
  const own: Frame = { call, outer: undefined, needsBrowser: false, file: undefined, held: [] }
  if (!isInComponent) run.frame = own
  const value = run.attempt(work)
  run.frame = frame
  const problem = value instanceof EvaluationProblem ? value : undefined
  if (problem?.kind === 'page') throw problem
  if (isInComponent) return { value, needsBrowser: false }
  const isLost = problem?.kind === 'undefined-name' || problem?.kind === 'limit'
  if ((own.needsBrowser || problem?.kind === 'browser') && !isLost) {
    if (own.borrowed === undefined) return { value, needsBrowser: true }
    const message = `\`${own.borrowed}\` is not defined`
    const place = { unit: problem?.unit, offset: problem?.offset ?? 0 }
    return {
      value: new EvaluationProblem('undefined-name', message, place),
      needsBrowser: false,
    }
  }
  for (const report of own.held) report()
  return { value, needsBrowser: false }
}

type Part = {
  /** The name of the tag; empty for an expression. */
  readonly name: string
  readonly kind: PageCode['kind']
  readonly isInline: boolean
  readonly spot: Spot
  /** The code of the island, as an expression in JSX. */
  readonly code: string
  /** The nodes that are shown until the code runs, or if it cannot run. */
  readonly shown: readonly PageNode[]
  /** The content between the tags, if the code uses it. */
  readonly children: readonly PageNode[]
}

/**
 * Creates an island. If that is impossible, reports the reason and returns the nodes to show
 * instead.
 */
export function pageIsland(reading: Reading, part: Part): readonly PageNode[] {
  const { name, kind, isInline, spot, code, shown, children } = part
  const props = readCaptured(reading, part)
  if (props === undefined) return shown
  reading.page.countNode()
  const tooLarge = checkTree(shown)
  if (tooLarge !== undefined)
    throw new EvaluationProblem('page', tooLarge, { unit: undefined, offset: 0 })
  const captured = Object.keys(props)
  const slots: Slots | undefined = children.length === 0 ? undefined : { children }
  const params = [...captured, ...Object.keys(slots ?? {})]
  const { line, column } = spot.source.position(spot.offset)
  const text = `(${params.length === 0 ? '' : `{ ${params.join(', ')} }`}) => (${code}\n)`
  const island: IslandNode = {
    kind: 'island',
    name,
    // The name includes the captured names, since a snippet may capture others on another page.
    source: {
      file: spot.source.file,
      name: [`Island_${line}_${column}`, ...captured].join('_'),
    },
    code: { text, kind, isInline, line, column },
    props,
    slots,
    children: kind === 'handlers' ? shown : withoutIslands(shown),
  }
  return [island]
}

/**
 * Returns the values that the code uses but its file does not define: the props of a snippet, and
 * data of the page that includes it. Undefined if one of them would not exist in a browser.
 */
function readCaptured(
  reading: Reading,
  { code, kind, spot, children }: Part,
): Record<string, Data> | undefined {
  const { page, scope } = reading
  const captured: Record<string, Data> = Object.create(null)
  const { names, local } = usedNames(code)
  for (const name of names) {
    if (name === 'children' && children.length > 0) continue
    const found = scope.find(name)
    // Handlers may call names that a script of the site defines.
    const isMissing = found === undefined && kind === 'component'
    if (isMissing && !local.has(name) && !isStandard(name)) {
      page.report('content/undefined-name', spot, {
        message: `This code would run in the browser, but \`${name}\` is not defined.`,
        hint: `Import or export the name, or write \`window.${name}\` if a script of the site defines it.`,
      })
      return undefined
    }
    if (found?.parent === undefined || found === scope.parent) continue
    const value = found.get(name)
    if (value === undefined) continue
    const data = readData(reading, value)
    if (data === undefined) {
      page.report('content/needs-browser', spot, {
        message: `This code would run in the browser, where \`${name}\` is not available: a snippet receives only data from its page.`,
        hint: `Import or define \`${name}\` in \`${spot.source.file}\`.`,
      })
      return undefined
    }
    captured[name] = data
  }
  return captured
}

function readData({ page }: Reading, value: Value): Data | undefined {
  const spend = (steps: number) => page.run.spend(steps)
  const isOwn = [Broken, Markup, Missing, Snippet].some((type) => value instanceof type)
  return isOwn || containsFunction(value, spend) ? undefined : toData(value, spend)
}

function isStandard(name: string): boolean {
  return BROWSER_NAMES.has(name) || COMPONENTS.has(name) || name in globalThis
}

/**
 * Returns a tag of the page as JSX, in which `{children}` replaces the content between its tags.
 */
export function writeTag(reading: Reading, node: TagNode, hasChildren: boolean): string {
  const name = node.name ?? ''
  const attributes = node.attributes.map((attribute) => {
    if (attribute.type === 'mdxJsxExpressionAttribute') return `{${attribute.value}\n}`
    const { value } = attribute
    if (value === null || value === undefined) return attribute.name
    if (typeof value !== 'string') return `${attribute.name}={${value.value}\n}`
    return `${attribute.name}={${JSON.stringify(fillVariables(value, reading.variables))}}`
  })
  const tag = [name, ...attributes].join(' ')
  return hasChildren && !VOID_TAGS.has(name) ? `<${tag}>{children}</${name}>` : `<${tag} />`
}

/** Wraps a rendered tag in an island that adds the tag's event handlers. */
export function withHandlers(
  reading: Reading,
  node: TagNode,
  {
    handlers,
    nodes,
  }: { readonly handlers: ReadonlySet<number>; readonly nodes: readonly PageNode[] },
): readonly PageNode[] {
  const name = node.name ?? ''
  const spot = spotOf(reading.file, node)
  const reason = bound(name)
  const [only] = nodes
  if (reason === undefined && nodes.length === 1 && typeof only === 'object') {
    return pageIsland(reading, {
      name,
      kind: 'handlers',
      isInline: node.type === 'mdxJsxTextElement',
      spot,
      code: writeHandlers(node, handlers),
      shown: nodes,
      children: [],
    })
  }
  reading.page.report('content/needs-browser', spot, {
    message: `The handler of \`<${name}>\` is removed: ${reason ?? 'the tag is not shown as one element'}.`,
    hint: 'Put the handler on a tag around it or inside it.',
  })
  return nodes
}

function writeHandlers(node: TagNode, handlers: ReadonlySet<number>): string {
  const parts = node.attributes.flatMap((attribute, index) => {
    if (!handlers.has(index)) return []
    if (attribute.type === 'mdxJsxExpressionAttribute') return [`${attribute.value}\n`]
    const { name, value } = attribute
    return typeof value === 'object' && value !== null ? [`${name}: (${value.value}\n)`] : []
  })
  return `{ ${parts.join(', ')} }`
}

/** Tags that must be directly inside a certain parent, so no element can be put around them. */
const BOUND_TAGS: ReadonlySet<string> = new Set(
  `caption col colgroup legend optgroup option source summary tbody td tfoot th thead tr track`.split(
    ' ',
  ),
)

/** Returns why no element can be put around a tag; undefined if it is possible. */
function bound(name: string): string | undefined {
  if (BOUND_TAGS.has(name)) return 'browsers need this tag directly inside its parent'
  const tag = COMPONENTS.has(name) ? undefined : allowedTag(name)
  const isInDrawing = tag !== undefined && !isHtmlTag(tag) && tag !== 'svg'
  return isInDrawing ? 'it is inside an `<svg>`' : undefined
}
