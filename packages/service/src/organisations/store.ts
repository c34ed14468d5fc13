import type { Requester } from '../audit/request-audit.ts'
import { type AuditRow, insertAudit } from '../audit/store.ts'
import type { BoundDatabase, Database, Query } from '../database/database.ts'
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

export type ListedOrganisation = OrganisationRow & {
  readonly projects: readonly {
    readonly id: string
    readonly name: string
    readonly slug: string
    readonly archived: boolean
  }[]
}

/** All SQL of members about one organisation as a whole. */
export function createOrganisationStore(bound: BoundDatabase) {
  return {
    /** With its projects, without deleted ones. */
    read: (): Promise<ListedOrganisation> =>
      bound.transaction(async (query) => {
        const organisation = await readOrganisation(query)
        const projects = await query<ListedOrganisation['projects'][number]>(
          `select public_id as id, name, slug, archived_at is not null as archived from project
            where organisation_id = current_organisation() and deleted_at is null
            order by name, id limit 1000`,
        )
        return { ...organisation, projects }
      }),

    rename: (name: string, requester: Requester): Promise<void> =>
      bound.transaction(async (query) => {
        const before = await readOrganisation(query)
        if (before.name === name) return
        await query('update organisation set name = $1 where id = current_organisation()', [name])
        await insertAudit(query, {
          ...requester,
          action: 'organisation.rename',
          object: before.public_id,
          before: { name: before.name },
          after: { name },
        })
      }),

    /** False while it has projects. */
    remove: (requester: Requester): Promise<boolean> =>
      bound.transaction(async (query) => {
        // A project that is being made here waits.
        await query('select from organisation where id = current_organisation() for update')
        const [row] = await query<{ public_id: string; name: string }>(
          `update organisation set deleted_at = now()
            where id = current_organisation() and deleted_at is null and not exists (
              select from project where organisation_id = current_organisation() and deleted_at is null)
          returning public_id, name`,
        )
        if (row === undefined) return false
        await insertAudit(query, {
          ...requester,
          action: 'organisation.delete',
          object: row.public_id,
          before: { name: row.name },
        })
        return true
      }),

    /** Of no single project, the newest first. */
    events: (limit: number): Promise<readonly AuditRow[]> =>
      bound.query<AuditRow>(
        `select e.id, e.at, instant_micros(e.at) as micros, e.actor, u.name as actor_name, e.action,
                e.object, e.before, e.after, e.address_prefix, e.request_id
           from audit_event e left join app_user u on e.actor = 'user ' || u.public_id
          where e.organisation_id = current_organisation() and e.project_id is null
          order by e.at desc, e.id desc limit $1`,
        [limit],
      ),
  }
}

async function readOrganisation(query: Query): Promise<OrganisationRow> {
  const [row] = await query<OrganisationRow>(
    'select id, public_id, name from organisation where id = current_organisation()',
  )
  if (row === undefined) throw new Error('the organisation is gone')
  return row
}
