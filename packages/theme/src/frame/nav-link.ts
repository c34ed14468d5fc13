import { firstPage, isInternalLink, type NavDivision } from '@octavo/model'
import { escapeHtml, type Html, html, markup } from '../html.ts'
import { isExternal, isSafeAddress, isSafeImage } from '../safe-address.ts'

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

type Icon = string | { readonly name: string } | undefined

/** An icon of the navigation: a file is shown, a name is left for the icon set to fill in. */
export function renderIcon(icon: Icon): Html | undefined {
  const name = typeof icon === 'string' ? icon : icon?.name
  if (name === undefined || name === '' || name.startsWith('<')) return undefined
  if (!name.includes('/')) {
    return html`<span class="oct-icon" data-icon="${name}" aria-hidden="true"></span>`
  }
  return isSafeImage(name)
    ? html`<img class="oct-icon" src="${siteHref(name)}" alt="" loading="lazy">`
    : undefined
}

/** Where choosing a division leads; nothing for one that has no pages. */
export function divisionHref(division: NavDivision): string | undefined {
  return division.href ?? firstPage(division)?.url
}
