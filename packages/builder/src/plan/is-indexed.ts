import { isSearchablePage } from '@octavo/model'
import type { PlannedPage } from './plan-pages.ts'

/** True for a page that may be listed in sitemaps, lists for programs and search. */
export function isIndexed(
  { entry, frontmatter }: PlannedPage,
  indexing: 'navigable' | 'all' | undefined,
): boolean {
  const { hidden, noindex } = frontmatter.fields
  if (noindex) return false
  return indexing === 'all' || (!hidden && entry !== undefined && isSearchablePage(entry))
}
