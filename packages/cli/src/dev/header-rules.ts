/** Headers as a host sends them that reads the rules of a build. */
import type { ServerResponse } from 'node:http'
import type { HeaderRule } from '@octavo/builder'
import { mediaType } from '@octavo/model'

/** Names that hold the hash of their content. */
const KEPT_FOR_EVER = /immutable/

/** `path` is as the browser asked for it, `file` what is sent. */
export function setHeaders(
  response: ServerResponse,
  { path, file }: { readonly path: string; readonly file: string },
  rules: readonly HeaderRule[],
): void {
  response.setHeader('content-type', mediaType(file))
  for (const { path: pattern, headers, when } of rules) {
    // What is sent to those who ask for something else is another file.
    if (when !== undefined || !matchesPath(path, pattern)) continue
    for (const [name, value] of Object.entries(headers)) {
      const before = /^content-type$/i.test(name) ? undefined : response.getHeader(name)
      response.setHeader(name, before === undefined ? value : `${before}, ${value}`)
    }
  }
  if (!KEPT_FOR_EVER.test(String(response.getHeader('cache-control')))) {
    response.setHeader('cache-control', 'no-cache')
  }
}

/** A program that wants a page as text says so, and a browser never does. */
export function asksForText(accept: string, rules: readonly HeaderRule[]): boolean {
  if (accept.includes('text/html')) return false
  return rules.some(({ when }) => when?.accept.some((type) => accept.includes(type)) === true)
}

function matchesPath(path: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*')
  if (end === undefined) return path === pattern
  return path.length >= start.length + end.length && path.startsWith(start) && path.endsWith(end)
}

/** The path of a request without its first slash; one that cannot be read leads nowhere. */
export function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).replace(/^\/+/, '')
  } catch {
    return '\0'
  }
}
