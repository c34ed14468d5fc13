/** Resolves the links on a page to addresses of the site. */
import { posix } from 'node:path'

/**
 * Matches URLs with a scheme or another host, URLs that start with a fragment or query, and empty
 * URLs.
 */
const EXTERNAL = /^(?:[a-z][a-z\d+.-]*:|\/\/|#|\?|$)/i

/** Checks whether a link has a path, which leads to another page or to a file. */
export function isPathLink(url: string): boolean {
  return !EXTERNAL.test(url)
}

/**
 * Returns the address of a link. A relative link is resolved from the file that contains it (as
 * editors do), not from the URL of the page. A link to an `.mdx` file points to the page of that
 * file.
 */
export function resolvePageLink(url: string, file: string): string {
  if (!isPathLink(url)) return url
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  const rest = end < 0 ? '' : url.slice(end)
  if (path.startsWith('/')) return path.endsWith('.mdx') ? `${addressOf(path)}${rest}` : url
  // `..` stops at the root, as in browsers, so no link leads outside the site.
  const joined = posix.join('/', posix.dirname(file), path)
  return `${addressOf(joined)}${rest}`
}

/**
 * Returns the offset of an address in a link or tag at the start of the text, or 0 if the address
 * does not occur there.
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
