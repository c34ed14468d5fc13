import { isDangerousUrl, schemeOf } from '@octavo/model'
import { findIntendedProp } from '../allowed/component-props.ts'
import { ADDRESS_PROPS } from '../allowed/components.ts'
import { isSafeImage, isSafeLink } from '../allowed/safe-url.ts'
import { toNumber, toText } from '../interpreter/operators.ts'
import {
  containsFunction,
  Markup,
  ownProperty,
  toData,
  type Value,
  type ValueObject,
} from '../interpreter/value.ts'
import { readCode } from '../markdown/code-options.ts'
import type { PageState, Spot } from '../page-state.ts'
import type { CodeNode, Data, PageNode } from '../tree/page-tree.ts'
import { plainText } from '../tree/plain-text.ts'
import { rejectUrl, safeStyle } from './render-attributes.ts'
import { headingNode } from './render-heading.ts'
import { renameAttribute } from './tag-fixes.ts'

type Request = {
  readonly name: string
  readonly props: ValueObject
  readonly children: readonly PageNode[]
  readonly spot: Spot
}

/**
 * Renders a built-in component to a node with its props as data. A few components become other
 * kinds of nodes.
 */
export function renderComponent(page: PageState, request: Request): readonly PageNode[] {
  const { name, props, children, spot } = request
  switch (name) {
    case 'Heading':
      return [heading(page, request)]
    case 'Latex':
      return [page.formula({ text: plainText(children), display: false }, spot)]
    case 'CodeBlock':
      return children.every((child) => typeof child === 'string')
        ? [codeBlock(props, children)]
        : [component(page, request)]
    default:
      return [component(page, request)]
  }
}

function heading(page: PageState, { props, children, spot }: Request): PageNode {
  const level = Math.min(
    6,
    Math.max(1, Math.round(toNumber(ownProperty(props, 'level') ?? 2)) || 2),
  )
  const id = ownProperty(props, 'id')
  return headingNode(page, {
    level,
    children,
    spot,
    id: typeof id === 'string' && id !== '' ? id : undefined,
  })
}

function codeBlock(props: ValueObject, children: readonly PageNode[]): CodeNode {
  const text = (name: string): string | undefined => {
    const value = ownProperty(props, name)
    return typeof value === 'string' ? value : undefined
  }
  const meta = ['lines', 'wrap', 'nocopy', 'expandable'].filter(
    (flag) => ownProperty(props, flag) === true,
  )
  const code = readCode({
    language: text('language'),
    meta: meta.join(' '),
    text: children.join('').replace(/^\n|\n$/g, ''),
  })
  const title = text('filename') ?? text('title')
  const icon = text('icon')
  const highlight = readCode({
    language: 'x',
    meta: `highlight={${lines(props, 'highlight')}} focus={${lines(props, 'focus')}}`,
    text: '',
  }).options
  const options = {
    ...code.options,
    ...(title === undefined ? {} : { title }),
    ...(icon === undefined ? {} : { icon }),
    ...(highlight.highlight?.length ? { highlight: highlight.highlight } : {}),
    ...(highlight.focus?.length ? { focus: highlight.focus } : {}),
  }
  return { ...code, options }
}

function lines(props: ValueObject, name: string): string {
  return (toText(ownProperty(props, name) ?? '') ?? '').replaceAll(/[^\d,-]/g, '')
}

function component(page: PageState, request: Request): PageNode {
  const { name, props, children, spot } = request
  page.countNode()
  checkProps(page, request)
  const data: Record<string, Data> = Object.create(null)
  let slots: Record<string, readonly PageNode[]> | undefined
  for (const key in props) {
    const value = props[key]
    if (key === 'children' || key === 'key' || key === 'ref') continue
    if (value instanceof Markup) {
      slots ??= Object.create(null) as Record<string, readonly PageNode[]>
      slots[key] = value.nodes
      continue
    }
    const read = safeProp(page, { key, value, spot })
    if (read !== undefined) data[key] = read
  }
  return { kind: 'component', name, props: data, slots, children }
}

function checkProps(page: PageState, { name, props, spot }: Request): void {
  for (const prop in props) {
    const meant = findIntendedProp(name, prop, props)
    if (meant === undefined) continue
    page.report('content/unknown-prop', spot, {
      message: `\`<${name}>\` has no prop \`${prop}\`, so the prop has no effect.`,
      hint: `Did you mean \`${meant.name}\`?`,
      fix: meant.isExact ? renameAttribute(spot, { name: prop, put: meant.name }) : undefined,
    })
  }
}

type Prop = {
  readonly key: string
  readonly value: Value
  readonly spot: Spot
}

function safeProp(page: PageState, { key, value, spot }: Prop): Data | undefined {
  if (containsFunction(value, (steps) => page.run.spend(steps)) || /^on[A-Z]/.test(key)) {
    if (page.run.frame !== undefined) page.run.frame.needsBrowser = true
    return undefined
  }
  if (key === 'style') return safeStyle(value)?.text
  if (key === 'dangerouslySetInnerHTML') return undefined
  if (typeof value === 'string' && ADDRESS_PROPS.has(key))
    return safeAddress(page, { key, value, spot })
  return toData(value, (steps) => page.run.spend(steps))
}

function safeAddress(
  page: PageState,
  { key, value, spot }: Omit<Prop, 'value'> & { readonly value: string },
): string | undefined {
  const isImage = key !== 'href' && key !== 'to' && key !== 'url' && key !== 'path' && key !== 'cta'
  const isSafe = schemeOf(value) === undefined || (isImage ? isSafeImage(value) : isSafeLink(value))
  // `path`, `cta` and `icon` may contain a URL or other text with a colon.
  const isText = key === 'path' || key === 'cta' || key === 'icon'
  if (!isSafe && isText && !isDangerousUrl(value)) return value
  if (!isSafe) return rejectUrl(page, value, spot)
  if (key === 'href') page.recordLink('link', value, spot)
  if (key === 'src' || key === 'img') page.recordLink('image', value, spot)
  return value
}
