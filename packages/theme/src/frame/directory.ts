/**
 * Renders lists of links: to the pages of a group on its root page (`directory`), and to the main
 * parts of the site on the 404 page.
 */
import {
  firstPage,
  type NavDivision,
  type NavGroup,
  type NavNode,
  type NavPage,
} from '@octavo/model'
import { renderIcon, type SpriteFile } from '../icons/render-icon.ts'
import { type Html, html } from '../markup/html.ts'
import type { AccessMarks } from './access-marks.ts'
import { methodBadge } from './method-badge.ts'
import type { SectionLinks } from './section-links.ts'

type Describe = (path: string) => string | undefined
export type Listing = {
  readonly describe: Describe
  readonly icons: SpriteFile | undefined
  readonly marks: AccessMarks
  readonly links: SectionLinks
}

/** How many page names are shown for a group without a description. */
const NAMES_MAX = 4

/**
 * Returns the list of pages below the text; empty unless the page is the root of a group with
 * `directory`.
 */
export function renderDirectory(page: NavPage | undefined, listing: Listing): string {
  const group = page?.parent
  if (page === undefined || group?.type !== 'group') return ''
  if (group.directory === 'none' || group.root?.path !== page.path) return ''
  const shown = group.children.filter((node) => !node.hidden && !isPage(node, page))
  if (shown.length === 0) return ''
  const list = group.directory === 'card' ? cards(shown, listing) : rows(shown, listing)
  return list.toString()
}

/** Renders the main parts of a site as cards: its tabs, or the other top-level entries. */
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

function cards(nodes: readonly NavNode[], listing: Listing): Html {
  const items = nodes.map((node) => entryOf(node, listing))
  return html`<ul class="oct-directory oct-directory-card">${items}</ul>`
}

function entryOf(node: NavNode, listing: Listing): Html | undefined {
  const { icons, marks } = listing
  const link = linkTo(node, listing)
  if (link === undefined) return undefined
  const about = describeNode(node, listing)
  const method = node.type === 'page' && node.marker !== undefined && methodBadge(node.marker)
  const entry = html`<li>${renderIcon(node.icon, icons)}<div>${method}<a${link}>${node.label}</a>${tagOf(node)}${about}</div></li>`
  return marks.wrap(entry, marks.ofNode(node))
}

/** Renders pages as rows, and groups as collapsible rows. */
function rows(nodes: readonly NavNode[], listing: Listing): Html {
  const items = nodes.map((node) =>
    node.type === 'group' ? groupRow(node, listing) : entryOf(node, listing),
  )
  return html`<ul class="oct-directory oct-directory-accordion">${items}</ul>`
}

function groupRow(group: NavGroup, listing: Listing): Html | undefined {
  const inside = group.children.filter((node) => !node.hidden)
  if (inside.length === 0) return undefined
  const row = html`<li class="oct-directory-group"><details><summary>${renderIcon(group.icon, listing.icons)}<span>${group.label}</span>${tagOf(group)}</summary>${rows(inside, listing)}</details></li>`
  return listing.marks.wrap(row, listing.marks.ofNode(group))
}

function linkTo(node: NavNode, { links, marks }: Listing): Html | undefined {
  if (node.type === 'division') return links.toDivision(node)
  const href = node.type === 'page' ? (node.link ?? node.url) : firstPage(node)?.url
  return href === undefined ? undefined : marks.link(href)
}

function describeNode(node: NavNode, { describe, marks }: Listing): Html | undefined {
  if (node.type === 'page') return paragraph(describe(node.path))
  if (node.type === 'division' && node.description !== undefined) return paragraph(node.description)
  const root = node.type === 'group' ? node.root : undefined
  const own = root && paragraph(describe(root.path))
  if (root !== undefined && own !== undefined) return marks.wrap(own, marks.ofNode(root))
  // Lists only names that all readers of the entry may see.
  const names = node.children
    .filter((child) => !child.hidden && marks.isVisibleToSameReaders(node, child))
    .map(({ label }) => label)
  if (names.length === 0) return undefined
  return paragraph(names.slice(0, NAMES_MAX).join(' · ') + (names.length > NAMES_MAX ? ' …' : ''))
}

function paragraph(text: string | undefined): Html | undefined {
  return text ? html`<p>${text}</p>` : undefined
}

function tagOf(node: NavNode): Html | undefined {
  return node.tag === undefined ? undefined : html` <span class="oct-tag">${node.tag}</span>`
}
