/**
 * The resolved navigation: inherited values are filled in and every entry has its address. Nodes
 * know their parent, so a page's breadcrumbs, section and neighbors are computed from the tree (see
 * `page-context.ts`) instead of being stored 20,000 times.
 */
import type { AccessLabel } from '../deployment/access.ts'
import type { LanguageCode } from './languages.ts'
import type { Directory, DivisionKind, Icon, SpecificationUse, WrittenFields } from './written.ts'

export type NavNode = NavDivision | NavGroup | NavPage

/** A part of the site that is chosen as a whole. The root is a division too. */
export type NavDivision = {
  readonly type: 'division'
  readonly kind: DivisionKind | 'root'
  readonly label: string
  readonly language: LanguageCode | undefined
  /** Badge of a version. */
  readonly tag: string | undefined
  readonly description: string | undefined
  readonly icon: Icon | undefined
  readonly hidden: boolean
  /** True for the sibling that is shown first; only versions and languages have defaults. */
  readonly isDefault: boolean
  /** Set if the division is a link instead of a part of this site. */
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
  /** The pages whose nearest division is this one, in reading order, without duplicates. */
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
  /** Always true for top-level groups; set by `expanded` for nested ones. */
  readonly expanded: boolean
  readonly collapsible: boolean
  /** The listing on the root page; always `none` without a root page (navigation rule 5). */
  readonly directory: Directory
  readonly specifications: readonly SpecificationUse[]
  readonly details: Pick<WrittenFields, 'public' | 'searchable' | 'boost'>
  /** True if generated from a tag of a specification. */
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
  /** True if the listed file or operation does not exist; the entry is still shown. */
  readonly missing: boolean
  /** The page only links elsewhere (`url` in its frontmatter). */
  readonly link: string | undefined
  readonly operation: NavOperation | undefined
  /** The method next to the name of an API page. */
  readonly marker: string | undefined
  /** The page's access label; undefined for the default label, which most pages have. */
  readonly access: AccessLabel | undefined
  readonly parent: NavDivision | NavGroup
  /** The nearest division. */
  readonly section: NavDivision
  /** Index in the section's reading order. */
  readonly position: number
}

export type NavOperation = {
  /** Upper-case HTTP method, or `WEBHOOK`. */
  readonly method: string
  /** Path of the operation, or name of the webhook. */
  readonly path: string
  /** Undefined if no specification is in scope, which was reported. */
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
  /** Every listed page in reading order; a page that is listed twice appears twice. */
  readonly entries: readonly NavPage[]
  /** The entry that each page's address opens. */
  readonly byPath: ReadonlyMap<string, NavPage>
  /** All entries of the pages that are listed more than once. */
  readonly repeated: ReadonlyMap<string, readonly NavPage[]>
}
