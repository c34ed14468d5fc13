import type { Config } from '@octavo/model'
import type { SourceTree } from '../source/source-tree.ts'
import type { PlannedPage } from './plan-pages.ts'

/**
 * When a page was last changed, as ISO 8601: what its author wrote, else what history says. Nothing
 * where readers shall not see it, or nobody knows.
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
