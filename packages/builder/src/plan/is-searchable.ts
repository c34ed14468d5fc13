import type { Config } from '@octavo/model'
import { isIndexed } from './is-indexed.ts'
import type { PlannedPage } from './plan-pages.ts'

/** Whether readers find a page by searching: if it is open, and does not say otherwise itself. */
export function isSearchable(page: PlannedPage, config: Config): boolean {
  return page.frontmatter.fields.searchable !== false && isIndexed(page, config.seo?.indexing)
}
