/**
 * A compiled page: plain data that can be cached as JSON and rendered without the source. Every
 * tag, attribute and URL in it has passed the allow-list, so a renderer only has to escape text.
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
  /** Unknown options, as written: other tools use some of them. */
  readonly other?: Readonly<Record<string, string | true>>
}

export type MathNode = {
  readonly kind: 'math'
  readonly display: boolean
  readonly text: string
}

/** A built-in component. `props` is data; props with markup are in `slots`. */
export type ComponentNode = {
  readonly kind: 'component'
  readonly name: string
  readonly props: Props
  readonly slots: Slots | undefined
  readonly children: readonly PageNode[]
}

/**
 * An author's component that needs a browser. `children` is shown before its code runs;
 * `slots.children` is what the page put inside it.
 */
export type IslandNode = {
  readonly kind: 'island'
  readonly name: string
  readonly source: { readonly file: string; readonly name: string }
  readonly props: Props
  readonly slots: Slots | undefined
  readonly children: readonly PageNode[]
}

export type Data =
  | null
  | boolean
  | number
  | string
  | readonly Data[]
  | { readonly [key: string]: Data }
export type Props = Readonly<Record<string, Data>>
/** Separate from `props`, so that an author's data cannot pass for markup. */
export type Slots = Readonly<Record<string, readonly PageNode[]>>

export type PageHeading = { readonly level: number; readonly id: string; readonly text: string }

/** A formula with its place, for reporting one that cannot be rendered. */
export type PageFormula = {
  readonly text: string
  readonly display: boolean
  readonly file: string
  readonly offset: number
}

/** A link or an image as written, with its place, for link checks. */
export type PageLink = {
  readonly kind: 'link' | 'image'
  readonly url: string
  readonly file: string
  readonly offset: number
}
