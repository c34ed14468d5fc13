import { isDangerousUrl, isInlineImage, isInternalLink } from '@octavo/model'

/**
 * True if following the URL runs no code: the last check before it is written. `content` has
 * checked the URLs of pages, and `model` those of docs.json.
 */
export function isSafeAddress(url: string): boolean {
  // Nearly all URLs start with `/` or `#`, and those have no scheme.
  const first = url.charCodeAt(0)
  return first === 47 || first === 35 || !isDangerousUrl(url)
}

/** True if showing the image runs no code. */
export function isSafeImage(url: string): boolean {
  return isSafeAddress(url) || isInlineImage(url)
}

/** True for a URL on another site. */
export function isExternal(url: string): boolean {
  return /^(?:https?:)?\/\//i.test(url)
}

/** Returns a docs.json link for use in a page: relative ones are resolved from the root. */
export function siteHref(href: string): string {
  if (!isSafeAddress(href)) return '#'
  if (!isInternalLink(href) || href.startsWith('/') || href.startsWith('?')) return href
  return `/${href.replace(/^\.\//, '')}`
}
