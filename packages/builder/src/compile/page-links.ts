/** Resolves links of a page to addresses of the site. */
import { posix } from 'node:path'

/** A scheme, another host, a fragment or query of the page itself, or an empty URL. */
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/|#|\?|$)/i

/** True if the link has a path: to another page or to a file. */
export function isPathLink(url: string): boolean {
  return !ELSEWHERE.test(url)
}

/**
 * Returns the address of a link. A relative link is resolved from its file, as in an editor,
 * independent of the page's address; `.mdx` names the page.
 */
export function resolvePageLink(url: string, file: string): string {
  if (!isPathLink(url)) return url
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  const rest = end < 0 ? '' : url.slice(end)
  if (path.startsWith('/')) return path.endsWith('.mdx') ? `${addressOf(path)}${rest}` : url
  // Like in browsers, `..` stops at the root, so no link leaves the site.
  const joined = posix.join('/', posix.dirname(file), path)
  return `${addressOf(joined)}${rest}`
}

/**
 * Returns the offset of an address in a link or tag at the start of the text; 0 if it is not
 * written there.
 */
export function findAddress(text: string, url: string): number {
  if (text.startsWith(url)) return 0
  for (let at = text.indexOf(url); at >= 0; at = text.indexOf(url, at + 1)) {
    const before = text.slice(Math.max(0, at - 3), at)
    const after = text.charAt(at + url.length)
    if (/(?:\]\(|\(<|=["']|[{[(:,]\s?["'`]|:[ <]|<)$/.test(before) && /^[)"'`>\s]?$/.test(after))
      return at
  }
  return 0
}

function addressOf(path: string): string {
  const bare = path.replace(/\.mdx?$/, '').replace(/(?<=.)\/+$/, '')
  return bare === '/index' ? '/' : bare
}
