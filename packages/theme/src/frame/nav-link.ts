import {
  firstPage,
  isInternalLink,
  type NavDivision,
  type NavNode,
  type NavPage,
} from '@octavo/model'
import { escapeHtml, type Html, markup } from '../markup/html.ts'
import { isExternal, siteHref } from '../markup/safe-address.ts'

/** Returns ` href="…"`, and `rel` for external links. */
export function hrefAttribute(href: string): Html {
  const url = siteHref(href)
  return markup(` href="${escapeHtml(url)}"${isExternal(url) ? ' rel="noopener"' : ''}`)
}

/** Returns the link of a division; undefined if it has no pages. */
export function divisionHref(division: NavDivision): string | undefined {
  const { href } = division
  const first = firstPage(division)?.url
  if (href === undefined || first === undefined || !isInternalLink(href)) return href ?? first
  // Some authors link to the folder of a division, which need not have a page.
  return pageAt(division, href) === undefined ? first : href
}

/** Returns the page of a division that a link in docs.json leads to. */
export function pageAt(division: NavDivision, href: string): NavPage | undefined {
  return findPage(division, siteHref(href))
}

function findPage(node: NavNode, url: string): NavPage | undefined {
  if (node.type === 'page') return node.url === url ? node : undefined
  if (node.type === 'group' && node.root?.url === url) return node.root
  for (const child of node.children) {
    const page = findPage(child, url)
    if (page !== undefined) return page
  }
  return undefined
}
