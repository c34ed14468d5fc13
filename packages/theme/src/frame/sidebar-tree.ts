/**
 * The part of a large sidebar that pages omit: the lists of collapsed groups. A page has a
 * link into each group, so all pages can be reached without scripts; the browser loads the lists
 * when the reader uses the sidebar (`browser/sidebar-tree.ts`).
 */
import type { NavDivision, NavGroup, Navigation, NavNode, NavPage } from '@octavo/model'

/** A section with more pages than this is large; smaller ones are complete in each page. */
const PAGES_MAX = 100

/** The list of a group that pages can omit. */
export type Cut = {
  readonly group: NavGroup
  /** The position of the list in the file. */
  readonly index: number
  /** The position of the list in the whole sidebar. */
  readonly start: number
  readonly end: number
  /** The links that replace the list. */
  readonly links: string
  /** The lists inside this list. */
  readonly inside: readonly Cut[]
}

export function isLarge({ pages }: NavDivision): boolean {
  return pages.length > PAGES_MAX
}

export function hasLargeSections({ entries }: Navigation): boolean {
  return sectionsOf(entries).some(isLarge)
}

export function sectionsOf(entries: Navigation['entries']): readonly NavDivision[] {
  return [...new Set(entries.map(({ section }) => section))]
}

/**
 * Returns the first page of a group that opens inside the group, where the rest of the group is
 * listed, and the entries before it. Empty if there is no such page.
 */
export function pagesInto(
  group: NavGroup,
  opensHere: (page: NavPage) => boolean,
): readonly NavPage[] {
  const pages: NavPage[] = []
  for (const page of pagesBelow(group.children)) {
    pages.push(page)
    if (opensHere(page)) return pages
  }
  return []
}

function* pagesBelow(nodes: readonly NavNode[]): Generator<NavPage> {
  for (const node of nodes) {
    if (node.hidden) continue
    if (node.type === 'page') yield node
    else if (node.type === 'group') {
      if (node.root !== undefined) yield node.root
      yield* pagesBelow(node.children)
    }
  }
}

/**
 * Runs at the end of a sidebar with omitted lists. If the browser tab has loaded the lists before,
 * they are complete before the first paint, and the groups that the reader opened stay open.
 */
export const TREE_SCRIPT = [
  '{const n=document.currentScript.closest("nav"),f=()=>n.querySelector("[data-tree]");',
  // If storage is disabled or the lists are not stored, this throws, and the links remain.
  'try{let x=f();const l=JSON.parse(sessionStorage.getItem("octavo-tree "+x.dataset.tree.split("#")[0]));',
  'for(;x;x=f())x.outerHTML=l[x.dataset.tree.split("#")[1]]}catch{}}',
].join('')

/**
 * The hash for `script-src` of the content security policy. A test checks that it matches the
 * script.
 */
export const TREE_SCRIPT_HASH = 'sha256-+llFwBhtHjUBnUIJPCKA+GRdeR5TaGUs1c9x2dzmTUM='
