import type { ProjectDatabase, Query } from '../database/database.ts'
import type { TimeCursor } from '../http/time-cursor.ts'

export type AuditEvent = {
  /** `operator` for the command line, `key <id>` for a key, `user <id>` for a person. */
  readonly actor: string
  readonly action: string
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

/** Adds an event in the transaction that makes the change. */
export async function insertAudit(query: Query, event: AuditEvent): Promise<void> {
  await query(
    `insert into audit_event (organization_id, project_id, actor, action, object, before, after,
                              address_prefix, request_id)
     values (current_organization(), current_project(), $1, $2, $3, $4, $5, $6, $7)`,
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

/**
 * Adds an event of the whole organization, which remains when the project is deleted. Must be the
 * last statement of the transaction: it unbinds the project.
 */
export async function insertOrganizationAudit(query: Query, event: AuditEvent): Promise<void> {
  await query(`select set_config('octavo.project_id', '', true)`)
  await insertAudit(query, event)
}

export type AuditFilter = {
  readonly fromMs: number | undefined
  readonly toMs: number | undefined
  /** `key 12` or `user usr_x`; `key` or `user` matches all keys or users. */
  readonly actor: string | undefined
  /** An action prefix, such as `key.`. */
  readonly action: string | undefined
  /** Matches any part of the event's visible text. */
  readonly text: string | undefined
}

export type AuditRow = {
  readonly id: string
  readonly at: Date
  readonly micros: string
  readonly actor: string
  readonly actor_name: string | null
  readonly action: string
  readonly object: string
  readonly before: unknown
  readonly after: unknown
  readonly address_prefix: string | null
  readonly request_id: string | null
}

export type AuditPage = {
  readonly rows: readonly AuditRow[]
  /** The cursor of the next page, which can exist even after a page that is not full. */
  readonly next: TimeCursor | undefined
}

/** The number of events that a filtered page scans at most; the next page continues from there. */
const SCANNED_MAX = 10_000
const NO_TIME = { from: 0, to: 253_402_300_799_000 }

/** Reads the audit log of one project. */
export function createAuditStore(database: ProjectDatabase) {
  return {
    /** Returns one page of events, newest first. */
    async page(
      filter: AuditFilter,
      before: TimeCursor | undefined,
      limit: number,
    ): Promise<AuditPage> {
      const { fromMs = NO_TIME.from, toMs = NO_TIME.to, actor, action, text } = filter
      const place = [before?.micros ?? null, before?.id ?? null, fromMs * 1_000, toMs * 1_000]
      return database.transaction(async (query) => {
        const rows = await query<AuditRow>(
          `select e.id, e.at, instant_micros(e.at) as micros, e.actor, e.action, e.object, e.before, e.after,
                  e.address_prefix, e.request_id, coalesce(k.name, u.name) as actor_name
             from (select e.* from audit_event e
                   where e.organization_id = current_organization() and e.project_id = current_project()
                     and ($1::bigint is null or (e.at, e.id) < (instant_of($1), $2::bigint))
                     and e.at >= instant_of($3) and e.at < instant_of($4)
                   order by e.at desc, e.id desc
                   limit case when coalesce($5, $6, $7) is null then $8::integer else ${SCANNED_MAX} end) e
             left join api_key k on k.project_id = current_project()
              and k.id = case when e.actor ~ '^key (?:\\d{1,18}|[1-8]\\d{18})$' then substr(e.actor, 5)::bigint end
             left join app_user u on u.public_id = case when starts_with(e.actor, 'user ') then substr(e.actor, 6) end
              and exists (select from membership m
                           where m.organization_id = current_organization() and m.user_id = u.id)
            where ($5::text is null or e.actor = $5 or starts_with(e.actor, $5 || ' '))
              and ($6::text is null or starts_with(e.action, $6))
              and ($7::text is null or strpos(lower(concat_ws(' ', e.actor, k.name, u.name, e.action, e.object, e.before,
                     e.after, e.address_prefix, e.request_id)), lower($7)) > 0)
            order by e.at desc, e.id desc limit $8`,
          [...place, actor ?? null, action ?? null, text ?? null, limit + 1],
        )
        const shown = rows.slice(0, limit)
        const last = shown.at(-1)
        if (rows.length > limit) return { rows: shown, next: last }
        const [end] = await query<TimeCursor>(
          `select instant_micros(e.at) as micros, e.id from audit_event e
            where e.organization_id = current_organization() and e.project_id = current_project()
              and ($1::bigint is null or (e.at, e.id) < (instant_of($1), $2::bigint))
              and e.at >= instant_of($3) and e.at < instant_of($4)
            order by e.at desc, e.id desc offset ${SCANNED_MAX - 1} limit 1`,
          place,
        )
        return { rows: shown, next: end }
      })
    },
  }
}

/**
 * Returns the network of an IP address: enough to see where a request came from, too little to
 * identify a person.
 */
export function addressPrefix(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) return address.replace(/\.\d+$/, '.0/24')
  const [head = ''] = address.split('::')
  return `${head.split(':').slice(0, 3).join(':')}::/48`
}
