/**
 * What a page is once it is read: plain data that can be cached as JSON and rendered without
 * another look at the source. Every tag, attribute and address in it has passed the allow-list, so a
 * renderer only has to escape text.
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

/** What stands behind the language of a fence. Lines count from 1. */
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
  /** Options that are not ours, as written: other tools read some of them. */
  readonly other?: Readonly<Record<string, string | true>>
}

export type MathNode = {
  readonly kind: 'math'
  readonly display: boolean
  readonly text: string
}

/** A built-in component. `props` is data; what was written as markup stands in `slots`. */
export type ComponentNode = {
  readonly kind: 'component'
  readonly name: string
  readonly props: Props
  readonly slots: Slots | undefined
  readonly children: readonly PageNode[]
}

/**
 * A component of the author that needs a browser. `children` is what it shows before its code
 * runs; `slots.children` is what the page put inside it.
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
/** Kept apart from `props`, so that no data of an author can pass for markup. */
export type Slots = Readonly<Record<string, readonly PageNode[]>>

export type PageHeading = { readonly level: number; readonly id: string; readonly text: string }

/** A formula, with its offset in its file for whoever cannot set it. */
export type PageFormula = {
  readonly text: string
  readonly display: boolean
  readonly file: string
  readonly offset: number
}

/** A link or an image, as written, with its offset in its file for whoever checks it. */
export type PageLink = {
  readonly kind: 'link' | 'image'
  readonly url: string
  readonly file: string
  readonly offset: number
}
