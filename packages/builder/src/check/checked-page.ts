import type { PageLink } from '@octavo/content'
import type { PageFacts } from '../compile/page-facts.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'

/** The data of a compiled page that the checks need. */
export type CheckedPage = {
  readonly page: PlannedPage
  readonly links: readonly PageLink[]
  /** All ids on the page to which a link can point. */
  readonly ids: ReadonlySet<string>
  /** True if the author's code may add elements in the browser, so that `ids` may be incomplete. */
  readonly hasUnknownIds: boolean
  /** Files that the page includes. */
  readonly files: readonly string[]
  readonly failed: boolean
}

/**
 * Returns the data of a page. `parts` are the page's own text and the part that is generated from a
 * specification.
 */
export function checkedPage(page: PlannedPage, parts: readonly PageFacts[]): CheckedPage {
  return {
    page,
    links: parts.flatMap(({ links }) => links),
    ids: new Set(parts.flatMap(({ ids }) => ids)),
    hasUnknownIds: parts.some(({ islands }) => islands !== undefined),
    files: parts.flatMap(({ files }) => files),
    failed: parts.some(({ failed }) => failed === true),
  }
}
