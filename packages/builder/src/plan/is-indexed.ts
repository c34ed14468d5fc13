import { isFindable } from '@octavo/model'
import type { PlannedPage } from './plan-pages.ts'

/** Pages that are for everybody: neither hidden, unless all shall be found, nor kept out themselves. */
export function isOpen(
  { entry, frontmatter }: PlannedPage,
  indexing: 'navigable' | 'all' | undefined,
): boolean {
  const { hidden, noindex } = frontmatter.fields
  if (noindex) return false
  return indexing === 'all' || (!hidden && entry !== undefined && isFindable(entry))
}
