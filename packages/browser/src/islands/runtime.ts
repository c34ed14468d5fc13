/**
 * The runtime that all islands of a site share: the React API on top of Preact, a simple
 * replacement for each built-in component, and functions that render islands. Authors' modules are
 * compiled against the names exported here; any other name is reported at build time.
 */
import {
  type Attributes,
  type ComponentChildren,
  type ComponentType,
  type FunctionComponent,
  options,
  type VNode,
} from 'preact'
import React, { Component, createElement, hydrate, isValidElement, render } from 'preact/compat'
import { SITE_BASE, siteAddress } from '../page/site-base.ts'

export {
  Children,
  Component,
  cloneElement,
  createContext,
  createElement,
  createPortal,
  createRef,
  Fragment,
  flushSync,
  forwardRef,
  isValidElement,
  lazy,
  memo,
  PureComponent,
  StrictMode,
  Suspense,
  startTransition,
  unstable_batchedUpdates,
  use,
  useCallback,
  useContext,
  useDebugValue,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
  version,
} from 'preact/compat'
export { jsx, jsxs } from 'preact/jsx-runtime'
// The compiler resolves `import React from 'react'` to this export.
export { React }

// Authors write paths from `/` in components too, so the base path is added here.
if (SITE_BASE !== '') {
  const before = options.vnode
  options.vnode = (node) => {
    const props = node.props as Record<string, unknown>
    if (typeof node.type === 'string')
      for (const name of ['href', 'src', 'poster']) {
        const url = props[name]
        const hasBase = typeof url === 'string' && `${url}/`.startsWith(`${SITE_BASE}/`)
        if (typeof url === 'string' && !hasBase) props[name] = siteAddress(url)
      }
    before?.(node)
  }
}

export type Island = {
  readonly component: unknown
  readonly props: Readonly<Record<string, unknown>>
  /** HTML of slots, by prop name. The builder created it, so it is safe. */
  readonly slots: ReadonlyMap<string, string>
}

/** Renders an island in place of its static content, which is restored if rendering fails. */
export function mount(element: Element, { component, props, slots }: Island): void {
  const staticNodes = [...element.childNodes]
  const restore = () => {
    render(null, element)
    element.replaceChildren(...staticNodes)
  }
  const given: Record<string, unknown> = { ...props }
  for (const [name, html] of slots) given[name] = createElement(Slot, { html })
  element.replaceChildren()
  // Preact is still rendering, so the content is restored in a microtask, which runs before the
  // next paint.
  const onError = () => queueMicrotask(restore)
  const authored = createElement(component as ComponentType<Attributes>, given)
  try {
    render(createElement(Boundary, { onError }, authored), element)
  } catch (error) {
    // Some errors reach no error boundary, such as a bug in Preact itself.
    console.error(error)
    restore()
  }
}

/**
 * Adds event handlers to the element inside an island. The element itself is not rendered again.
 */
export function attach(element: Element, { component, props }: Island): void {
  const target = element.firstElementChild
  if (target === null) return
  const handlers = (component as (props: object) => object)(props)
  hydrate(createElement(target.localName, { ...handlers, ...UNTOUCHED }), element)
}

/** Hydration does not change inner HTML that is set in this way. */
const UNTOUCHED = { dangerouslySetInnerHTML: { __html: '' } }

type BoundaryProps = { readonly onError: () => void; readonly children?: ComponentChildren }

class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  static override getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
    this.props.onError()
  }

  override render(): ComponentChildren {
    return this.state.failed ? null : this.props.children
  }
}

/**
 * Renders HTML of the page inside an island. The span has no box, so that block elements keep their
 * layout.
 */
function Slot({ html }: { readonly html: string }): ComponentChildren {
  return createElement('span', {
    style: { display: 'contents' },
    dangerouslySetInnerHTML: { __html: html },
  })
}

type BuiltInProps = Readonly<Record<string, unknown>> & { readonly children?: ComponentChildren }

const INLINE = /^(?:Badge|Icon|Latex|Link|Tooltip|Tree\.\w+|FileTree\.\w+|Color\.Item)$/

/**
 * Returns a component that replaces a built-in component in an author's JSX. The theme only renders
 * at build time, so in the browser this is a plain element with the title and the children.
 */
export function builtIn(name: string, members: readonly string[]): FunctionComponent<BuiltInProps> {
  const component = function BuiltIn(this: unknown, props: BuiltInProps): unknown {
    // `new Image()` is also the browser's constructor for images.
    if (new.target !== undefined && name === 'Image') return document.createElement('img')
    return renderBuiltIn(name, props)
  }
  const parts = members.map((member) => [member, builtIn(`${name}.${member}`, [])] as const)
  return Object.assign(component, Object.fromEntries(parts)) as FunctionComponent<BuiltInProps>
}

function renderBuiltIn(name: string, props: BuiltInProps): ComponentChildren {
  const text = (key: string) => (typeof props[key] === 'string' ? props[key] : undefined)
  const common = {
    'data-component': name,
    class: text('className') ?? text('class'),
    id: text('id'),
    style: props.style,
    onClick: props.onClick,
  }
  if (name === 'Image') {
    const sizes = { width: props.width, height: props.height }
    return createElement('img', { ...common, ...sizes, src: text('src'), alt: text('alt') ?? '' })
  }
  const title = ['title', 'label', 'name', 'header'].map((key) => props[key]).find(isShown)
  const href = text('href')
  const tag = href === undefined ? tagOf(name, props) : 'a'
  const heading = title === undefined ? null : createElement('strong', null, title)
  return createElement(tag, { ...common, href }, heading, props.children)
}

function tagOf(name: string, props: BuiltInProps): string {
  if (name === 'CodeBlock') return 'pre'
  if (name === 'Heading') return `h${Math.min(6, Math.max(1, Number(props.level ?? 2) || 2))}`
  return INLINE.test(name) ? 'span' : 'div'
}

function isShown(value: unknown): value is string | VNode {
  return (typeof value === 'string' && value !== '') || isValidElement(value)
}
