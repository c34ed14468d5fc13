import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { placeOfMember } from '../json/json-node.ts'
import type { WrittenRedirect } from './check-redirects.ts'
import { pagePathOfUrl } from './page-path.ts'
import { normalizeRedirectPath, parsePattern, unreachablePart } from './redirects.ts'

export type RetireCheck = {
  /** All pages, by page path. */
  readonly pages: ReadonlyMap<
    string,
    { readonly file: string; readonly isPageOnlyWhenListed: boolean }
  >
  readonly isListed: (path: string) => boolean
  readonly redirects: readonly WrittenRedirect[]
  readonly report: Report
}

/**
 * Returns pages that are not in the navigation and whose address has a redirect: the author
 * redirects readers but has kept the file. If a page is listed, it is served, and its redirect is
 * never used.
 */
export function retiredPages(check: RetireCheck): ReadonlySet<string> {
  const retired = new Set<string>()
  for (const { source: written, destination, node } of check.redirects) {
    const source = normalizeRedirectPath(written)
    const isPlain = parsePattern(source) === undefined && unreachablePart(written) === undefined
    const path = isPlain ? pagePathOfUrl(source) : undefined
    const page = path === undefined ? undefined : check.pages.get(path)
    if (path === undefined || page === undefined || retired.has(path)) continue
    const leadsBack = normalizeRedirectPath(destination) === source
    if (page.isPageOnlyWhenListed || leadsBack || check.isListed(path)) continue
    retired.add(path)
    check.report(
      diagnose(
        'nav/orphan-page',
        { file: page.file, line: 1, column: 1 },
        {
          message: `"${path}" is not in the navigation, and a redirect starts at its URL, so the page is not built.`,
          hint: 'Remove the file, or list the page and remove the redirect.',
          related: [{ message: 'The redirect.', place: placeOfMember(node, 'source') }],
        },
      ),
    )
  }
  return retired
}
