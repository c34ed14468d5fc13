import type { PageLink } from '@octavo/content'
import type { PageFacts } from '../compile/page-facts.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'

/** What checks have to know of a page once it is compiled. */
export type CheckedPage = {
  readonly page: PlannedPage
  readonly links: readonly PageLink[]
  /** Everything on it that a link can lead to. */
  readonly ids: ReadonlySet<string>
  /** Code of its author may add elements in the browser, so nobody knows all ids. */
  readonly hasUnknownIds: boolean
  /** Files that it is made of besides its own. */
  readonly files: readonly string[]
  readonly failed: boolean
}

/** `parts` are its own text, and what it shows of a specification. */
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
