import type { Requester } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import type { BoundDatabase, Database, Query } from '../../platform/database/database.ts'
import { createPublicId } from '../../platform/public-id.ts'

export type OrganizationRow = {
  readonly id: string
  readonly public_id: string
  readonly name: string
}

/** Returns the oldest organization with this name or id, or creates one. For operator commands. */
export async function ensureOrganization(
  database: Database,
  name: string,
): Promise<OrganizationRow> {
  return (await findOrganization(database, name)) ?? insertOrganization(database, name)
}

export async function findOrganization(
  database: Database,
  name: string,
): Promise<OrganizationRow | undefined> {
  const [row] = await database.query<OrganizationRow>(
    'select id, public_id, name from organization where name = $1 or public_id = $1 order by created_at limit 1',
    [name],
  )
  return row
}

export async function insertOrganization(
  database: Database,
  name: string,
): Promise<OrganizationRow> {
  const [row] = await database.query<OrganizationRow>(
    'insert into organization (public_id, name) values ($1, $2) returning id, public_id, name',
    [createPublicId('org'), name],
  )
  if (row === undefined) throw new Error('the organization was not inserted')
  return row
}

/** Sets the storage limit of an organization; `null` removes it. */
export async function setStorageLimit(
  database: Database,
  organization: OrganizationRow,
  bytes: number | null,
): Promise<void> {
  await database.transaction(async (query) => {
    await query('update organization set storage_bytes_max = $2 where id = $1', [
      organization.id,
      bytes,
    ])
    await query(`select set_config('octavo.organization_id', $1, true)`, [organization.id])
    await insertAudit(query, {
      actor: 'operator',
      action: 'organization.storage',
      object: organization.public_id,
      after: { bytesMax: bytes },
    })
  })
}

export type ListedOrganization = OrganizationRow & {
  readonly projects: readonly {
    readonly id: string
    readonly name: string
    readonly slug: string
    readonly archived: boolean
  }[]
}

/** All SQL for members' requests about an organization as a whole. */
export function createOrganizationStore(bound: BoundDatabase) {
  return {
    /** Returns the organization and its projects, except deleted ones. */
    read: (): Promise<ListedOrganization> =>
      bound.transaction(async (query) => {
        const organization = await readOrganization(query)
        const projects = await query<ListedOrganization['projects'][number]>(
          `select public_id as id, name, slug, archived_at is not null as archived from project
            where organization_id = current_organization() and deleted_at is null
            order by name, id limit 1000`,
        )
        return { ...organization, projects }
      }),

    rename: (name: string, requester: Requester): Promise<void> =>
      bound.transaction(async (query) => {
        const before = await readOrganization(query)
        if (before.name === name) return
        await query('update organization set name = $1 where id = current_organization()', [name])
        await insertAudit(query, {
          ...requester,
          action: 'organization.rename',
          object: before.public_id,
          before: { name: before.name },
          after: { name },
        })
      }),

    /** Deletes the organization. Returns false if it still has projects. */
    remove: (requester: Requester): Promise<boolean> =>
      bound.transaction(async (query) => {
        // Lock, so that no project is created at the same time.
        await query('select from organization where id = current_organization() for update')
        const [row] = await query<{ public_id: string; name: string }>(
          `update organization set deleted_at = now()
            where id = current_organization() and deleted_at is null and not exists (
              select from project where organization_id = current_organization() and deleted_at is null)
          returning public_id, name`,
        )
        if (row === undefined) return false
        await query('delete from invitation where organization_id = current_organization()')
        await insertAudit(query, {
          ...requester,
          action: 'organization.delete',
          object: row.public_id,
          before: { name: row.name },
        })
        return true
      }),
  }
}

async function readOrganization(query: Query): Promise<OrganizationRow> {
  const [row] = await query<OrganizationRow>(
    'select id, public_id, name from organization where id = current_organization()',
  )
  if (row === undefined) throw new Error('the organization is gone')
  return row
}
