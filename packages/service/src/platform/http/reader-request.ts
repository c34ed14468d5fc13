/** Reads the headers of a reader's request that matter for serving files. */
import type { IncomingMessage } from 'node:http'

export type Encoding = 'br' | 'gzip'

export const READ: ReadonlySet<string> = new Set(['GET', 'HEAD'])
export const POST: ReadonlySet<string> = new Set(['POST'])
/** All methods, for handlers that reject methods with their own message. */
export const ALL_METHODS: ReadonlySet<string> = new Set([
  ...READ,
  ...POST,
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])

export function splitQuery(url: string): readonly [path: string, search: string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)]
}

/** Decodes a path; returns undefined if its percent-encoding is invalid. */
export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/**
 * Returns whether the client prefers a page as text. Browsers never accept Markdown, and agents
 * accept HTML only as a fallback.
 */
export function wantsText({ headers }: IncomingMessage): boolean {
  const { accept = '' } = headers
  const markdown = qualityOf(accept, 'text/markdown')
  if (markdown > 0) return markdown >= qualityOf(accept, 'text/html')
  return !accept.includes('text/html') && qualityOf(accept, 'text/plain') > 0
}

/**
 * Returns the quality value of a media type or encoding, from 0 to 1; 0 if the header does not list
 * it.
 */
function qualityOf(accepted: string, name: string): number {
  // Most headers do not have the name, and searching is much faster than splitting.
  if (!accepted.includes(name)) return 0
  const part = accepted.split(',').find((one) => one.split(';', 1)[0]?.trim() === name)
  if (part === undefined) return 0
  const [, written] = /;\s*q=([\d.]+)/i.exec(part) ?? []
  return written === undefined ? 1 : Number(written) || 0
}

export const wantsPage = ({ headers }: IncomingMessage) =>
  /text\/html|\*\/\*/.test(headers.accept ?? '*/*')

/**
 * Returns the encoding that the client prefers, `br` if both are preferred equally, or undefined if
 * it accepts neither.
 */
export function encodingOf({ headers }: IncomingMessage): Encoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
  // Uses a fast path without quality values, because this runs for every file and browsers send
  // none.
  if (!accepted.includes(';')) {
    if (/(?:^|,)\s*br\s*(?:,|$)/.test(accepted)) return 'br'
    return /(?:^|,)\s*gzip\s*(?:,|$)/.test(accepted) ? 'gzip' : undefined
  }
  const br = qualityOf(accepted, 'br')
  const gzip = qualityOf(accepted, 'gzip')
  if (br > 0 && br >= gzip) return 'br'
  return gzip > 0 ? 'gzip' : undefined
}

export function isNotModified({ headers }: IncomingMessage, etag: string): boolean {
  const known = headers['if-none-match']
  if (known === undefined || known === etag) return known === etag
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

type Range = { readonly start: number; readonly end: number }

/**
 * Returns the requested byte range. Undefined means the whole file, which is also sent if several
 * ranges are requested.
 */
export function rangeOf(
  { headers }: IncomingMessage,
  size: number,
  etag: string,
): Range | 'unsatisfiable' | undefined {
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  return start < end ? { start, end } : 'unsatisfiable'
}
