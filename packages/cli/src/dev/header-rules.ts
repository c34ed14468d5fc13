/** Sets response headers as a host does that follows the build's header rules. */
import type { ServerResponse } from 'node:http'
import type { HeaderRule } from '@octavo/builder'
import { mediaType } from '@octavo/model'

/** Matches `Cache-Control` of files with a content hash in their name. */
const IMMUTABLE_HEADER = /immutable/

/** `path` is the requested path, `file` the file that is sent. */
export function setHeaders(
  response: ServerResponse,
  { path, file }: { readonly path: string; readonly file: string },
  rules: readonly HeaderRule[],
): void {
  response.setHeader('content-type', mediaType(file))
  for (const { path: pattern, headers, when } of rules) {
    // Rules with a condition apply to another file, which is sent for a different `Accept`.
    if (when !== undefined || !matchesPath(path, pattern)) continue
    for (const [name, value] of Object.entries(headers)) {
      const before = /^content-type$/i.test(name) ? undefined : response.getHeader(name)
      response.setHeader(name, before === undefined ? value : `${before}, ${value}`)
    }
  }
  if (!IMMUTABLE_HEADER.test(String(response.getHeader('cache-control')))) {
    response.setHeader('cache-control', 'no-cache')
  }
}

/** Returns true if the client asks for Markdown and not for HTML, which every browser accepts. */
export function wantsText(accept: string, rules: readonly HeaderRule[]): boolean {
  if (accept.includes('text/html')) return false
  return rules.some(({ when }) => when?.accept.some((type) => accept.includes(type)) === true)
}

function matchesPath(path: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*')
  if (end === undefined) return path === pattern
  return path.length >= start.length + end.length && path.startsWith(start) && path.endsWith(end)
}

/**
 * Returns the decoded path without its leading slash; a path that matches no file if it cannot be
 * decoded.
 */
export function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).replace(/^\/+/, '')
  } catch {
    return '\0'
  }
}
