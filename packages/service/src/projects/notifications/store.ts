import { NOTICE_KINDS, type NoticeKind } from '@octavo/contract'
import type { Requester } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import type { Database, ProjectDatabase, Query, Tenant } from '../../platform/database/database.ts'
import type { DueNotice, ServiceBudget } from './notice-type.ts'

export type FailedBuild = {
  readonly id: string
  readonly branch: string
  readonly commit: string
  readonly reason: string | null
  readonly errorCount: number
  readonly warningCount: number
  /** The first stored error, if the build has errors. */
  readonly firstError: unknown
}

export type NearBudget = {
  readonly period: 'day' | 'month'
  readonly of: string
  readonly used: number
  readonly max: number
  /**
   * True if the budget is nearly used up even without the tokens reserved for answers in progress.
   */
  readonly isReached: boolean
}

export type ExpiringKey = {
  readonly id: string
  readonly subject: string
  readonly name: string
  readonly lastFour: string
  readonly expiresAt: Date
}

export type LostDomain = {
  readonly subject: string
  readonly name: string
  readonly state: 'missing' | 'lapsed' | 'lost'
  readonly servedUntil: Date | null
}

export type NoticeSettings = {
  /** Kinds that are sent by e-mail. */
  readonly email: readonly NoticeKind[]
  /** Additional addresses besides those of owners and admins. */
  readonly addresses: readonly string[]
}

export type UndeliveredNotice = {
  readonly kind: string
  readonly subject: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly at: Date
  readonly isHooked: boolean
  /** Addresses that already got the mail. */
  readonly mailed: readonly string[]
}

export type SentNotice = {
  readonly kind: string
  readonly facts: unknown
  readonly at: Date
  readonly emails: number
  readonly webhook: boolean
}

type NoticeId = { readonly kind: string; readonly subject: string }

const PROJECTS_MAX = 1_000
const ROWS_MAX = 100
const LISTED_MAX = 50
/** Older failed builds are not reported, for example after a long outage. */
const BUILD_HOURS = 24
const KEY_DAYS = 7
const RETENTION_DAYS = 90

/** Returns the projects that have due notifications, across all tenants. */
export async function findNoticeWork(database: Database): Promise<readonly Tenant[]> {
  return database.query<Tenant>(
    `select organization_id as "organizationId", project_id as "projectId"
       from find_notice_work($1, make_interval(hours => $2), make_interval(days => $3))`,
    [PROJECTS_MAX, BUILD_HOURS, KEY_DAYS],
  )
}

/** All SQL for the notifications of one project. */
export class NoticeStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  failedBuilds(): Promise<readonly FailedBuild[]> {
    return this.#database.query<FailedBuild>(
      `select id, ref as branch, commit_sha as commit, reason,
              error_count as "errorCount", warning_count as "warningCount",
              jsonb_path_query_first(diagnostics, '$[*] ? (@.severity == "error")') as "firstError"
         from build
        where project_id = current_project() and state = 'failed' and target = 'production'
          and finished_at > now() - make_interval(hours => $1)
          and not exists (select from notice n where n.project_id = current_project()
                             and n.kind = 'build.failed' and n.subject = build.id)
        order by number limit $2`,
      [BUILD_HOURS, ROWS_MAX],
    )
  }

  expiringKeys(): Promise<readonly ExpiringKey[]> {
    return this.#database.query<ExpiringKey>(
      `select id, key_expiry(id, expires_at) as subject, name, last_four as "lastFour", expires_at as "expiresAt"
         from api_key
        where project_id = current_project() and revoked_at is null
          and expires_at > now() and expires_at <= now() + make_interval(days => $1)
          and expires_at - created_at > make_interval(days => $1)
          and not exists (select from notice n where n.project_id = current_project()
                             and n.kind = 'key.expiring' and n.subject = key_expiry(api_key.id, api_key.expires_at))
        order by expires_at, id limit $2`,
      [KEY_DAYS, ROWS_MAX],
    )
  }

  lostDomains(): Promise<readonly LostDomain[]> {
    return this.#database.query<LostDomain>(
      `select domain_loss(c) as subject, name, case state when 'active' then 'missing' else state end as state,
              case state when 'active' then missing_since + domain_grace() end as "servedUntil"
         from domain_claim c
        where project_id = current_project() and domain_loss(c) is not null
          and not exists (select from notice n where n.project_id = current_project()
                             and n.kind = 'domain.lost' and n.subject = domain_loss(c))
        order by name limit $1`,
      [ROWS_MAX],
    )
  }

  /** Returns true if a question recorded that a budget may be nearly used up. */
  async hasBudgetWork(): Promise<boolean> {
    const rows = await this.#database.query(
      'select from notice_work where project_id = current_project()',
    )
    return rows.length > 0
  }

  async endBudgetWork(): Promise<void> {
    await this.#database.query('delete from notice_work where project_id = current_project()')
  }

  /**
   * Returns periods whose budget is nearly used up, counting answers in progress, and that have no
   * notification yet.
   */
  async nearBudgets({
    tokensPerDay,
    tokensPerMonth,
  }: ServiceBudget): Promise<readonly NearBudget[]> {
    const rows = await this.#database.query<
      Omit<NearBudget, 'used' | 'max'> & { readonly used: string; readonly max: string }
    >(
      `select b.period, budget_period(b.period) as "of", u.used, b.max, is_budget_near(u.used, b.max) as "isReached"
         from (select 'day' as period, coalesce(s.tokens_per_day, $1) as max
                 from (values (1)) v left join assistant s on s.project_id = current_project()
               union all
               select 'month', coalesce(s.tokens_per_month, $2)
                 from (values (1)) v left join assistant s on s.project_id = current_project()) b
         cross join lateral (
           select coalesce(sum(a.used_tokens), 0)::bigint as used,
                  coalesce(sum(a.used_tokens + a.reserved_tokens), 0)::bigint as promised
             from assistant_usage a
            where a.project_id = current_project()
              and a.day >= date_trunc(b.period, now() at time zone 'UTC')::date) u
        where is_budget_near(u.promised, b.max)
          and not exists (select from notice n where n.project_id = current_project()
                             and n.kind = 'assistant.budget' and n.subject = budget_period(b.period))`,
      [tokensPerDay ?? null, tokensPerMonth ?? null],
    )
    return rows.map((row) => ({ ...row, used: Number(row.used), max: Number(row.max) }))
  }

  /** Stores a notification once per subject. */
  async insert(kind: NoticeKind, { subject, facts }: DueNotice): Promise<void> {
    await this.#database.query(
      `insert into notice (project_id, kind, subject, facts) values (current_project(), $1, $2, $3)
       on conflict (project_id, kind, subject) do nothing`,
      [kind, subject, JSON.stringify(facts)],
    )
  }

  async forgetOld(): Promise<void> {
    await this.#database.query(
      `delete from notice where project_id = current_project() and at < now() - make_interval(days => $1)`,
      [RETENTION_DAYS],
    )
  }

  undelivered(): Promise<readonly UndeliveredNotice[]> {
    return this.#database.query<UndeliveredNotice>(
      `select kind, subject, facts, at, is_webhook_sent as "isHooked", mailed from notice
        where project_id = current_project() and delivered_at is null
          and at > now() - interval '1 day'
        order by at, kind, subject limit $1`,
      [ROWS_MAX],
    )
  }

  async markHooked({ kind, subject }: NoticeId): Promise<void> {
    await this.#database.query(
      `update notice set is_webhook_sent = true
        where project_id = current_project() and kind = $1 and subject = $2`,
      [kind, subject],
    )
  }

  /**
   * Records that an address needs no more attempts. `isSent` is false for an address that the mail
   * server permanently rejects.
   */
  async markMailed(
    { kind, subject }: NoticeId,
    { address, isSent }: { readonly address: string; readonly isSent: boolean },
  ): Promise<void> {
    await this.#database.query(
      `update notice set mailed = array_append(mailed, $3), mail_count = mail_count + $4
        where project_id = current_project() and kind = $1 and subject = $2`,
      [kind, subject, address, isSent ? 1 : 0],
    )
  }

  /** Marks the notification as delivered, and deletes its recipients' addresses. */
  async markDelivered({ kind, subject }: NoticeId): Promise<void> {
    await this.#database.query(
      `update notice set delivered_at = now(), mailed = '{}'
        where project_id = current_project() and kind = $1 and subject = $2`,
      [kind, subject],
    )
  }

  /** Returns sent notifications, newest first. Those without recipients are omitted. */
  sent(): Promise<readonly SentNotice[]> {
    return this.#database.query<SentNotice>(
      `select kind, facts, at, mail_count as emails, is_webhook_sent as webhook from notice
        where project_id = current_project() and delivered_at is not null
          and (mail_count > 0 or is_webhook_sent)
        order by at desc, kind, subject limit $1`,
      [LISTED_MAX],
    )
  }

  /** Returns the addresses of owners and admins of the project and its organization. */
  async managers(): Promise<readonly string[]> {
    const rows = await this.#database.query<{ email: string }>(
      `select distinct u.email from membership m join app_user u on u.id = m.user_id
        where m.organization_id = current_organization()
          and (m.project_id is null or m.project_id = current_project())
          and m.role in ('owner', 'admin') and u.disabled_at is null
        order by u.email limit $1`,
      [ROWS_MAX],
    )
    return rows.map(({ email }) => email)
  }

  async project(): Promise<{ readonly publicId: string; readonly name: string }> {
    const [row] = await this.#database.query<{ publicId: string; name: string }>(
      `select public_id as "publicId", name from project
        where organization_id = current_organization() and id = current_project()`,
    )
    if (row === undefined) throw new Error('the project is gone')
    return row
  }

  settings(): Promise<NoticeSettings> {
    return readSettings(this.#database.query)
  }

  /** Changes only the given settings. */
  change(
    change: Partial<Record<keyof NoticeSettings, readonly string[] | undefined>>,
    requester: Requester,
  ): Promise<NoticeSettings> {
    return this.#database.transaction(async (query) => {
      const before = await readSettings(query)
      const after = {
        email: NOTICE_KINDS.filter((kind) => (change.email ?? before.email).includes(kind)),
        addresses: [...new Set(change.addresses ?? before.addresses)],
      }
      if (JSON.stringify(before) === JSON.stringify(after)) return before
      const [row] = await query<{ publicId: string }>(
        `update project set settings = jsonb_set(settings, '{notices}', $1)
          where organization_id = current_organization() and id = current_project()
         returning public_id as "publicId"`,
        [JSON.stringify(after)],
      )
      await insertAudit(query, {
        ...requester,
        action: 'project.notices',
        object: row?.publicId ?? '',
        before,
        after,
      })
      return after
    })
  }
}

async function readSettings(query: Query): Promise<NoticeSettings> {
  const [row] = await query<{ notices: Partial<NoticeSettings> | null }>(
    `select settings -> 'notices' as notices from project
      where organization_id = current_organization() and id = current_project()`,
  )
  const { email = NOTICE_KINDS, addresses = [] } = row?.notices ?? {}
  return { email, addresses }
}
