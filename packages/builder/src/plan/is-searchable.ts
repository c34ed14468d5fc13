import type { Config } from '@octavo/model'
import { isIndexed } from './is-indexed.ts'
import type { PlannedPage } from './plan-pages.ts'

/** True for an indexed page that does not opt out of search. */
export function isSearchable(page: PlannedPage, config: Config): boolean {
  return page.frontmatter.fields.searchable !== false && isIndexed(page, config.seo?.indexing)
}
