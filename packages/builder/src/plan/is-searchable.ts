import type { Config } from '@octavo/model'
import { isIndexed } from './is-indexed.ts'
import type { PlannedPage } from './plan-pages.ts'

/** Checks whether a page is indexed and does not opt out of search. */
export function isSearchable(page: PlannedPage, config: Config): boolean {
  return page.frontmatter.fields.searchable !== false && isIndexed(page, config.seo?.indexing)
}
