import { diagnose, type Report } from '../diagnostic.ts'
import { placeOfMember } from '../json/json-node.ts'
import type { WrittenRedirect } from './check-redirects.ts'
import { pageUrl } from './page-path.ts'
import { normalizeRedirectPath, parsePattern, unreachablePart } from './redirects.ts'

export type RetireCheck = {
  /** Files of pages by page path, without those that are pages only where they are listed. */
  readonly pages: ReadonlyMap<string, { readonly file: string }>
  readonly isListed: (path: string) => boolean
  readonly redirects: readonly WrittenRedirect[]
  readonly report: Report
}

/**
 * Pages that were taken out of the navigation and have a redirect from their address: the author sent
 * readers elsewhere and left the file. A page that is listed stays, and its redirect is never used.
 */
export function retiredPages(check: RetireCheck): ReadonlySet<string> {
  const sources = new Map<string, WrittenRedirect>()
  for (const redirect of check.redirects) {
    const source = normalizeRedirectPath(redirect.source)
    const isPlain = parsePattern(source) === undefined && !unreachablePart(redirect.source)
    const isElsewhere = normalizeRedirectPath(redirect.destination) !== source
    if (isPlain && isElsewhere && !sources.has(source)) sources.set(source, redirect)
  }
  const retired = new Set<string>()
  if (sources.size === 0) return retired
  for (const [path, { file }] of check.pages) {
    const redirect = sources.get(pageUrl(path))
    if (redirect === undefined || check.isListed(path)) continue
    retired.add(path)
    check.report(
      diagnose(
        'nav/orphan-page',
        { file, line: 1, column: 1 },
        {
          message: `"${path}" is in no navigation, and a redirect leads away from its address, so it is not made.`,
          hint: 'Remove the file, or list the page and remove the redirect.',
          related: [{ message: 'The redirect.', place: placeOfMember(redirect.node, 'source') }],
        },
      ),
    )
  }
  return retired
}
