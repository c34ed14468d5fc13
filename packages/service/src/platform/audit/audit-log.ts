/** Reads the audit log of a project or of an organization. */
import type { BoundDatabase } from '../database/database.ts'
import type { TimeCursor } from '../http/time-cursor.ts'

/** The log to read. The database must be bound to the same project or organization. */
export type AuditScope =
  /**
   * `withPeople` adds events about members of the whole organization, who can access the project
   * too.
   */
  | { readonly of: 'project'; readonly withPeople: boolean }
  /** Includes events about the members of the organization's projects. */
  | { readonly of: 'organization' }

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
  readonly object_name: string | null
  readonly before: unknown
  readonly after: unknown
  readonly address_prefix: string | null
  readonly request_id: string | null
  /**
   * The project of the event. Null in the log of a project, and for events of the whole
   * organization.
   */
  readonly project: { readonly id: string; readonly name: string } | null
}

export type AuditPage = {
  readonly rows: readonly AuditRow[]
  /** The cursor of the next page. Even a page that is not full may have one. */
  readonly next: TimeCursor | undefined
}

/** The maximum number of events scanned for a filtered page. The next page continues after them. */
const SCANNED_MAX = 10_000
const NO_TIME = { from: 0, to: 253_402_300_799_000 }
/** Must have the same text as the condition of the partial index `audit_event_of_people`. */
const IS_PEOPLE_EVENT = `e.action ~ '^(member|sign-in)\\.'`

export function createAuditLog(database: BoundDatabase, scope: AuditScope) {
  const places = placesOf(scope)
  return {
    /** Returns one page of events, newest first. */
    async page(
      filter: AuditFilter,
      before: TimeCursor | undefined,
      limit: number,
    ): Promise<AuditPage> {
      const { fromMs = NO_TIME.from, toMs = NO_TIME.to, actor, action, text } = filter
      const place = [before?.micros ?? null, before?.id ?? null, fromMs * 1_000, toMs * 1_000]
      const isFiltered = (actor ?? action ?? text) !== undefined
      const scanned = isFiltered ? SCANNED_MAX : limit + 1
      return database.transaction(async (query) => {
        const rows = await query<AuditRow>(
          `select e.id, e.at, instant_micros(e.at) as micros, e.actor, e.action, e.object, e.before, e.after,
                  e.address_prefix, e.request_id, n.actor_name, n.object_name,
                  case when e.project_id is distinct from current_project()
                    then (select json_build_object('id', p.public_id, 'name', p.name) from project p
                           where p.organization_id = current_organization() and p.id = e.project_id) end as project
             from (${newest(places, scanned)}) e cross join lateral (${NAMES}) n
            where ($5::text is null or e.actor = $5 or starts_with(e.actor, $5 || ' '))
              and ($6::text is null or starts_with(e.action, $6))
              and ($7::text is null or strpos(lower(concat_ws(' ', e.actor, n.actor_name, n.object_name, e.action,
                     e.object, e.before, e.after, e.address_prefix, e.request_id)), lower($7)) > 0)
            order by e.at desc, e.id desc limit $8`,
          [...place, actor ?? null, action ?? null, text ?? null, limit + 1],
        )
        const shown = rows.slice(0, limit)
        if (rows.length > limit) return { rows: shown, next: shown.at(-1) }
        const [end] = await query<TimeCursor>(
          `select instant_micros(e.at) as micros, e.id from (${newest(places, SCANNED_MAX)}) e
            order by e.at desc, e.id desc offset ${SCANNED_MAX - 1} limit 1`,
          place,
        )
        return { rows: shown, next: end }
      })
    },
  }
}

/**
 * Returns one SQL condition for each part of a log. Each part is read in time order from an index.
 */
function placesOf(scope: AuditScope): readonly string[] {
  if (scope.of === 'organization')
    return ['e.project_id is null', `e.project_id is not null and ${IS_PEOPLE_EVENT}`]
  const own = 'e.project_id = current_project()'
  return scope.withPeople ? [own, `e.project_id is null and ${IS_PEOPLE_EVENT}`] : [own]
}

function newest(places: readonly string[], limit: number): string {
  const order = `order by at desc, id desc limit ${limit}`
  const parts = places.map(
    (place) =>
      `(select e.* from audit_event e where e.organization_id = current_organization() and ${place}
          and ($1::bigint is null or (e.at, e.id) < (instant_of($1), $2::bigint))
          and e.at >= instant_of($3) and e.at < instant_of($4) ${order})`,
  )
  return `select * from (${parts.join(' union all ')}) e ${order}`
}

const KEY_ID = `^key (?:\\d{1,18}|[1-8]\\d{18})$`

/**
 * Selects the names of the actor and the object if the bound database can see them: members of the
 * organization, and keys and deployments of the project.
 */
const NAMES = `
  select coalesce(
      (select u.name from app_user u where u.public_id = case when starts_with(e.actor, 'user ') then substr(e.actor, 6) end
          and exists (select from membership m where m.organization_id = current_organization() and m.user_id = u.id)),
      (select k.name from api_key k where k.project_id = current_project()
          and k.id = case when e.actor ~ '${KEY_ID}' then substr(e.actor, 5)::bigint end)) as actor_name,
    coalesce(
      (select u.name from app_user u where u.email = case when e.action ~ '^(member|sign-in)[.]' then e.object end
          and exists (select from membership m where m.organization_id = current_organization() and m.user_id = u.id)),
      (select k.name from api_key k where k.project_id = current_project()
          and k.id = case when e.object ~ '${KEY_ID}' then substr(e.object, 5)::bigint end),
      (select concat_ws(' ', '#' || d.number, split_part(d.message, E'\\n', 1)) from deployment d
        where d.project_id = current_project()
          and d.id = case when starts_with(e.object, 'deployment ') then substr(e.object, 12) end)) as object_name`
