/** What the request of a reader says, as far as a host of files has to know. */
import type { IncomingMessage } from 'node:http'

export type Encoding = 'br' | 'gzip'

export const READ: ReadonlySet<string> = new Set(['GET', 'HEAD'])
export const POST: ReadonlySet<string> = new Set(['POST'])
/** For what refuses methods with words of its own. */
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

/** Nothing for a path that cannot be read. */
export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/**
 * A program that wants a page as text says so, and a browser never names Markdown. Agents name HTML too,
 * as what they take otherwise.
 */
export function asksForText({ headers }: IncomingMessage): boolean {
  const { accept = '' } = headers
  const markdown = qualityOf(accept, 'text/markdown')
  if (markdown > 0) return markdown >= qualityOf(accept, 'text/html')
  return !accept.includes('text/html') && qualityOf(accept, 'text/plain') > 0
}

/** From 0 to 1; 0 for a name that is not in the list. */
function qualityOf(accepted: string, name: string): number {
  const part = accepted.split(',').find((one) => one.split(';', 1)[0]?.trim() === name)
  if (part === undefined) return 0
  const [, written] = /;\s*q=([\d.]+)/i.exec(part) ?? []
  return written === undefined ? 1 : Number(written) || 0
}

export const wantsPage = ({ headers }: IncomingMessage) =>
  /text\/html|\*\/\*/.test(headers.accept ?? '*/*')

/** The one that the reader prefers, and the smaller one of two that are equally good. */
export function encodingOf({ headers }: IncomingMessage): Encoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
  // Browsers send no qualities, and this is asked for every file.
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

/** One range of bytes; several are answered with the whole file, as they may be. */
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
