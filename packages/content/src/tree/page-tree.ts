/**
 * A node of a compiled page: plain data that can be cached as JSON and rendered without the source.
 * Every tag, attribute and URL has passed the allow-list, so a renderer only has to escape text.
 */
export type PageNode =
  | string
  | ElementNode
  | HeadingNode
  | CodeNode
  | MathNode
  | ComponentNode
  | IslandNode

/** HTML or SVG from the allow-list. Attributes have their HTML names: `class`, not `className`. */
export type ElementNode = {
  readonly kind: 'element'
  readonly tag: string
  readonly attributes: Attributes | undefined
  readonly children: readonly PageNode[]
}

export type Attributes = Readonly<Record<string, string | true>>

export type HeadingNode = {
  readonly kind: 'heading'
  readonly level: number
  /** Unique on its page. */
  readonly id: string
  readonly children: readonly PageNode[]
}

export type CodeNode = {
  readonly kind: 'code'
  readonly language: string | undefined
  readonly options: CodeOptions
  readonly text: string
}

/** The options after the language of a fence. Lines start at 1. */
export type CodeOptions = {
  readonly title?: string
  readonly icon?: string
  readonly theme?: string
  readonly placement?: string
  readonly lines?: boolean
  readonly expandable?: boolean
  readonly wrap?: boolean
  readonly nocopy?: boolean
  readonly twoslash?: boolean
  readonly actions?: boolean
  readonly highlight?: readonly number[]
  readonly focus?: readonly number[]
  readonly added?: readonly number[]
  readonly removed?: readonly number[]
  /** Identifies a request sample that `octavo test` runs: its language and the start of its hash. */
  readonly sample?: string
  /** Unknown options as written; other tools use some of them. */
  readonly other?: Readonly<Record<string, string | true>>
}

export type MathNode = {
  readonly kind: 'math'
  readonly display: boolean
  readonly text: string
}

/** A built-in component. `props` contains data; props with markup are in `slots`. */
export type ComponentNode = {
  readonly kind: 'component'
  readonly name: string
  readonly props: Props
  readonly slots: Slots | undefined
  readonly children: readonly PageNode[]
}

/**
 * A part of a page that needs a browser: an author's component, an element or an expression.
 * `children` is shown until its code runs; `slots.children` is the content between its tags.
 */
export type IslandNode = {
  readonly kind: 'island'
  readonly name: string
  readonly source: { readonly file: string; readonly name: string }
  /** The code of an element or expression; undefined for a component, whose code is in its file. */
  readonly code?: PageCode
  readonly props: Props
  readonly slots: Slots | undefined
  readonly children: readonly PageNode[]
}

/** The code of an element or expression of a page. */
export type PageCode = {
  /**
   * A JSX function: a component, or a function that returns the event handlers of the element
   * inside.
   */
  readonly text: string
  readonly kind: 'component' | 'handlers'
  readonly isInline: boolean
  readonly line: number
  readonly column: number
}

export type Data =
  | null
  | boolean
  | number
  | string
  | readonly Data[]
  | { readonly [key: string]: Data }
export type Props = Readonly<Record<string, Data>>
/**
 * Markup by prop name. It is separate from `props`, so that an author's data cannot pass for
 * markup.
 */
export type Slots = Readonly<Record<string, readonly PageNode[]>>

export type PageHeading = {
  readonly level: number
  readonly id: string
  readonly text: string
  /** How many fields or responses of an API are below the heading. */
  readonly count?: number
}

/** A formula with its place, for a diagnostic if the formula cannot be rendered. */
export type PageFormula = {
  readonly text: string
  readonly display: boolean
  readonly file: string
  readonly offset: number
}

/** A link or image as written, with its place, for checking links. */
export type PageLink = {
  readonly kind: 'link' | 'image'
  readonly url: string
  readonly file: string
  readonly offset: number
}
