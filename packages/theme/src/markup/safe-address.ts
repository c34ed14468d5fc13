import { isDangerousUrl, isInlineImage, isInternalLink } from '@octavo/model'

/**
 * True if following the address runs no code: the last check before it is written. Addresses of
 * pages were checked by `content` and those of docs.json by `model`.
 */
export function isSafeAddress(url: string): boolean {
  // Nearly all addresses begin with one of these, and none of those has a scheme.
  const first = url.charCodeAt(0)
  return first === 47 || first === 35 || !isDangerousUrl(url)
}

/** True if showing the image runs no code. */
export function isSafeImage(url: string): boolean {
  return isSafeAddress(url) || isInlineImage(url)
}

/** True for an address on another site. */
export function isExternal(url: string): boolean {
  return /^(?:https?:)?\/\//i.test(url)
}

/** An address of docs.json as a page can use it: relative ones are meant from the root. */
export function siteHref(href: string): string {
  if (!isSafeAddress(href)) return '#'
  if (!isInternalLink(href) || href.startsWith('/') || href.startsWith('?')) return href
  return `/${href.replace(/^\.\//, '')}`
}
