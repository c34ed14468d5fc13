import type { Database, ProjectDatabase, Query, Tenant } from '../../platform/database/database.ts'
import type { HookDelivery } from '../../platform/http/caller.ts'
import { CONNECTION_SECRETS, type Connection } from '../providers/connection.ts'

/**
 * The first step that failed: reaching the host, getting access, or finding the published branch.
 */
export type FailedStep = 'reachable' | 'access' | 'branch'

/** A connection with the state of its checks. */
export type ConnectionState = Connection & {
  /** The start of the last check that succeeded. */
  readonly checkedAt: Date | null
  readonly checkError: string | null
  /** The start of the last check, even if it failed. */
  readonly attemptedAt: Date | null
  /** The step that failed in the last check; null if none failed. */
  readonly failedStep: FailedStep | null
  readonly failedSince: Date | null
  readonly gitSaid: string | null
  /** Null if this was not checked yet. */
  readonly hasDocsJson: boolean | null
  /** The number of checks that failed since the last success. */
  readonly checkFailures: number
  readonly nextCheckAt: Date
  /** The time at which open pull requests were first listed. */
  readonly pullsListedAt: Date | null
  /** True if hosted specifications are due for a new build. */
  readonly isRefreshDue: boolean
  /** The database's time when this row was read. */
  readonly readAt: Date
}

/** A branch, or a pull request from a fork, as the last check saw it. */
export type GitRefRow = {
  readonly name: string
  readonly commit: string
  readonly isProduction: boolean
  readonly pullRequest: number | null
  readonly pullUrl: string | null
  readonly isFork: boolean
}

export type DeliveryRow = {
  readonly received_at: Date
  readonly delivery_id: string | null
  readonly event: string | null
  readonly ref: string | null
  readonly status: number
  readonly reason: string | null
}

export type CheckFailure = {
  readonly step: FailedStep
  /** The message that the owner sees. */
  readonly message: string
  readonly said?: string | undefined
}

const ERROR_LENGTH_MAX = 2_000
const GIT_MESSAGE_LENGTH_MAX = 500
const ACCEPTED = 202
/** Limits stored rejections, so that a caller who knows the address cannot fill the table. */
const REFUSED_PER_HOUR = 30

const COLUMNS = `provider, url, credential, branch, folder, previews, forks, webhook_id as "hookId",
  installation_id as "installationId", refresh_minutes as "refreshMinutes"`
const STATE_COLUMNS = `${COLUMNS}, checked_at as "checkedAt", check_error as "checkError", check_failures as "checkFailures",
  attempted_at as "attemptedAt", failed_step as "failedStep", failed_since as "failedSince", git_said as "gitSaid",
  has_docs_json as "hasDocsJson", next_check_at as "nextCheckAt", pulls_listed_at as "pullsListedAt", clock_timestamp() as "readAt",
  coalesce(coalesce(refreshed_at, created_at) + refresh_minutes * interval '1 minute' <= now(), false)
    as "isRefreshDue"`

/** Contains all SQL about a project's connection and its webhook deliveries. */
export class ConnectionStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  async find(): Promise<ConnectionState | undefined> {
    const [row] = await this.#database.query<ConnectionState>(
      `select ${STATE_COLUMNS} from connection where project_id = current_project()`,
    )
    return row
  }

  /** Returns the branch that was published at the last check. */
  async productionBranch(): Promise<string | undefined> {
    const [row] = await this.#database.query<{ name: string }>(
      'select name from git_ref where project_id = current_project() and is_production order by name limit 1',
    )
    return row?.name
  }

  /**
   * Records that a check failed, unless a check that began later has already ended. `at` is the
   * start of the check. The delay until the next check grows with each failure.
   */
  async recordFailure({ step, message, said }: CheckFailure, at: Date): Promise<void> {
    await this.#database.query(
      `update connection set check_error = $1, check_failures = check_failures + 1,
              attempted_at = $4, failed_step = $2, git_said = $3,
              failed_since = coalesce(failed_since, now()), next_check_at = now() + check_pause(check_failures)
        where project_id = current_project() and (attempted_at is null or attempted_at <= $4)`,
      [
        message.slice(0, ERROR_LENGTH_MAX),
        step,
        said?.slice(0, GIT_MESSAGE_LENGTH_MAX) ?? null,
        at,
      ],
    )
  }

  /**
   * Returns true if the newest webhook of the repository was accepted; undefined if there was none.
   */
  async isHookAccepted(): Promise<boolean | undefined> {
    const [row] = await this.#database.query<{ status: number }>(
      `select h.status from webhook_delivery h join connection c on c.project_id = h.project_id
        where h.project_id = current_project() and h.received_at >= c.url_since
        order by h.id desc limit 1`,
    )
    return row && row.status === ACCEPTED
  }

  /** Stores a rejected delivery for the owner, up to a limit per hour. */
  async addRejectedDelivery(delivery: HookDelivery, status: number, reason: string): Promise<void> {
    const { deliveryId, event, ref, headers, body } = delivery
    await this.#database.query(
      `insert into webhook_delivery (project_id, delivery_id, event, ref, headers, body, status, reason)
       select current_project(), $1, $2, $3, $4, $5, $6, $7
        where $8 > (select count(*) from webhook_delivery h
                     where h.project_id = current_project() and h.status <> 202
                       and h.received_at > now() - interval '1 hour')`,
      [deliveryId, event, ref, JSON.stringify(headers), body, status, reason, REFUSED_PER_HOUR],
    )
  }

  /** Returns deliveries, newest first. */
  listDeliveries(limit: number): Promise<readonly DeliveryRow[]> {
    return this.#database.query<DeliveryRow>(
      `select received_at, delivery_id, event, ref, status, reason from webhook_delivery
        where project_id = current_project() order by id desc limit $1`,
      [limit],
    )
  }
}

/** The result of reading a repository before its connection was saved. */
export type Verified = {
  /** True if the folder has a docs.json; undefined if its files could not be listed. */
  readonly hasDocsJson: boolean | undefined
}

export async function insertConnection(
  query: Query,
  connection: Connection,
  verified?: Verified | undefined,
): Promise<boolean> {
  const rows = await query(
    `insert into connection (project_id, provider, url, credential, branch, folder, previews, forks,
                             webhook_id, installation_id, refresh_minutes, attempted_at, has_docs_json)
     values (current_project(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
             case when $11 then now() end, $12)
     on conflict (project_id) do nothing returning url`,
    [
      connection.provider,
      connection.url,
      connection.credential,
      connection.branch,
      connection.folder,
      connection.previews,
      connection.forks,
      connection.hookId,
      connection.installationId,
      connection.refreshMinutes,
      verified !== undefined,
      verified?.hasDocsJson ?? null,
    ],
  )
  return rows.length > 0
}

/** Settings of a connection that can be changed. */
export type ConnectionSettings = Pick<
  Connection,
  'url' | 'provider' | 'credential' | 'branch' | 'folder' | 'previews' | 'forks'
>

export async function updateConnection(query: Query, settings: ConnectionSettings): Promise<void> {
  const { url, provider, credential, branch, folder, previews, forks } = settings
  await query(
    `update connection set url = $1, provider = $2, credential = $3, branch = $4, folder = $5, previews = $6,
            forks = $7, next_check_at = now()
      where project_id = current_project()`,
    [url, provider, credential, branch, folder, previews, forks],
  )
}

/**
 * Replaces the result of the last check after a change. `verified` is undefined if the repository
 * was not read.
 */
export async function resetChecks(query: Query, verified: Verified | undefined): Promise<void> {
  await query(
    `update connection set check_error = null, check_failures = 0, failed_step = null, failed_since = null,
            git_said = null, attempted_at = case when $1 then now() end, has_docs_json = $2
      where project_id = current_project()`,
    [verified !== undefined, verified?.hasDocsJson ?? null],
  )
}

/**
 * Makes the next check behave like the first one, because the URL was changed: the branches of the
 * new repository are not built as if they were all new, and its visibility has to be reported
 * again.
 */
export async function forgetRepository(query: Query): Promise<void> {
  await query(
    `update connection set checked_at = null, pulls_listed_at = null, is_private = null, url_since = now()
      where project_id = current_project()`,
  )
  await query('select announce_project()')
}

/** Stores whether the published branch had a docs.json when it was built. */
export async function recordDocsJson(query: Query, hasDocsJson: boolean): Promise<void> {
  await query('update connection set has_docs_json = $1 where project_id = current_project()', [
    hasDocsJson,
  ])
}

/** Makes the next check build the published branch, even if its newest commit was built before. */
export async function forgetPublished(query: Query): Promise<void> {
  await query('delete from git_ref where project_id = current_project() and is_production')
}

/** Deletes the connection and its refs. Keeps builds and deployments. */
export async function deleteConnection(query: Query): Promise<boolean> {
  await query('delete from git_ref where project_id = current_project()')
  const rows = await query(
    'delete from connection where project_id = current_project() returning url',
  )
  return rows.length > 0
}

/** Deletes the connection together with its secrets. */
export async function endConnection(query: Query): Promise<boolean> {
  const connected = await deleteConnection(query)
  await query('delete from secret where project_id = current_project() and name = any ($1)', [
    CONNECTION_SECRETS,
  ])
  return connected
}

/**
 * Stores a delivery. Returns false if its id is already stored: then it is a replay, or a retry by
 * the provider.
 */
export async function insertDelivery(query: Query, delivery: HookDelivery): Promise<boolean> {
  const { deliveryId, event, ref, headers, body } = delivery
  const rows = await query(
    `insert into webhook_delivery (project_id, delivery_id, event, ref, headers, body, status)
     values (current_project(), $1, $2, $3, $4, $5, 202)
     on conflict (project_id, delivery_id) where status = 202 do nothing returning id`,
    [deliveryId, event, ref, JSON.stringify(headers), body],
  )
  return rows.length > 0
}

/** Returns the project of a webhook address; undefined if it is unknown. */
export async function findHook(
  database: Database,
  hookId: string,
): Promise<{ readonly tenant: Tenant; readonly isArchived: boolean } | undefined> {
  const [row] = await database.query<TenantRow & { readonly is_archived: boolean }>(
    'select * from find_webhook($1)',
    [hookId],
  )
  return row && { tenant: tenantOfRow(row), isArchived: row.is_archived }
}

/** Returns projects whose check is due, and schedules their next one. */
export async function takeDueChecks(database: Database, limit: number): Promise<readonly Tenant[]> {
  const rows = await database.query<TenantRow>('select * from take_due_checks($1)', [limit])
  return rows.map(tenantOfRow)
}

type TenantRow = { readonly organization_id: string; readonly project_id: string }

const tenantOfRow = (row: TenantRow): Tenant => ({
  organizationId: row.organization_id,
  projectId: row.project_id,
})

export type ListedConnection = Pick<
  ConnectionState,
  'provider' | 'url' | 'branch' | 'folder' | 'checkedAt' | 'checkError'
> & { readonly publicId: string; readonly slug: string }

/**
 * Returns the connections of all projects, for operators. Requires the database role that owns the
 * tables.
 */
export function listConnections(database: Database): Promise<readonly ListedConnection[]> {
  return database.query<ListedConnection>(
    `select p.public_id as "publicId", p.slug, c.provider, c.url, c.branch, c.folder,
            c.checked_at as "checkedAt", c.check_error as "checkError"
       from connection c join project p on p.id = c.project_id order by p.slug`,
  )
}
