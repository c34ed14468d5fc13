import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { BuildFacts } from './list-store.ts'

type DayCounts = {
  /** A date such as `2026-01-31`. */
  readonly day: string
  readonly answered: number
  readonly unanswered: number
  readonly helpful: number
  readonly unhelpful: number
}

type FoundProblem = {
  readonly file: string
  readonly line: number | null
  readonly code: string
  readonly message: string
}

export type OverviewFacts = {
  /** Days with conversations, in a period up to today that is twice as long as requested. */
  readonly days: readonly DayCounts[]
  /** The number of publishes by day. */
  readonly deployments: readonly { readonly day: string; readonly count: number }[]
  readonly openGaps: number
  readonly gapQuestions: number
  readonly failedBuild:
    | (BuildFacts & { readonly reason: string | null; readonly problems: readonly FoundProblem[] })
    | null
  readonly previous: { readonly id: string; readonly number: number } | null
  readonly attention: {
    readonly comments: number
    readonly connection: string | null
    readonly domains: readonly string[]
    readonly expiring: readonly {
      readonly kind: 'key' | 'readerToken'
      readonly name: string
      readonly expiresAt: string
    }[]
  }
  readonly today: string
}

export type AskedQuestion = { readonly id: string; readonly text: string }

/** The number of newest questions from which the top questions are chosen. */
export const TOP_QUESTIONS_OF = 1_000
const QUESTION_LENGTH_MAX = 300
const PROBLEMS_MAX = 3
const EXPIRING_MAX = 5
const EXPIRES_WITHIN = "interval '7 days'"

const FAILED_BUILD = `select describe_build(b) || jsonb_build_object('reason', b.reason, 'problems', (
    select coalesce(jsonb_agg(jsonb_build_object('file', e.one #>> '{place,file}', 'line', e.one #> '{place,line}',
             'code', e.one ->> 'code', 'message', e.one ->> 'message') order by e.at), '[]')
      from (select * from jsonb_array_elements(b.diagnostics) with ordinality as e (one, at)
             where e.one ->> 'severity' = 'error' and e.one #>> '{place,file}' is not null
             order by e.at limit ${PROBLEMS_MAX}) e))
  from failed_build() b`

/**
 * Selects the deployment that was superseded last: its replacement is the last change that readers
 * saw.
 */
const PREVIOUS = `select jsonb_build_object('id', d.id, 'number', d.number)
  from publication p join deployment d on d.project_id = p.project_id and d.id <> p.deployment_id
   and d.superseded_at is not null and d.state = 'ready'
 where p.project_id = current_project() order by d.superseded_at desc limit 1`

const ATTENTION = `select jsonb_build_object(
  'comments', (select count(*) from feedback f
     where f.project_id = current_project() and f.status = 'pending' and f.comment is not null),
  'connection', (select c.check_error from connection c where c.project_id = current_project()),
  'domains', (select coalesce(jsonb_agg(c.name order by c.name), '[]') from domain_claim c
     where c.project_id = current_project() and (c.state = 'lapsed' or c.state = 'active' and (
       c.missing_since is not null or c.checks #>> '{certificate,state}' <> 'ok'))),
  'expiring', (select coalesce(jsonb_agg(to_jsonb(e) order by e."expiresAt"), '[]') from (
     select 'key' as kind, k.name, k.expires_at as "expiresAt" from api_key k
      where k.project_id = current_project() and k.revoked_at is null
        and k.expires_at between now() and now() + ${EXPIRES_WITHIN} and k.expires_at - k.created_at > ${EXPIRES_WITHIN}
     union all
     select 'readerToken', r.name, r.expires_at from reader_session r
      where r.project_id = current_project() and r.way = 'token'
        and r.expires_at between now() and now() + ${EXPIRES_WITHIN} and r.expires_at - r.created_at > ${EXPIRES_WITHIN}
     order by 3 limit ${EXPIRING_MAX}) e))`

/**
 * Reads the overview of a project. Conversations are counted per day when they are written
 * (`conversation_day`), so the cost does not depend on their number.
 */
export class OverviewStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  read(dayCount: number): Promise<OverviewFacts> {
    return this.#database.transaction(async (query) => {
      const days = await query<DayCounts>(
        `select day::text, answered, unanswered, helpful, unhelpful from conversation_day
          where project_id = current_project() and day > (now() at time zone 'UTC')::date - 2 * $1::integer
          order by day`,
        [dayCount],
      )
      // This needs no condition on the target, since previews are never published.
      const deployments = await query<{ day: string; count: number }>(
        `select day::text, count::integer from (
           select (published_at at time zone 'UTC')::date as day, count(*) as count from deployment
            where project_id = current_project() and published_at >=
              (select date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - ($1::integer - 1) * interval '1 day')
            group by 1) d`,
        [dayCount],
      )
      const [gaps] = await query<{ count: number; questions: number; today: string }>(
        `select count(*)::integer as count, coalesce(sum(g.question_count), 0)::integer as questions,
                (now() at time zone 'UTC')::date::text as today
           from gap g where g.project_id = current_project() and g.state = 'open' and not is_noise(g)`,
      )
      const [row] = await query<Pick<OverviewFacts, 'failedBuild' | 'previous' | 'attention'>>(
        `select (${FAILED_BUILD}) as "failedBuild", (${PREVIOUS}) as previous, (${ATTENTION}) as attention`,
      )
      if (gaps === undefined || row === undefined) throw new Error('the overview was not read')
      const { count: openGaps, questions: gapQuestions, today } = gaps
      return { ...row, days, deployments, openGaps, gapQuestions, today }
    })
  }

  /** Returns the newest questions of the last days, newest first. */
  newestQuestions(dayCount: number): Promise<readonly AskedQuestion[]> {
    return this.#database.query<AskedQuestion>(
      `select id, left(query, ${QUESTION_LENGTH_MAX}) as text from conversation
        where project_id = current_project()
          and id >= ulid_floor(date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
                               - ($1::integer - 1) * interval '1 day')
        order by id desc limit ${TOP_QUESTIONS_OF}`,
      [dayCount],
    )
  }
}
