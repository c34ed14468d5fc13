/** The navigation as an author wrote it: typed and validated, without inherited values. */

import type { banner, footer, navbar } from '../config/chrome.ts'
import type { JsonNode } from '../json/json-node.ts'
import type { ValueOf } from '../schema/schema.ts'
import type { LanguageCode } from './languages.ts'
import type { NamedOperation } from './parse-operation-text.ts'

/** Kinds of elements that divide the site. A group is not a division. */
export const DIVISION_KINDS = [
  ...(['language', 'version', 'product', 'tab', 'dropdown', 'anchor', 'item'] as const),
] as const
export type DivisionKind = (typeof DIVISION_KINDS)[number]
export type ElementKind = DivisionKind | 'group'

export const DIRECTORIES = ['accordion', 'card', 'none'] as const
export type Directory = (typeof DIRECTORIES)[number]

export type Icon =
  | string
  | { readonly name: string; readonly style?: string; readonly library?: string }

/** One specification that an element brings into scope. */
export type SpecificationUse = {
  readonly source: string
  /** The folder for generated pages. */
  readonly directory?: string
  readonly hidden?: boolean
}

export type WrittenFields = {
  readonly icon?: Icon
  readonly tag?: string
  readonly description?: string
  readonly hidden?: boolean
  readonly expanded?: boolean
  readonly default?: boolean
  readonly directory?: Directory
  readonly includeTags?: readonly string[]
  readonly href?: string
  readonly color?: { readonly light?: string; readonly dark?: string }
  readonly align?: 'start' | 'end'
  readonly searchable?: boolean
  readonly boost?: number
  readonly public?: boolean
  readonly version?: string
  readonly banner?: ValueOf<typeof banner>
  readonly footer?: ValueOf<typeof footer>
  readonly navbar?: ValueOf<typeof navbar>
}

export type WrittenElement = {
  readonly type: 'element'
  readonly kind: ElementKind
  /** The name of the element as written; empty if it is missing, which has been reported. */
  readonly name: string
  /** The required language code, if the element is a language that has one. */
  readonly language: LanguageCode | undefined
  readonly fields: WrittenFields
  readonly specifications: readonly SpecificationUse[] | undefined
  readonly root: WrittenPage | undefined
  readonly children: readonly WrittenChild[]
  /** Links that a division shows on all of its pages. */
  readonly global: WrittenGlobal | undefined
  readonly node: JsonNode
}

/** The target of an entry of `pages`. */
export type PageTarget =
  | { readonly kind: 'page'; readonly path: string }
  /** A URL, which is not allowed in `pages`. It has been reported, but is still shown. */
  | { readonly kind: 'link'; readonly href: string }
  | ({ readonly kind: 'operation' } & NamedOperation)

export type WrittenPage = {
  readonly type: 'page'
  readonly target: PageTarget
  readonly node: JsonNode
}

export type WrittenChild = WrittenElement | WrittenPage

/** Links from `global`, which are shown on all pages in every section. */
export type WrittenGlobal = { readonly links: readonly WrittenElement[] }

export type WrittenNavigation = {
  readonly children: readonly WrittenChild[]
  readonly directory: Directory | undefined
  readonly specifications: readonly SpecificationUse[] | undefined
  readonly global: WrittenGlobal | undefined
  /** Undefined if docs.json has no `navigation`, which has been reported. */
  readonly node: JsonNode | undefined
}

export const EMPTY_NAVIGATION: WrittenNavigation = {
  children: [],
  directory: undefined,
  specifications: undefined,
  global: undefined,
  node: undefined,
}
