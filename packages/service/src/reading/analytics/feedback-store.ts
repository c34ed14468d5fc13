import type { FEEDBACK_SORTS, FEEDBACK_SOURCES, FEEDBACK_STATES } from '@octavo/contract'
import type { ProjectDatabase } from '../../platform/database/database.ts'

type FeedbackSource = (typeof FEEDBACK_SOURCES)[number]
export type FeedbackState = (typeof FEEDBACK_STATES)[number]

export type NewFeedback = {
  readonly key: string
  readonly source: FeedbackSource
  readonly path: string
  readonly helpful?: boolean | undefined
  readonly comment?: string | undefined
  readonly contact?: string | undefined
  readonly code?: string | undefined
  readonly filename?: string | undefined
  readonly lang?: string | undefined
}

export type FeedbackRow = {
  readonly id: string
  readonly path: string
  readonly source: FeedbackSource
  readonly status: FeedbackState
  readonly helpful: boolean | null
  readonly comment: string | null
  readonly contact: string | null
  readonly code: string | null
  readonly filename: string | null
  readonly lang: string | null
  readonly created_at: Date
}

export type FeedbackFilter = {
  /** The period in days. `to` is exclusive. */
  readonly from: string
  readonly to: string
  readonly source?: FeedbackSource | undefined
  readonly states?: readonly FeedbackState[] | undefined
  readonly helpful?: boolean | undefined
  /** Whether to return only feedback with a comment or code. */
  readonly isCommented?: boolean | undefined
  /** Text that the comment or the path must contain. */
  readonly text?: string | undefined
}

type FeedbackTotals = {
  readonly votes: number
  readonly helpful: number
  readonly comments: number
}

const COLUMNS =
  'id, path, source, status, helpful, comment, contact, code, filename, lang, created_at'
const IN_PERIOD = `project_id = current_project() and created_at >= $1::date::timestamp at time zone 'UTC'
  and created_at < $2::date::timestamp at time zone 'UTC'`
const IS_COMMENTED = '(comment is not null or code is not null)'
const FILTER = `${IN_PERIOD}
  and ($3::text is null or source = $3) and ($4::text[] is null or status = any ($4))
  and ($5::boolean is null or helpful = $5) and ($6::boolean is not true or ${IS_COMMENTED})
  and ($7::text is null or strpos(lower(path), lower($7)) > 0 or strpos(lower(comment), lower($7)) > 0)`

const valuesOf = ({ from, to, source, states, helpful, isCommented, text }: FeedbackFilter) => [
  from,
  to,
  source ?? null,
  states ?? null,
  helpful ?? null,
  isCommented ?? null,
  text ?? null,
]

/** Contains all SQL for the feedback on pages of one project. */
export function createFeedbackStore(database: ProjectDatabase) {
  return {
    ...readsOf(database),

    /**
     * Adds feedback and returns its id. Returns undefined if the key was already used for other
     * feedback, or a long time ago.
     */
    async add(feedback: NewFeedback): Promise<string | undefined> {
      const { key, source, path, helpful, comment, contact, code, filename, lang } = feedback
      const [row] = await database.query<{ id: string | null }>(
        'select add_feedback($1, $2, $3, $4, $5, $6, $7, $8, $9) as id',
        [key, source, path, helpful, comment, contact, code, filename, lang].map(
          (value) => value ?? null,
        ),
      )
      return row?.id ?? undefined
    },

    /** Sets the state of feedback; returns undefined if there is no feedback with this id. */
    async setState(id: string, state: FeedbackState): Promise<FeedbackRow | undefined> {
      const [row] = await database.query<FeedbackRow>(
        `update feedback set status = $2 where project_id = current_project() and id = $1 returning ${COLUMNS}`,
        [id, state],
      )
      return row
    },

    /**
     * Deletes feedback, for example when its author asks for it. Returns false if it does not
     * exist.
     */
    async remove(id: string): Promise<boolean> {
      const rows = await database.query<{ id: string }>(
        'delete from feedback where project_id = current_project() and id = $1 returning id',
        [id],
      )
      return rows.length > 0
    },
  }
}

function readsOf(database: ProjectDatabase) {
  return {
    /** Returns the feedback that is older than `before`, newest first. */
    list(
      filter: FeedbackFilter,
      { before, limit }: { readonly before: string | undefined; readonly limit: number },
    ): Promise<readonly FeedbackRow[]> {
      return database.query<FeedbackRow>(
        `select ${COLUMNS} from feedback where ${FILTER} and ($8::text is null or id < $8)
          order by id desc limit $9`,
        [...valuesOf(filter), before ?? null, limit],
      )
    },

    /** Returns the number of entries in each state. The states in the filter are ignored. */
    async counts(filter: FeedbackFilter): Promise<Readonly<Record<FeedbackState, number>>> {
      const rows = await database.query<{ status: FeedbackState; count: number }>(
        `select status, count(*)::integer as count from feedback where ${FILTER} group by status`,
        valuesOf({ ...filter, states: undefined }),
      )
      const counts = new Map(rows.map(({ status, count }) => [status, count]))
      const of = (state: FeedbackState) => counts.get(state) ?? 0
      return {
        pending: of('pending'),
        in_progress: of('in_progress'),
        resolved: of('resolved'),
        dismissed: of('dismissed'),
      }
    },

    async totals({ from, to }: Pick<FeedbackFilter, 'from' | 'to'>): Promise<FeedbackTotals> {
      const [row] = await database.query<FeedbackTotals>(
        `select count(helpful)::integer as votes, (count(*) filter (where helpful))::integer as helpful,
                (count(*) filter (where ${IS_COMMENTED}))::integer as comments
           from feedback where ${IN_PERIOD}`,
        [from, to],
      )
      return row ?? { votes: 0, helpful: 0, comments: 0 }
    },

    /** Returns pages sorted by feedback: those with the most first, or the least helpful first. */
    byPage(
      filter: FeedbackFilter,
      { after, limit, sort, votesMin }: PageList,
    ): Promise<readonly PageFeedbackCounts[]> {
      return database.query<PageFeedbackCounts>(
        `select * from (
           select *, case when $8 = 'total' then total
                          else round(1000000.0 * "thumbsDown" / nullif("thumbsUp" + "thumbsDown", 0))::integer
                     end as rank
             from (
               select path, (count(*) filter (where helpful))::integer as "thumbsUp",
                      (count(*) filter (where not helpful))::integer as "thumbsDown",
                      (count(*) filter (where source = 'code_snippet'))::integer as code,
                      (count(*) filter (where ${IS_COMMENTED}))::integer as comments, count(*)::integer as total
                 from feedback where ${FILTER} group by path having count(helpful) >= $9) counted) pages
          where rank is not null and ($10::integer is null or rank < $10 or (rank = $10 and path > $11))
          order by rank desc, path limit $12`,
        [...valuesOf(filter), sort, votesMin, after?.total ?? null, after?.subject ?? null, limit],
      )
    },
  }
}

/** The position of an entry in a list that is sorted by counts. */
export type PageAfter = { readonly total: number; readonly subject: string }
type PageFeedbackCounts = {
  readonly path: string
  readonly thumbsUp: number
  readonly thumbsDown: number
  readonly code: number
  readonly comments: number
  readonly total: number
  /** The value by which the list is sorted. */
  readonly rank: number
}

type PageList = {
  readonly after: PageAfter | undefined
  readonly limit: number
  readonly sort: (typeof FEEDBACK_SORTS)[number]
  /** The minimum number of votes for a page. */
  readonly votesMin: number
}
