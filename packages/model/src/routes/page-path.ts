/**
 * Page paths and their addresses. A page path is the path of the file without its extension,
 * relative to the root of the documentation: `guides/start` for `guides/start.mdx`.
 *
 * `pageUrl` is injective and `pagePathOfUrl` is its inverse: two different pages never have the
 * same address. If there is no page `guides`, `guides/index` is served at `/guides`; this can only
 * be decided when all pages are known (`folderOfIndex`, decision 0028).
 */
import { joinPath } from '../text/join-path.ts'

export type ParsedPagePath =
  | { readonly kind: 'path'; readonly path: string; readonly extension?: '.md' | '.mdx' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'outside-root' }
  | { readonly kind: 'address' }
  | { readonly kind: 'malformed' }

/** Parses a path as authors write it. A leading slash, `./` and the extension are allowed. */
export function parsePagePath(written: string): ParsedPagePath {
  return readPagePath(written.trim())
}

/** Parses a path without trimming it, because a file name may begin or end with a space. */
function readPagePath(text: string): ParsedPagePath {
  if (isPlainPath(text)) return { kind: 'path', path: text }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return { kind: 'address' }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file name of ours holds them.
  if (/[\u0000-\u001f\\]/.test(text) || !text.isWellFormed()) return { kind: 'malformed' }
  const joined = joinPath('', text)
  if (joined === undefined) return { kind: 'outside-root' }
  const extension = /\.mdx?$/.exec(joined)?.[0] as '.md' | '.mdx' | undefined
  const path = extension === undefined ? joined : joined.slice(0, -extension.length)
  if (path === '') return { kind: 'empty' }
  return extension === undefined ? { kind: 'path', path } : { kind: 'path', path, extension }
}

/**
 * Matches paths that need no normalization or escaping: nearly all of the 20,000 paths of a large
 * site.
 */
const PLAIN_PATH = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

function isPlainPath(path: string): boolean {
  return PLAIN_PATH.test(path) && !path.endsWith('.md') && !path.endsWith('.mdx')
}

/** Returns the address of a page, relative to the root of the site. */
export function pageUrl(path: string): string {
  if (path === 'index') return '/'
  if (isPlainPath(path)) return `/${path}`
  return `/${path.split('/').map(encodeSegment).join('/')}`
}

/**
 * Returns `guides` for `guides/index`, which is served there unless the address is already used.
 */
export function folderOfIndex(path: string): string | undefined {
  return path.endsWith('/index') ? path.slice(0, -'/index'.length) : undefined
}

/** Returns the page path for an address, or undefined if no page can have that address. */
export function pagePathOfUrl(url: string): string | undefined {
  if (url === '/') return 'index'
  if (!url.startsWith('/')) return undefined
  try {
    const path = url.slice(1).split('/').map(decodeURIComponent).join('/')
    const parsed = readPagePath(path)
    return parsed.kind === 'path' && parsed.path === path && pageUrl(path) === url
      ? path
      : undefined
  } catch {
    // The address has an invalid percent escape, so no page has it.
    return undefined
  }
}

/**
 * Percent-encodes characters that a path segment cannot contain; keeps those that browsers keep.
 */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/%(?:40|3A|24|2C|2B|3D|26|3B)/g, decodeURIComponent)
}

/** Returns a readable title for a path: `getting-started_now` → "Getting started now". */
export function titleFromPath(path: string): string {
  const words = path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll(/[-_]+/g, ' ')
    .trim()
  if (words === '') return path
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}
