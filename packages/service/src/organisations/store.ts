import { insertAudit } from '../audit/store.ts'
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

export async function findOrganisation(
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

/** `null` removes the limit. */
export async function setStorageLimit(
  database: Database,
  organisation: OrganisationRow,
  bytes: number | null,
): Promise<void> {
  await database.transaction(async (query) => {
    await query('update organisation set storage_bytes_max = $2 where id = $1', [
      organisation.id,
      bytes,
    ])
    await query(`select set_config('octavo.organisation_id', $1, true)`, [organisation.id])
    await insertAudit(query, {
      actor: 'operator',
      action: 'organisation.storage',
      object: organisation.public_id,
      after: { bytesMax: bytes },
    })
  })
}
