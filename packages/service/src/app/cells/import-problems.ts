import type { Database, Query } from '../../platform/database/database.ts'
import { type Manifest, readMigration, UnusableExport } from './export-manifest.ts'
import { PROJECT_TABLES, quote } from './project-tables.ts'

/** Throws if an export has another schema version, since its rows would not fit these tables. */
export async function checkVersion({ query }: Database, { migration }: Manifest): Promise<void> {
  const own = await readMigration(query)
  if (migration === own) return
  throw new UnusableExport(
    migration > own
      ? `The export was made by a newer version: its last migration is ${migration}, and that of this cell is ${own || 'none'}. Upgrade this cell first.`
      : `The export was made by an older version: its last migration is ${migration}, and that of this cell is ${own}. Upgrade the other cell and export again.`,
  )
}

/**
 * Returns the reason why the project cannot be imported, or undefined. A project that was deleted
 * in this cell can be imported again.
 */
export async function findImportProblem(
  query: Query,
  { project }: Manifest,
): Promise<string | undefined> {
  const { id, publicId, slug } = project
  const [there] = await query<{ id: string; is_deleted: boolean }>(
    'select id, deleted_at is not null as is_deleted from project where id = $1 or public_id = $2',
    [id, publicId],
  )
  if (there !== undefined && (!there.is_deleted || there.id !== id))
    return `Project ${publicId} is already in this cell. To replace it, delete it first: \`octavo-service project delete ${publicId}\`.`
  const [taken] = await query('select from project_slug where slug = $1 and project_id <> $2', [
    slug,
    id,
  ])
  return (
    taken &&
    `The slug "${slug}" belongs or once belonged to another project of this cell. Rename the project and export it again.`
  )
}

/** Deletes the remaining rows of a deleted project, so that the import can insert it again. */
export async function removeDeleted(query: Query, projectId: string): Promise<void> {
  for (const table of PROJECT_TABLES.toReversed())
    await query(`delete from ${quote(table)} where project_id = $1`, [projectId])
  await query('delete from jobs.job where singleton_key = $1', [projectId])
  await query('delete from project where id = $1', [projectId])
}
