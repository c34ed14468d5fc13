/** Parses page addresses as agents write them: full URLs or paths, with `.md`, with a fragment. */
import type { DocsSite } from './docs-site.ts'

export type PageAddress = {
  /** The decoded path without the base path, such as `/guides/start`. */
  readonly path: string
  /** The fragment without `#`; empty for the whole page. */
  readonly fragment: string
}

const NOWHERE = 'https://site.invalid'

/** Returns undefined for an address outside of this site. */
export function parsePageAddress({ url }: DocsSite, given: string): PageAddress | undefined {
  const site = new URL(url === '' ? NOWHERE : url)
  const asked = URL.parse(given.startsWith('#') ? '/' : given, `${site.origin}/`)
  if (asked === null || asked.host !== site.host) return undefined
  const decoded = decode(asked.pathname)
  const fragment = decode(asked.hash.slice(1))
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
