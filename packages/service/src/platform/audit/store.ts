import type { ProjectDatabase, Query } from '../database/database.ts'

export type AuditEvent = {
  /** `operator` for the command line, `key <id>` for a key, `user <id>` for a person. */
  readonly actor: string
  readonly action: string
  /**
   * The project that the event is about; null for the whole organization. Defaults to the project
   * that the database is bound to.
   */
  readonly projectId?: string | null
  readonly object?: string
  readonly before?: object
  readonly after?: object
  readonly addressPrefix?: string | undefined
  readonly requestId?: string | undefined
}

/** Adds an event to the organization's log. Events cannot be changed afterwards. */
export async function writeAudit(database: ProjectDatabase, event: AuditEvent): Promise<void> {
  await database.transaction((query) => insertAudit(query, event))
}

/** Adds an event to the organization's log in the caller's transaction that makes the change. */
export async function insertAudit(query: Query, event: AuditEvent): Promise<void> {
  await query(
    `insert into audit_event (organization_id, project_id, actor, action, object, before, after,
                              address_prefix, request_id)
     values (current_organization(), case when $8 then $9::bigint else current_project() end,
             $1, $2, $3, $4, $5, $6, $7)`,
    [
      event.actor,
      event.action,
      event.object ?? '',
      event.before === undefined ? null : JSON.stringify(event.before),
      event.after === undefined ? null : JSON.stringify(event.after),
      event.addressPrefix ?? null,
      event.requestId ?? null,
      event.projectId !== undefined,
      event.projectId ?? null,
    ],
  )
}

/**
 * Returns the network of an IP address, which shows where a request came from but does not identify
 * a person.
 */
export function addressPrefix(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) return address.replace(/\.\d+$/, '.0/24')
  const [head = ''] = address.split('::')
  return `${head.split(':').slice(0, 3).join(':')}::/48`
}
