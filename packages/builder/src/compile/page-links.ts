/** Links as a page writes them → addresses of the site. */
import { posix } from 'node:path'

/** A scheme, another host, a part of the page itself, or nothing. */
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/|#|\?|$)/i

/** True when the link leaves the path of its page: to another page, or to a file. */
export function isPathLink(url: string): boolean {
  return !ELSEWHERE.test(url)
}

/**
 * The address that a link of a page leads to. A relative one is read from the file that it stands
 * in, as in any editor, whatever address a host serves the page at; `.mdx` names the page.
 */
export function resolvePageLink(url: string, file: string): string {
  if (!isPathLink(url)) return url
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  const rest = end < 0 ? '' : url.slice(end)
  if (path.startsWith('/')) return path.endsWith('.mdx') ? `${addressOf(path)}${rest}` : url
  // Nothing leads out of the site; browsers stop at the root as well.
  const joined = posix.join('/', posix.dirname(file), path)
  return `${addressOf(joined)}${rest}`
}

/** Where an address begins in a link or a tag that starts the text; 0 also where it is not written out. */
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
