import type { Database, ProjectDatabase, Tenant } from '../../platform/database/database.ts'

/** Returns the tenant of a project by its public id; undefined if it does not exist. */
export async function findTenant(
  database: Database,
  publicId: string,
): Promise<Tenant | undefined> {
  const [row] = await database.query<{ organization_id: string; project_id: string }>(
    'select * from find_project($1)',
    [publicId],
  )
  return row && { organizationId: row.organization_id, projectId: row.project_id }
}

/** Returns the stored rules about repositories whose jobs may deploy the project. */
export async function readTrust(database: ProjectDatabase): Promise<readonly string[]> {
  const [row] = await database.query<{ trust: readonly string[] | null }>(
    `select settings -> 'trust' as trust from project
      where organization_id = current_organization() and id = current_project()`,
  )
  return row?.trust ?? []
}
