import { isSearchablePage } from '@octavo/model'
import type { PlannedPage } from './plan-pages.ts'

/** Checks whether a page may appear in sitemaps, lists for programs, and search results. */
export function isIndexed(
  { entry, frontmatter }: PlannedPage,
  indexing: 'navigable' | 'all' | undefined,
): boolean {
  const { hidden, noindex } = frontmatter.fields
  if (noindex) return false
  return indexing === 'all' || (!hidden && entry !== undefined && isSearchablePage(entry))
}
