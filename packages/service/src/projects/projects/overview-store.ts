import type { ProjectDatabase } from '../../platform/database/database.ts'

type DayCounts = {
  /** `2026-01-31` */
  readonly day: string
  readonly answered: number
  readonly unanswered: number
  readonly helpful: number
  readonly unhelpful: number
}

export type OverviewFacts = {
  /** Days with conversations, among twice the requested number of days up to today. */
  readonly days: readonly DayCounts[]
  /** The number of publishes by day. */
  readonly deployments: readonly { readonly day: string; readonly count: number }[]
  readonly openGaps: number
  readonly today: string
}

export type AskedQuestion = { readonly id: string; readonly text: string }

/** The number of newest questions that top questions are chosen from. */
export const TOP_QUESTIONS_OF = 1_000
const QUESTION_LENGTH_MAX = 300

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
      // Previews are never published, so the index is enough.
      const deployments = await query<{ day: string; count: number }>(
        `select day::text, count::integer from (
           select (published_at at time zone 'UTC')::date as day, count(*) as count from deployment
            where project_id = current_project() and published_at >=
              (select date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - ($1::integer - 1) * interval '1 day')
            group by 1) d`,
        [dayCount],
      )
      const [gaps] = await query<{ count: number; today: string }>(
        `select count(*)::integer as count, (now() at time zone 'UTC')::date::text as today from gap
          where project_id = current_project() and state = 'open'`,
      )
      return { days, deployments, openGaps: gaps?.count ?? 0, today: gaps?.today ?? '' }
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
