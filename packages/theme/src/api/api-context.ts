/** What pages of an API are made with, and how their nodes are written. */
import type { ComponentNode, ElementNode, PageNode, Props } from '@octavo/content'
import type { LanguageId, PageContext, SampledParameters } from '@octavo/openapi'
import type { InterfaceText } from '../words/interface-text.ts'

export type PlaygroundMode = 'interactive' | 'simple' | 'none' | 'auth'

export type ApiSettings = {
  /** Of code samples, in order. */
  readonly languages: readonly LanguageId[]
  /** Which parameters samples show. */
  readonly parameters: SampledParameters
  /** Make samples where the specification has none. */
  readonly autogenerate: boolean
  /** Are nested fields open at first? */
  readonly expanded: boolean
  readonly fullUrl: boolean
}

/** Where the rest of a specification is: see `fragment-file.ts`. */
export type FragmentPlace = {
  readonly folder: string
  readonly count: number
  /** All that there is of it, as JSON, for a page that has no specification. */
  readonly inline?: string
}

export type ApiContext = PageContext & {
  /** Descriptions are Markdown of strangers: read as such, never as MDX. */
  readonly markdown: (text: string) => readonly PageNode[]
  readonly settings: ApiSettings
  readonly playground: PlaygroundMode
  readonly fragments: FragmentPlace
  /** Words in the language of the page. */
  readonly words: InterfaceText
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

/** A value as an author would write it. */
export function printValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
