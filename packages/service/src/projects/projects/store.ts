import type { FailOn, WebhookAttempt } from '@octavo/contract'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import { type AuditEvent, insertAudit } from '../../platform/audit/store.ts'
import {
  bindingOf,
  type Database,
  type Query,
  type Tenant,
} from '../../platform/database/database.ts'
import { createPublicId } from '../../platform/public-id.ts'

export type ProjectRow = {
  readonly organization_id: string
  readonly id: string
  readonly public_id: string
  readonly slug: string
  readonly name: string
  readonly deleted_at: Date | null
  /** The time when a move to another cell began; null if the project is not moving. */
  readonly moving_since: Date | null
}

const COLUMNS = 'organization_id, id, public_id, slug, name, deleted_at, moving_since'

/** All SQL for projects as a whole. Operators run it as the owner of the tables. */
export class ProjectStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Creates a project with the row that its conversation ids are generated from. */
  async insert({ organizationId, name, slug }: NewProject): Promise<ProjectRow> {
    return this.#database.transaction(async (query) => {
      const [project] = await query<ProjectRow>(
        `insert into project (organization_id, public_id, slug, name)
         values ($1, $2, $3, $4) returning ${COLUMNS}`,
        [organizationId, createPublicId('prj'), slug, name],
      )
      if (project === undefined) throw new Error('the project was not inserted')
      await query('insert into conversation_sequence (project_id) values ($1)', [project.id])
      await recordChange(query, project, { action: 'project.create', after: { name, slug } })
      return project
    })
  }

  /** Sets how many days conversations are retained. Returns the previous number. */
  async setRetention(project: ProjectRow, days: number): Promise<number> {
    return this.#database.transaction(async (query) => {
      const [row] = await query<{ before: number }>(
        `update project p set retention_days = $2 from project o
          where p.id = $1 and o.id = p.id returning o.retention_days as before`,
        [project.id, days],
      )
      if (row === undefined) throw new Error('the project is gone')
      await recordChange(query, project, {
        action: 'project.retention',
        before: { retentionDays: row.before },
        after: { retentionDays: days },
      })
      return row.before
    })
  }

  /** Blocks readers and deployments for the given reason; `null` ends the suspension. */
  async setSuspended(project: ProjectRow, reason: string | null): Promise<void> {
    await this.#database.transaction(async (query) => {
      await query('update project set suspended_reason = $2 where id = $1', [project.id, reason])
      await touchSites(query, project)
      await recordChange(query, project, {
        action: reason === null ? 'project.resume' : 'project.suspend',
        ...(reason !== null && { after: { reason } }),
      })
    })
  }

  /** Changes only the given settings; `null` removes one. */
  async changeSettings(project: ProjectRow, change: ProjectSettings): Promise<void> {
    await this.#database.transaction(async (query) => {
      const [row] = await query<{ before: object; after: object }>(
        `update project p set settings = jsonb_strip_nulls(p.settings || $2) from project o
          where p.id = $1 and o.id = p.id returning o.settings as before, p.settings as after`,
        [project.id, JSON.stringify(change)],
      )
      if (row === undefined) throw new Error('the project is gone')
      await touchSites(query, project)
      await recordChange(query, project, { action: 'project.settings', ...row })
    })
  }

  /**
   * Finds a project by its public id, or by a current or former slug. Includes deleted projects
   * until their rows are erased.
   */
  async find(name: string): Promise<ProjectRow | undefined> {
    const [row] = await this.#database.query<ProjectRow>(
      `select ${COLUMNS} from project where public_id = $1
          or id = (select project_id from project_slug where slug = $1)`,
      [name],
    )
    return row
  }
}

/** Records an operator's change in the project's audit log. */
async function recordChange(
  query: Query,
  project: ProjectRow,
  event: Pick<AuditEvent, 'action' | 'before' | 'after'>,
): Promise<void> {
  await query(bindingOf(tenantOf(project)))
  await insertAudit(query, { ...OPERATOR, object: project.public_id, ...event })
}

/** Makes hosts reread the site and its previews. */
async function touchSites(query: Query, { id }: ProjectRow): Promise<void> {
  await query('update publication set changed_at = clock_timestamp() where project_id = $1', [id])
  await query('update preview set changed_at = clock_timestamp() where project_id = $1', [id])
}

/** The name under which the webhook's secret is stored. */
export const WEBHOOK_SECRET = 'webhook'

/** The contents of the column `project.settings`. */
export type ProjectSettings = {
  /** Allows playgrounds of the site to send requests through the host. */
  readonly playgroundProxy?: boolean | null
  /** The URL to notify when another deployment is live. */
  readonly webhook?: string | null
  /** The format of the messages: signed Standard Webhooks, or lines for a chat. */
  readonly webhookFormat?: 'standard' | 'slack' | null
  readonly webhookAttempt?: WebhookAttempt | null
  /** Which findings stop a deployment. Overrides docs.json. */
  readonly failOn?: FailOn | null
  /** Repositories whose CI jobs may deploy, such as `github:owner/name@main`. */
  readonly trust?: readonly string[] | null
}

export type NewProject = {
  readonly organizationId: string
  readonly name: string
  readonly slug: string
}

export function tenantOf(project: ProjectRow): Tenant {
  return { organizationId: project.organization_id, projectId: project.id }
}
