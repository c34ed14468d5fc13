import type { ProjectDatabase, Query } from '../database/database.ts'

/** What was done, by whom, to what. */
export type AuditEvent = {
  /** `operator` for the command line, `key <id>` for a key. */
  readonly actor: string
  readonly action: string
  readonly object?: string
  readonly before?: object
  readonly after?: object
  readonly addressPrefix?: string | undefined
  readonly requestId?: string
}

/** Adds an event to the log of the organisation; nobody can change it afterwards. */
export async function writeAudit(database: ProjectDatabase, event: AuditEvent): Promise<void> {
  await database.transaction((query) => insertAudit(query, event))
}

/** The same, in the transaction that does what the event tells. */
export async function insertAudit(query: Query, event: AuditEvent): Promise<void> {
  await query(
    `insert into audit_event (organisation_id, project_id, actor, action, object, before, after,
                              address_prefix, request_id)
     values (current_organisation(), current_project(), $1, $2, $3, $4, $5, $6, $7)`,
    [
      event.actor,
      event.action,
      event.object ?? '',
      event.before === undefined ? null : JSON.stringify(event.before),
      event.after === undefined ? null : JSON.stringify(event.after),
      event.addressPrefix ?? null,
      event.requestId ?? null,
    ],
  )
}

/** The network of an address: enough to see where something came from, too little to follow a person. */
export function addressPrefix(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) return address.replace(/\.\d+$/, '.0/24')
  const [head = ''] = address.split('::')
  return `${head.split(':').slice(0, 3).join(':')}::/48`
}
