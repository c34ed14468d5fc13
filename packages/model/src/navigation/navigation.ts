/**
 * The resolved navigation: inherited values are filled in, and every entry has its address. Nodes
 * refer to their parent, so a page's breadcrumbs, section and neighbors can be computed from the
 * tree (see `page-context.ts`) instead of being stored for each of 20,000 pages.
 */
import type { AccessLabel } from '../deployment/access.ts'
import type { LanguageCode } from './languages.ts'
import type { Directory, DivisionKind, Icon, SpecificationUse, WrittenFields } from './written.ts'

export type NavNode = NavDivision | NavGroup | NavPage

/**
 * A part of the site that readers choose as a whole, such as a version or a tab. The root is a
 * division too.
 */
export type NavDivision = {
  readonly type: 'division'
  readonly kind: DivisionKind | 'root'
  readonly label: string
  readonly language: LanguageCode | undefined
  /** The badge of a version. */
  readonly tag: string | undefined
  readonly description: string | undefined
  readonly icon: Icon | undefined
  readonly hidden: boolean
  /**
   * True for the version or language that is shown first; other kinds of divisions have no default.
   */
  readonly isDefault: boolean
  /** The target of a division that is a link and not a part of this site. */
  readonly href: string | undefined
  readonly directory: Directory
  readonly specifications: readonly SpecificationUse[]
  readonly chrome: Pick<WrittenFields, 'banner' | 'footer' | 'navbar'>
  readonly details: Pick<
    WrittenFields,
    'align' | 'color' | 'public' | 'searchable' | 'boost' | 'version'
  >
  readonly globals: readonly NavLink[]
  readonly parent: NavDivision | undefined
  readonly children: readonly NavNode[]
  /** The pages for which this is the nearest division, in reading order, without duplicates. */
  readonly pages: readonly NavPage[]
}

export type NavGroup = {
  readonly type: 'group'
  readonly label: string
  readonly icon: Icon | undefined
  readonly tag: string | undefined
  readonly hidden: boolean
  /** The main page, which opens when the group's title is selected (navigation rule 7). */
  readonly root: NavPage | undefined
  /**
   * Whether the group is open at first. Always true for top-level groups; for nested groups, the
   * value of `expanded`.
   */
  readonly expanded: boolean
  readonly collapsible: boolean
  /**
   * How the root page lists the pages of the group; always `none` without a root page (navigation
   * rule 5).
   */
  readonly directory: Directory
  readonly specifications: readonly SpecificationUse[]
  readonly details: Pick<WrittenFields, 'public' | 'searchable' | 'boost'>
  /** True if the group was generated from a tag of a specification. */
  readonly generated: boolean
  readonly parent: NavDivision | NavGroup
  readonly children: readonly NavNode[]
}

export type NavPage = {
  readonly type: 'page'
  readonly path: string
  readonly url: string
  readonly label: string
  readonly icon: Icon | undefined
  readonly tag: string | undefined
  readonly hidden: boolean
  readonly deprecated: boolean
  /** True if the listed file or operation does not exist. The entry is still shown. */
  readonly missing: boolean
  /** The URL to which a page without content of its own leads (`url` in its frontmatter). */
  readonly link: string | undefined
  readonly operation: NavOperation | undefined
  /** The HTTP method next to the name of an API page. */
  readonly marker: string | undefined
  /** The page's access label; undefined for the default label, which most pages have. */
  readonly access: AccessLabel | undefined
  readonly parent: NavDivision | NavGroup
  /** The nearest division around the page. */
  readonly section: NavDivision
  /** The index of the page in the reading order of its section. */
  readonly position: number
}

export type NavOperation = {
  /** The HTTP method in upper case, or `WEBHOOK`. */
  readonly method: string
  /** The path of the operation, or the name of the webhook. */
  readonly path: string
  /** Undefined if no specification is in scope, which has been reported. */
  readonly specification: string | undefined
}

export type NavLink = {
  readonly kind: DivisionKind
  readonly label: string
  readonly icon: Icon | undefined
  readonly hidden: boolean
  readonly href: string
}

export type Navigation = {
  readonly root: NavDivision
  /** All listed pages in reading order. A page that is listed twice is included twice. */
  readonly entries: readonly NavPage[]
  /** The entry that opens at each page's address, by page path. */
  readonly byPath: ReadonlyMap<string, NavPage>
  /** All entries of each page that is listed more than once, by page path. */
  readonly repeated: ReadonlyMap<string, readonly NavPage[]>
}
