/** Sets the response headers that a host sends if it follows the header rules of a build. */
import type { ServerResponse } from 'node:http'
import type { HeaderRule } from '@octavo/builder'
import { mediaType } from '@octavo/model'

/** Matches the `Cache-Control` of files whose names contain a content hash. */
const IMMUTABLE_HEADER = /immutable/

/** Sets the headers of a response. `path` is the requested path, `file` the file that is sent. */
export function setHeaders(
  response: ServerResponse,
  { path, file }: { readonly path: string; readonly file: string },
  rules: readonly HeaderRule[],
): void {
  response.setHeader('content-type', mediaType(file))
  for (const { path: pattern, headers, when } of rules) {
    // Rules with a condition apply to another file, which is sent if `Accept` asks for it.
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

/** Checks whether the client accepts Markdown and not HTML, which every browser accepts. */
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
 * Returns the decoded path without its leading slash. If it cannot be decoded, returns a path that
 * matches no file.
 */
export function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).replace(/^\/+/, '')
  } catch {
    return '\0'
  }
}
