/** The context and node helpers for rendering API pages. */
import type { ComponentNode, ElementNode, PageNode, Props } from '@octavo/content'
import type { PageContext, SampleSettings } from '@octavo/openapi'
import type { InterfaceText } from '../words/interface-text.ts'

export type PlaygroundMode = 'interactive' | 'simple' | 'none' | 'auth'

export type ApiSettings = SampleSettings & {
  /** Whether nested fields are initially open. */
  readonly expanded: boolean
  readonly fullUrl: boolean
}

/**
 * The location of the parts of a specification that pages load on demand: see `fragment-bucket.ts`.
 */
export type FragmentPlace = {
  readonly folder: string
  readonly count: number
  /** The file with the data of the operation's playground. */
  readonly operation?: string
  /** The content of that file, for a page without a specification. */
  readonly inline?: string
}

export type ApiContext = PageContext & {
  /** Parses a description as Markdown, never as MDX, because descriptions are untrusted. */
  readonly markdown: (text: string) => readonly PageNode[]
  readonly settings: ApiSettings
  readonly playground: PlaygroundMode
  readonly fragments: FragmentPlace
  /** The interface text in the page's language. */
  readonly words: InterfaceText
  /**
   * Returns the SHA-256 of a text in hexadecimal. Undefined if `octavo test` does not run the samples
   * of the page.
   */
  readonly hash?: (text: string) => string
}

export function element(
  tag: string,
  attributes: Readonly<Record<string, string | true>>,
  children: readonly PageNode[],
): ElementNode {
  return { kind: 'element', tag, attributes, children }
}

export function component(
  name: string,
  props: Props,
  children: readonly PageNode[],
): ComponentNode {
  return { kind: 'component', name, props, slots: undefined, children }
}

/** Prints a value as an author would write it. */
export function printValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
