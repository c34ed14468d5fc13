/** Listings of pages: on the root page of a group (`directory`), and of the main parts on the 404 page. */
import {
  firstPage,
  type NavDivision,
  type NavGroup,
  type NavNode,
  type NavPage,
} from '@octavo/model'
import { type Html, html } from '../html.ts'
import { renderIcon, type SpriteFile } from '../icons/render-icon.ts'
import { divisionHref, hrefAttribute } from './nav-link.ts'

type Describe = (path: string) => string | undefined
export type Listing = { readonly describe: Describe; readonly icons: SpriteFile | undefined }

/** Names of the pages in a group that has no description of its own. */
const NAMES_MAX = 4

/** What the page lists below its text; nothing unless it is the root of a group that says so. */
export function renderDirectory(page: NavPage | undefined, listing: Listing): string {
  const group = page?.parent
  if (page === undefined || group?.type !== 'group') return ''
  if (group.directory === 'none' || group.root?.path !== page.path) return ''
  const shown = group.children.filter((node) => !node.hidden && !isPage(node, page))
  if (shown.length === 0) return ''
  const list = group.directory === 'card' ? cards(shown, listing) : rows(shown, listing)
  return list.toString()
}

/** The main parts of a site, as cards: its tabs, or whatever else stands at the top. */
export function renderMainParts(section: NavDivision, listing: Listing): string {
  const parts = mainParts(section).filter((node) => !node.hidden)
  return parts.length === 0 ? '' : cards(parts.slice(0, MAIN_PARTS_MAX), listing).toString()
}

const MAIN_PARTS_MAX = 12

function mainParts(section: NavDivision): readonly NavNode[] {
  for (let at: NavDivision | undefined = section; at !== undefined; at = at.parent) {
    const { kind, parent } = at
    if (kind === 'tab' || kind === 'anchor' || kind === 'dropdown' || kind === 'product') {
      return parent?.children ?? []
    }
  }
  return section.children
}

function isPage(node: NavNode, page: NavPage): boolean {
  return node.type === 'page' && node.path === page.path
}

function cards(nodes: readonly NavNode[], { describe, icons }: Listing): Html {
  const items = nodes.map((node) => {
    const href = hrefOf(node)
    if (href === undefined) return undefined
    const about = describeNode(node, describe)
    return html`<li>${renderIcon(node.icon, icons)}<div><a${hrefAttribute(href)}>${node.label}</a>${tagOf(node)}${about && html`<p>${about}</p>`}</div></li>`
  })
  return html`<ul class="oct-directory oct-directory-card">${items}</ul>`
}

/** Pages as rows; groups inside can be opened. */
function rows(nodes: readonly NavNode[], listing: Listing): Html {
  const { describe, icons } = listing
  const items = nodes.map((node) => {
    if (node.type === 'group') return groupRow(node, listing)
    const href = hrefOf(node)
    if (href === undefined) return undefined
    const about = describeNode(node, describe)
    return html`<li>${renderIcon(node.icon, icons)}<div><a${hrefAttribute(href)}>${node.label}</a>${tagOf(node)}${about && html`<p>${about}</p>`}</div></li>`
  })
  return html`<ul class="oct-directory oct-directory-accordion">${items}</ul>`
}

function groupRow(group: NavGroup, listing: Listing): Html | undefined {
  const inside = group.children.filter((node) => !node.hidden)
  if (inside.length === 0) return undefined
  return html`<li class="oct-directory-group"><details><summary>${renderIcon(group.icon, listing.icons)}<span>${group.label}</span>${tagOf(group)}</summary>${rows(inside, listing)}</details></li>`
}

function hrefOf(node: NavNode): string | undefined {
  if (node.type === 'division') return divisionHref(node)
  if (node.type === 'page') return node.link ?? node.url
  return firstPage(node)?.url
}

function describeNode(node: NavNode, describe: Describe): string | undefined {
  if (node.type === 'page') return describe(node.path)
  if (node.type === 'division' && node.description !== undefined) return node.description
  const own =
    node.type === 'group' && node.root !== undefined ? describe(node.root.path) : undefined
  if (own !== undefined) return own
  const names = node.children.filter((child) => !child.hidden).map(({ label }) => label)
  if (names.length === 0) return undefined
  return names.slice(0, NAMES_MAX).join(' · ') + (names.length > NAMES_MAX ? ' …' : '')
}

function tagOf(node: NavNode): Html | undefined {
  return node.tag === undefined ? undefined : html` <span class="oct-tag">${node.tag}</span>`
}
