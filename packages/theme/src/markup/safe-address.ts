import { isDangerousUrl, isInlineImage, isInternalLink } from '@octavo/model'

/**
 * Checks that following a URL runs no code. This is the last check before the URL is written:
 * `content` has checked the URLs of pages, and `model` those of docs.json.
 */
export function isSafeAddress(url: string): boolean {
  // Nearly all URLs start with `/` or `#` and therefore have no scheme.
  const first = url.charCodeAt(0)
  return first === 47 || first === 35 || !isDangerousUrl(url)
}

/** Checks that showing an image runs no code. */
export function isSafeImage(url: string): boolean {
  return isSafeAddress(url) || isInlineImage(url)
}

/** Checks whether a URL leads to another site. */
export function isExternal(url: string): boolean {
  return /^(?:https?:)?\/\//i.test(url)
}

/**
 * Returns the URL of a link in docs.json; a relative link is resolved from the root of the site.
 */
export function siteHref(href: string): string {
  if (!isSafeAddress(href)) return '#'
  if (!isInternalLink(href) || href.startsWith('/') || href.startsWith('?')) return href
  return `/${href.replace(/^\.\//, '')}`
}
