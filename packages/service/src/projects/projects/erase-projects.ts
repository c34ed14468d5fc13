import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/telemetry/log.ts'

const PROJECTS_PER_BATCH = 100
/** The number of rows per transaction: few enough not to block other transactions. */
const ROWS_PER_BATCH = 1_000

/**
 * Erases the rows of projects whose deletion can no longer be undone, then organizations without
 * projects. After an interruption, the next run continues: the project row is deleted last.
 */
export async function eraseProjects(
  { database, log }: { readonly database: Database; readonly log: Log },
  signal: AbortSignal,
  rowsAtATime: number = ROWS_PER_BATCH,
): Promise<number> {
  const projects = await database.query<{ id: string }>(
    'select find_erasable_projects($1)::text as id',
    [PROJECTS_PER_BATCH],
  )
  let erased = 0
  for (const { id } of projects) {
    let hasMore = true
    while (hasMore && !signal.aborted) {
      const [row] = await database.query<{ more: boolean }>(
        'select erase_project($1, $2) as more',
        [id, rowsAtATime],
      )
      hasMore = row?.more === true
    }
    if (hasMore) return erased
    erased += 1
    log.info('a deleted project is gone', { projectId: id })
  }
  const [row] = await database.query<{ count: number }>('select erase_organizations() as count')
  if ((row?.count ?? 0) > 0) log.info('deleted organizations are gone', { count: row?.count })
  return erased
}
