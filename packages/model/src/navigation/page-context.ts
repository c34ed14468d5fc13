/** Computes breadcrumbs, neighbors and other context of a page from the resolved tree. */
import type { NavDivision, NavGroup, Navigation, NavNode, NavPage } from './navigation.ts'

export type Breadcrumb = { readonly label: string; readonly url?: string }

/** Returns the breadcrumbs of a page: divisions except versions and languages, then groups. */
export function breadcrumbs(page: NavPage): readonly Breadcrumb[] {
  const crumbs: Breadcrumb[] = []
  let at: NavDivision | NavGroup | undefined = page.parent
  for (; at !== undefined; at = at.parent) {
    const isSwitch = at.type === 'division' && (at.kind === 'version' || at.kind === 'language')
    if (isSwitch || (at.type === 'division' && at.kind === 'root')) continue
    // The root page represents its group, so the group is omitted from the breadcrumbs of that
    // page.
    if (at.type === 'group' && at.root?.path === page.path) continue
    const target = firstPage(at)
    crumbs.unshift(
      target === undefined ? { label: at.label } : { label: at.label, url: target.url },
    )
  }
  return crumbs
}

export type PageNeighbors = { readonly previous?: NavPage; readonly next?: NavPage }

/** Returns the previous and the next page in the section, without hidden pages and links. */
export function pageNeighbors(page: NavPage): PageNeighbors {
  const order = page.section.pages
  const previous = findReadable(order, page.position, -1)
  const next = findReadable(order, page.position, 1)
  return { ...(previous && { previous }), ...(next && { next }) }
}

function findReadable(order: readonly NavPage[], from: number, step: 1 | -1): NavPage | undefined {
  for (let at = from + step; at >= 0 && at < order.length; at += step) {
    const page = order[at]
    if (page !== undefined && isReadable(page)) return page
  }
  return undefined
}

function isReadable(page: NavPage): boolean {
  return !page.hidden && page.link === undefined
}

/** Returns the divisions around a page, outermost first, without the root. */
export function divisionsOf(page: NavPage): readonly NavDivision[] {
  const divisions: NavDivision[] = []
  let at: NavDivision | undefined = page.section
  for (; at?.parent !== undefined; at = at.parent) divisions.unshift(at)
  return divisions
}

/**
 * Checks whether search may find a page. If the page is hidden, the nearest `searchable` decides.
 */
export function isSearchablePage(page: NavPage): boolean {
  if (!page.hidden) return true
  let at: NavDivision | NavGroup | undefined = page.parent
  for (; at !== undefined; at = at.parent) {
    if (at.details.searchable !== undefined) return at.details.searchable
  }
  return false
}

/** Returns the `version` of the tab or anchor around a generated page (generation rule 12). */
export function versionOf(page: NavPage): string | undefined {
  return divisionsOf(page).findLast(({ details }) => details.version !== undefined)?.details.version
}

/**
 * Returns the page that opens when a reader selects an element, such as the root page of a group or
 * the first page of the default version. Pages that are restricted to groups come last, since other
 * readers cannot open them.
 */
export function firstPage(node: NavNode): NavPage | undefined {
  const first = findPage(node, () => true)
  return isForGroups(first) ? (findPage(node, (page) => !isForGroups(page)) ?? first) : first
}

export function isForGroups(page: NavPage | undefined): boolean {
  return typeof page?.access === 'object'
}

function findPage(node: NavNode, isWanted: (page: NavPage) => boolean): NavPage | undefined {
  if (node.type === 'page') return isWanted(node) ? node : undefined
  if (node.type === 'group' && node.root !== undefined && isWanted(node.root)) return node.root
  for (const comesNext of ORDER_OF_CHILDREN) {
    for (const child of node.children) {
      const page = comesNext(child) ? findPage(child, isWanted) : undefined
      if (page !== undefined) return page
    }
  }
  return undefined
}

/** Default divisions come first, then what is not hidden, then the rest. */
const ORDER_OF_CHILDREN: readonly ((child: NavNode) => boolean)[] = [
  (child) => child.type === 'division' && child.isDefault,
  (child) => !child.hidden,
  () => true,
]

/** Returns the home page of the site: `index`, or else the first page of the navigation. */
export function homePage(navigation: Navigation): NavPage | undefined {
  return navigation.byPath.get('index') ?? firstPage(navigation.root)
}
