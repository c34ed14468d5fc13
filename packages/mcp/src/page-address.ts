/**
 * Parses the address of a page in the forms that agents write: full URLs or paths, with or without
 * `.md` and a fragment.
 */
import type { DocsSite } from './docs-site.ts'

export type PageAddress = {
  /** The decoded path without the base path of the site, such as `/guides/start`. */
  readonly path: string
  /** The fragment without `#`; empty if the address is a whole page. */
  readonly fragment: string
}

const PLACEHOLDER_ORIGIN = 'https://site.invalid'

/** Parses the address of a page. Returns undefined if it is not on this site. */
export function parsePageAddress({ url }: DocsSite, given: string): PageAddress | undefined {
  const site = new URL(url === '' ? PLACEHOLDER_ORIGIN : url)
  const requested = URL.parse(given.startsWith('#') ? '/' : given, `${site.origin}/`)
  if (requested === null || requested.host !== site.host) return undefined
  const decoded = decode(requested.pathname)
  const fragment = decode(requested.hash.slice(1))
  if (decoded === undefined || fragment === undefined) return undefined
  const base = site.pathname.replace(/\/+$/, '')
  const isBelow = base !== '' && (decoded === base || decoded.startsWith(`${base}/`))
  const path = (isBelow ? decoded.slice(base.length) : decoded)
    .replace(/\/+$/, '')
    .replace(/\.mdx?$/, '')
    .replace(/^\/index$/, '')
  return { path: path === '' ? '/' : path, fragment }
}

/** Returns the full URL of a page, as tools print it. */
export function printAddress({ url }: DocsSite, path: string, fragment = ''): string {
  return `${url}${path}${fragment === '' ? '' : `#${fragment}`}`
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
