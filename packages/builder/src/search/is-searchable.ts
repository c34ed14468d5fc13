import type { Config, NavDivision, NavGroup } from '@octavo/model'
import type { PlannedPage } from '../plan-pages.ts'

/**
 * Whether readers find a page by searching. Hidden pages are not found unless the part of the
 * navigation that hides them says `searchable`, or the whole site is to be indexed.
 */
export function isSearchable(page: PlannedPage, config: Config): boolean {
  const { entry, frontmatter } = page
  const { hidden, noindex, searchable } = frontmatter.fields
  if (noindex || searchable === false) return false
  if (config.seo?.indexing === 'all') return true
  if (hidden || entry === undefined) return false
  return !entry.hidden || isFoundThough(entry.parent)
}

/** The nearest part that says whether hidden pages are found. */
function isFoundThough(parent: NavDivision | NavGroup): boolean {
  for (let at: NavDivision | NavGroup | undefined = parent; at !== undefined; at = at.parent) {
    if (at.details.searchable !== undefined) return at.details.searchable
  }
  return false
}
