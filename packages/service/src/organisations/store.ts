import type { Database } from '../database/database.ts'
import { createPublicId } from '../public-id.ts'

export type OrganisationRow = {
  readonly id: string
  readonly public_id: string
  readonly name: string
}

/** The first organisation of a name or id, made if there is none. Only operators call it. */
export async function ensureOrganisation(
  database: Database,
  name: string,
): Promise<OrganisationRow> {
  return (await findOrganisation(database, name)) ?? insertOrganisation(database, name)
}

async function findOrganisation(
  database: Database,
  name: string,
): Promise<OrganisationRow | undefined> {
  const [row] = await database.query<OrganisationRow>(
    'select id, public_id, name from organisation where name = $1 or public_id = $1 order by created_at limit 1',
    [name],
  )
  return row
}

export async function insertOrganisation(
  database: Database,
  name: string,
): Promise<OrganisationRow> {
  const [row] = await database.query<OrganisationRow>(
    'insert into organisation (public_id, name) values ($1, $2) returning id, public_id, name',
    [createPublicId('org'), name],
  )
  if (row === undefined) throw new Error('the organisation was not inserted')
  return row
}
