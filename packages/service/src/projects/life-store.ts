import type { Requester } from '../audit/request-audit.ts'
import { insertAudit } from '../audit/store.ts'
import type { ProjectDatabase, Query } from '../database/database.ts'

/** What a deletion destroys. */
export type Contents = {
  readonly deployments: number
  readonly conversations: number
  readonly keys: number
  readonly previews: number
  readonly gaps: number
  readonly bytes: number
}

export type TransferRefusal = 'not-found' | 'not-owner' | 'storage'

type ContentsRow = { readonly [Name in keyof Contents]: string }
type NamedProject = { readonly publicId: string; readonly name: string; readonly slug: string }
const NAMED = 'public_id as "publicId", name, slug'

/** All SQL about the end of a project, and of its rest. Members and operators use it. */
export function createLifeStore(database: ProjectDatabase) {
  return {
    async contents(): Promise<Contents> {
      const [row] = await database.query<ContentsRow>('select * from count_contents()')
      return {
        deployments: Number(row?.deployments),
        conversations: Number(row?.conversations),
        keys: Number(row?.keys),
        previews: Number(row?.previews),
        gaps: Number(row?.gaps),
        bytes: Number(row?.bytes),
      }
    },

    /** False for a project that is archived already. */
    archive: (requester: Requester): Promise<boolean> =>
      database.transaction(async (query) => {
        const [project] = await query<NamedProject>(
          `update project set archived_at = now()
            where organisation_id = current_organisation() and id = current_project()
              and archived_at is null returning ${NAMED}`,
        )
        if (project === undefined) return false
        await query('select stop_builds($1)', ['The project was archived.'])
        await query('select announce_project()')
        await insertAudit(query, {
          ...requester,
          action: 'project.archive',
          object: project.publicId,
        })
        return true
      }),

    /** False for a project that is not archived. What was pushed meanwhile is built at once. */
    restore: (requester: Requester): Promise<boolean> =>
      database.transaction(async (query) => {
        const [project] = await query<NamedProject>(
          `update project set archived_at = null
            where organisation_id = current_organisation() and id = current_project()
              and archived_at is not null returning ${NAMED}`,
        )
        if (project === undefined) return false
        await checkSoon(query)
        await query('select announce_project()')
        await insertAudit(query, {
          ...requester,
          action: 'project.restore',
          object: project.publicId,
        })
        return true
      }),

    /** Nobody finds the project from now on. Gives when its rows go; nothing if it is deleted already. */
    remove: (requester: Requester): Promise<Date | undefined> =>
      database.transaction(async (query) => {
        const [project] = await query<NamedProject & { readonly erasedAt: Date }>(
          `update project set deleted_at = now()
            where organisation_id = current_organisation() and id = current_project()
              and deleted_at is null
          returning ${NAMED}, deleted_at + deletion_grace() as "erasedAt"`,
        )
        if (project === undefined) return undefined
        await query('select stop_builds($1)', ['The project was deleted.'])
        await query('select announce_project()')
        const { publicId, name, slug, erasedAt } = project
        await insertOrganisationAudit(query, {
          ...requester,
          action: 'project.delete',
          object: publicId,
          before: { name, slug },
        })
        return erasedAt
      }),

    /** Takes a deletion back, with that of its organisation. False once the rows are being removed. */
    takeBackDeletion: (requester: Requester): Promise<boolean> =>
      database.transaction(async (query) => {
        const [project] = await query<NamedProject>(
          `update project set deleted_at = null
            where organisation_id = current_organisation() and id = current_project()
              and deleted_at > now() - deletion_grace() returning ${NAMED}`,
        )
        if (project === undefined) return false
        await query('update organisation set deleted_at = null where id = current_organisation()')
        await checkSoon(query)
        await query('select announce_project()')
        await insertOrganisationAudit(query, {
          ...requester,
          action: 'project.restore',
          object: project.publicId,
        })
        return true
      }),

    /** To an organisation that the person owns. Both organisations have it in their log. */
    transfer: (
      to: { readonly userId: string; readonly organisationId: string; readonly publicId: string },
      from: { readonly publicId: string; readonly project: string },
      requester: Requester,
    ): Promise<TransferRefusal | undefined> =>
      database.transaction(async (query) => {
        const [row] = await query<{ refusal: TransferRefusal | null }>(
          'select transfer_project($1, $2) as refusal',
          [to.userId, to.organisationId],
        )
        if (row?.refusal) return row.refusal
        await query('select announce_project()')
        const event = {
          ...requester,
          action: 'project.transfer',
          object: from.project,
          before: { organisation: from.publicId },
          after: { organisation: to.publicId },
        }
        await query(`select set_config('octavo.organisation_id', $1, true)`, [to.organisationId])
        await insertAudit(query, event)
        await query(`select set_config('octavo.organisation_id', $1, true)`, [
          database.tenant.organisationId,
        ])
        await insertOrganisationAudit(query, event)
        return undefined
      }),
  }
}

/** What was pushed meanwhile is built. */
async function checkSoon(query: Query): Promise<void> {
  await query('update connection set next_check_at = now() where project_id = current_project()')
}

/** An event of the organisation as a whole: it stays when the project goes. It ends the transaction. */
async function insertOrganisationAudit(
  query: Query,
  event: Parameters<typeof insertAudit>[1],
): Promise<void> {
  await query(`select set_config('octavo.project_id', '', true)`)
  await insertAudit(query, event)
}
