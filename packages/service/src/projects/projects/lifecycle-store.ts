import {
  ORGANIZATION_LIMITS,
  tooManyProjects,
} from '../../people/organizations/organization-limits.ts'
import { OPERATOR, type Requester } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import type { ProjectDatabase, Query } from '../../platform/database/database.ts'
import { WEBHOOK_SECRET } from './store.ts'

/** The data that a deletion destroys, and the credentials that a transfer revokes. */
export type Contents = {
  readonly deployments: number
  readonly conversations: number
  readonly keys: number
  readonly previews: number
  readonly gaps: number
  readonly bytes: number
  readonly readerTokens: number
  readonly trusted: number
  readonly connected: boolean
}

export type TransferRefusal = 'not-found' | 'not-owner' | 'storage'
type DeleteRefusal = 'not-found' | 'not-owner'
/** The time when a deleted project's rows are erased, or why it was not deleted. */
export type Removed = { readonly erasedAt: Date } | { readonly refusal: DeleteRefusal }

type ContentsRow = Pick<Contents, 'trusted' | 'connected'> & {
  readonly [Name in Exclude<keyof Contents, 'trusted' | 'connected'>]: string
}
type NamedProject = { readonly publicId: string; readonly name: string; readonly slug: string }
const NAMED = 'public_id as "publicId", name, slug'

/** Removes the connection to a repository with its secrets; returns true if there was one. */
export type EndConnection = (query: Query) => Promise<boolean>

/**
 * All SQL for archiving, restoring, transferring and deleting a project. Members and operators use
 * it.
 */
export class ProjectLifecycleStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  async contents(): Promise<Contents> {
    const [row] = await this.#database.query<ContentsRow>(
      `select c.*, p.trusted, t.count as "readerTokens",
              exists (select from connection where project_id = current_project()) as connected
         from count_contents() c,
              (select coalesce(jsonb_array_length(settings -> 'trust'), 0) as trusted from project
                where organization_id = current_organization() and id = current_project()) p,
              (select count(*) from reader_session s
                where s.project_id = current_project() and is_working_token(s)) t`,
    )
    if (row === undefined) throw new Error('the project is gone')
    return {
      deployments: Number(row.deployments),
      conversations: Number(row.conversations),
      keys: Number(row.keys),
      previews: Number(row.previews),
      gaps: Number(row.gaps),
      bytes: Number(row.bytes),
      readerTokens: Number(row.readerTokens),
      trusted: row.trusted,
      connected: row.connected,
    }
  }

  /** Archives the project. Returns false if it is archived already. */
  archive(requester: Requester): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const [project] = await query<NamedProject>(
        `update project set archived_at = now()
          where organization_id = current_organization() and id = current_project()
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
    })
  }

  /**
   * Restores an archived project and builds commits that were pushed in the meantime. Returns false
   * if the project is not archived.
   */
  restore(requester: Requester): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const [project] = await query<NamedProject>(
        `update project set archived_at = null
          where organization_id = current_organization() and id = current_project()
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
    })
  }

  /** Deletes the project for a person, who has to own its organization. */
  remove(userId: string, requester: Requester): Promise<Removed> {
    return this.#database.transaction(async (query) => {
      const [row] = await query<{ refusal: DeleteRefusal | null; erasedAt: Date }>(
        'select refusal, erased_at as "erasedAt" from delete_project($1)',
        [userId],
      )
      if (row === undefined) throw new Error('the project was not deleted')
      if (row.refusal !== null) return { refusal: row.refusal }
      await recordDeletion(query, requester)
      return { erasedAt: row.erasedAt }
    })
  }

  /** Deletes the project as the operator. The service's role has no permission for this. */
  removeAsOperator(): Promise<Removed> {
    return this.#database.transaction(async (query) => {
      const [row] = await query<{ erasedAt: Date }>(
        `update project set deleted_at = now() where id = $1 and deleted_at is null
        returning deleted_at + deletion_grace() as "erasedAt"`,
        [this.#database.tenant.projectId],
      )
      if (row === undefined) return { refusal: 'not-found' }
      await recordDeletion(query, OPERATOR)
      return row
    })
  }

  /**
   * Undoes the deletion of a project and its organization. Returns false once rows are being
   * erased. Only for operators.
   */
  undoDeletion(): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const [project] = await query<NamedProject>(
        `update project set deleted_at = null
          where id = $1 and deleted_at > now() - deletion_grace() returning ${NAMED}`,
        [this.#database.tenant.projectId],
      )
      if (project === undefined) return false
      await query('update organization set deleted_at = null where id = $1', [
        this.#database.tenant.organizationId,
      ])
      await checkSoon(query)
      await query('select announce_project()')
      await insertAudit(query, {
        ...OPERATOR,
        projectId: null,
        action: 'project.restore',
        object: project.publicId,
      })
      return true
    })
  }

  /**
   * Transfers the project between two organizations that the person owns. Both audit logs record
   * it.
   */
  transfer(
    to: {
      readonly userId: string
      readonly organizationId: string
      readonly publicId: string
      /**
       * Ends the connection to the repository. If it is set, all credentials of the project are
       * revoked too.
       */
      readonly endConnection: EndConnection | undefined
    },
    from: { readonly publicId: string; readonly project: string },
    requester: Requester,
  ): Promise<TransferRefusal | undefined> {
    return this.#database.transaction(async (query) => {
      const [row] = await query<{ refusal: TransferRefusal | null }>(
        'select transfer_project($1, $2) as refusal',
        [to.userId, to.organizationId],
      )
      if (row?.refusal) return row.refusal
      await query('select announce_project()')
      await query(`select set_config('octavo.organization_id', $1, true)`, [to.organizationId])
      await requireRoomAfterTransfer(query)
      const revoked = to.endConnection && (await revokeCredentials(query, to.endConnection))
      const event = {
        ...requester,
        action: 'project.transfer',
        object: from.project,
        before: { organization: from.publicId },
        after: { organization: to.publicId, ...(revoked && { revoked }) },
      }
      await insertAudit(query, event)
      await query(`select set_config('octavo.organization_id', $1, true)`, [
        this.#database.tenant.organizationId,
      ])
      await insertAudit(query, { ...event, projectId: null })
      return undefined
    })
  }
}

/**
 * Throws if the organization has too many projects after the transfer. `transfer_project` has
 * locked it, so no project is created at the same time.
 */
async function requireRoomAfterTransfer(query: Query): Promise<void> {
  const [row] = await query<{ count: number }>(
    `select count(*)::integer as count from project where organization_id = current_organization()`,
  )
  if (row === undefined || row.count > ORGANIZATION_LIMITS.projects) throw tooManyProjects()
}

/** Revokes everything that grants access without a role, and returns the counts. */
async function revokeCredentials(query: Query, endConnection: EndConnection): Promise<object> {
  const keys = await query(
    `update api_key set revoked_at = now()
      where project_id = current_project() and revoked_at is null
        and (expires_at is null or expires_at > now()) returning id`,
  )
  const readerTokens = await query(
    `delete from reader_session where project_id = current_project() and way = 'token' returning id`,
  )
  const connected = await endConnection(query)
  const [before] = await query<{ trust: readonly string[] | null }>(
    `update project p set settings = p.settings - '{trust,webhook,webhookFormat,webhookAttempt}'::text[] from project o
      where p.organization_id = current_organization() and p.id = current_project() and o.id = p.id
    returning o.settings -> 'trust' as trust`,
  )
  // The webhook and its secret are deleted, since the old owner must not get messages anymore.
  await query('delete from secret where project_id = current_project() and name = $1', [
    WEBHOOK_SECRET,
  ])
  const trust = before?.trust ?? []
  return { keys: keys.length, readerTokens: readerTokens.length, trust, connected }
}

/**
 * Stops the builds of a deleted project, notifies hosts, and writes to the organization's audit
 * log.
 */
async function recordDeletion(query: Query, requester: Requester): Promise<void> {
  const [project] = await query<NamedProject>(
    `select ${NAMED} from project
      where organization_id = current_organization() and id = current_project()`,
  )
  if (project === undefined) throw new Error('the project is gone')
  const { publicId, name, slug } = project
  await query('select stop_builds($1)', ['The project was deleted.'])
  await query(
    'delete from invitation where organization_id = current_organization() and project_id = current_project()',
  )
  await query('select announce_project()')
  await insertAudit(query, {
    ...requester,
    projectId: null,
    action: 'project.delete',
    object: publicId,
    before: { name, slug },
  })
}

/**
 * Schedules a check of the repository for now, to build commits that were pushed in the meantime.
 */
async function checkSoon(query: Query): Promise<void> {
  await query('update connection set next_check_at = now() where project_id = current_project()')
}
