import type { Config } from '@octavo/model'
import type { SourceTree } from '../source/source-tree.ts'
import type { PlannedPage } from './plan-pages.ts'

/**
 * Returns when a page was last changed, as ISO 8601: from its frontmatter, or else from the Git
 * history. Returns undefined if the date is unknown or not shown.
 */
export function lastModified(
  { file, frontmatter: { fields } }: PlannedPage,
  { metadata }: Config,
  tree: Pick<SourceTree, 'changedAt'>,
): string | undefined {
  if (!(fields.timestamp ?? metadata?.timestamp)) return undefined
  const { lastUpdatedDate: written } = fields
  if (written !== undefined && /^\d{4}-\d{2}-\d{2}/.test(written)) return written
  return file === undefined ? undefined : tree.changedAt(file)
}
