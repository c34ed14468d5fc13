/**
 * A site of another tool in a form that does not depend on the tool. Readers make it, and one writer
 * turns it into files.
 */

export type ForeignPage = {
  /** The file that the page comes from; undefined for a page that the old tool generated. */
  readonly source: string | undefined
  /** The path of the new page, without extension. */
  readonly path: string
  /** Fields for the frontmatter, in order; undefined values are omitted. */
  readonly frontmatter: Readonly<Record<string, unknown>>
  /** MDX. */
  readonly body: string
}

export type NavItem =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'link'; readonly title: string; readonly href: string }
  | NavSection

type NavSection = {
  readonly kind: 'group'
  readonly title: string
  /** The page that opens when the title is selected. */
  readonly root?: string | undefined
  readonly isExpanded?: boolean
  readonly items: readonly NavItem[]
}

export type NavTree =
  | { readonly kind: 'items'; readonly items: readonly NavItem[] }
  | {
      readonly kind: 'divided'
      readonly by: 'tab' | 'version' | 'language'
      readonly parts: readonly NavPart[]
    }

export type NavPart = {
  readonly name: string
  /** More fields, such as `default`. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** The address, if the part is a link. */
  readonly href?: string
  readonly tree?: NavTree
}

export type ForeignRedirect = { readonly source: string; readonly destination: string }

export type ForeignSite = {
  /** The name of the tool. */
  readonly tool: string
  /** Keys of docs.json other than `navigation` and `redirects`. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly navigation: NavTree
  readonly pages: readonly ForeignPage[]
  readonly redirects: readonly ForeignRedirect[]
  /** Files of the old site to copy, by their new path. */
  readonly assets: ReadonlyMap<string, string>
  /** The text of files that the reader made, by their path. */
  readonly made: ReadonlyMap<string, string>
}
