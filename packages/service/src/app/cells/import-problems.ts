import type { Database, Query } from '../../platform/database/database.ts'
import { type Manifest, readMigration, UnusableExport } from './export-manifest.ts'
import { PROJECT_TABLES, quote } from './project-tables.ts'

/** Throws for an export with another schema version, whose rows do not fit these tables. */
export async function checkVersion({ query }: Database, { migration }: Manifest): Promise<void> {
  const own = await readMigration(query)
  if (migration === own) return
  throw new UnusableExport(
    migration > own
      ? `The export is of a newer version: its last migration is ${migration}, that of this cell ${own || 'none'}. Upgrade this cell first.`
      : `The export is of an older version: its last migration is ${migration}, that of this cell ${own}. Upgrade the other cell and export again.`,
  )
}

/**
 * Returns the reason why the project cannot be imported. One that was deleted here may come back.
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
    return `Project ${publicId} is in this cell already. To replace it, delete it first: \`octavo-service project delete ${publicId}\`.`
  const [taken] = await query('select from project_slug where slug = $1 and project_id <> $2', [
    slug,
    id,
  ])
  return (
    taken &&
    `The slug "${slug}" belongs to another project of this cell, or did before. Give the project another one and export it again.`
  )
}

/** Deletes the remains of a deleted project, which the import replaces. */
export async function removeDeleted(query: Query, projectId: string): Promise<void> {
  for (const table of PROJECT_TABLES.toReversed())
    await query(`delete from ${quote(table)} where project_id = $1`, [projectId])
  await query('delete from jobs.job where singleton_key = $1', [projectId])
  await query('delete from project where id = $1', [projectId])
}
