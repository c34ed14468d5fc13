import { firstPage, isInternalLink, type NavDivision, type NavNode } from '@octavo/model'
import { escapeHtml, type Html, markup } from '../html.ts'
import { isExternal, isSafeAddress } from '../safe-address.ts'

/** An address of docs.json as a page can use it: relative ones are meant from the root. */
export function siteHref(href: string): string {
  if (!isSafeAddress(href)) return '#'
  if (!isInternalLink(href) || href.startsWith('/') || href.startsWith('?')) return href
  return `/${href.replace(/^\.\//, '')}`
}

/** ` href="…"` and what belongs to it. */
export function hrefAttribute(href: string): Html {
  const url = siteHref(href)
  return markup(` href="${escapeHtml(url)}"${isExternal(url) ? ' rel="noopener"' : ''}`)
}

/** Where choosing a division leads; nothing for one that has no pages. */
export function divisionHref(division: NavDivision): string | undefined {
  const { href } = division
  const first = firstPage(division)?.url
  if (href === undefined || first === undefined || !isInternalLink(href)) return href ?? first
  // With pages of its own, some write the folder of these, where no page may be.
  return hasPage(division, siteHref(href)) ? href : first
}

function hasPage(node: NavNode, url: string): boolean {
  if (node.type === 'page') return node.url === url
  if (node.type === 'group' && node.root?.url === url) return true
  return node.children.some((child) => hasPage(child, url))
}
