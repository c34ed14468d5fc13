import type { ProjectDatabase } from '../database/database.ts'

export type DayCounts = {
  /** `2026-01-31` */
  readonly day: string
  readonly answered: number
  readonly unanswered: number
  readonly helpful: number
  readonly unhelpful: number
}

export type OverviewFacts = {
  /** Days that have conversations, of twice the wanted number of days, today the last. */
  readonly days: readonly DayCounts[]
  /** How often the live site changed, by day. */
  readonly deployments: readonly { readonly day: string; readonly count: number }[]
  readonly openGaps: number
  readonly today: string
}

export type TopQuestion = {
  readonly question: string
  readonly count: number
  readonly lastAskedAt: Date
}

/** Top questions are those among so many of the newest. */
export const TOP_QUESTIONS_OF = 1_000
const TOP_QUESTIONS_MAX = 5
const QUESTION_LENGTH_MAX = 300

/**
 * What an owner looks at first. Conversations are counted by the day when they are written
 * (`conversation_day`), so it costs the same however many there are.
 */
export function createOverviewStore(database: ProjectDatabase) {
  return {
    read: (dayCount: number): Promise<OverviewFacts> =>
      database.transaction(async (query) => {
        const days = await query<DayCounts>(
          `select day::text, answered, unanswered, helpful, unhelpful from conversation_day
            where project_id = current_project() and day > (now() at time zone 'UTC')::date - 2 * $1::integer
            order by day`,
          [dayCount],
        )
        const deployments = await query<{ day: string; count: number }>(
          `select (published_at at time zone 'UTC')::date::text as day, count(*)::integer as count from deployment
            where project_id = current_project() and target = 'production'
              and published_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
                                  - ($1::integer - 1) * interval '1 day'
            group by 1`,
          [dayCount],
        )
        const [gaps] = await query<{ count: number; today: string }>(
          `select count(*)::integer as count, (now() at time zone 'UTC')::date::text as today from gap
            where project_id = current_project() and state = 'open'`,
        )
        return { days, deployments, openGaps: gaps?.count ?? 0, today: gaps?.today ?? '' }
      }),

    /** Of the last days, and of the newest conversations among those. */
    topQuestions: (dayCount: number): Promise<readonly TopQuestion[]> =>
      database.query<TopQuestion>(
        `select (array_agg(left(trim(c.query), ${QUESTION_LENGTH_MAX}) order by c.id desc))[1] as question,
                count(*)::integer as count, max(c.recorded_at) as "lastAskedAt"
           from (select n.id, n.query, n.recorded_at from conversation n
                  where n.project_id = current_project()
                    and n.id >= ulid_floor(date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
                                           - ($1::integer - 1) * interval '1 day')
                  order by n.id desc limit ${TOP_QUESTIONS_OF}) c
          group by md5(trim(lower(regexp_replace(c.query, '[\\s?!.]+', ' ', 'g'))))
          order by 2 desc, 3 desc limit ${TOP_QUESTIONS_MAX}`,
        [dayCount],
      ),
  }
}
