import type { FEEDBACK_SOURCES, FEEDBACK_STATES } from '@octavo/contract'
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
  /** Days; `to` is exclusive. */
  readonly from: string
  readonly to: string
  readonly source?: FeedbackSource | undefined
  readonly states?: readonly FeedbackState[] | undefined
}

const COLUMNS =
  'id, path, source, status, helpful, comment, contact, code, filename, lang, created_at'
const FILTER = `project_id = current_project() and created_at >= $1::date::timestamp at time zone 'UTC'
  and created_at < $2::date::timestamp at time zone 'UTC'
  and ($3::text is null or source = $3) and ($4::text[] is null or status = any ($4))`

const valuesOf = ({ from, to, source, states }: FeedbackFilter) => [
  from,
  to,
  source ?? null,
  states ?? null,
]

/** All SQL for readers' feedback on one project's pages. */
export function createFeedbackStore(database: ProjectDatabase) {
  return {
    /** Returns undefined if the key was used for other feedback or long ago. */
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

    /** Returns the newest feedback older than `before`. */
    list(
      filter: FeedbackFilter,
      { before, limit }: { readonly before: string | undefined; readonly limit: number },
    ): Promise<readonly FeedbackRow[]> {
      return database.query<FeedbackRow>(
        `select ${COLUMNS} from feedback where ${FILTER} and ($5::text is null or id < $5)
          order by id desc limit $6`,
        [...valuesOf(filter), before ?? null, limit],
      )
    },

    /** Returns the pages with the most feedback first. */
    byPage(
      filter: FeedbackFilter,
      { after, limit }: { readonly after: PageAfter | undefined; readonly limit: number },
    ): Promise<readonly PageFeedbackCounts[]> {
      return database.query<PageFeedbackCounts>(
        `select * from (
           select path, (count(*) filter (where helpful))::integer as "thumbsUp",
                  (count(*) filter (where not helpful))::integer as "thumbsDown",
                  (count(*) filter (where source = 'code_snippet'))::integer as code, count(*)::integer as total
             from feedback where ${FILTER} group by path) pages
          where $5::integer is null or total < $5 or (total = $5 and path > $6)
          order by total desc, path limit $7`,
        [...valuesOf(filter), after?.total ?? null, after?.subject ?? null, limit],
      )
    },

    /** Returns undefined if there is no feedback with this id. */
    async setState(id: string, state: FeedbackState): Promise<FeedbackRow | undefined> {
      const [row] = await database.query<FeedbackRow>(
        `update feedback set status = $2 where project_id = current_project() and id = $1 returning ${COLUMNS}`,
        [id, state],
      )
      return row
    },

    /** Deletes feedback at a reader's request. Returns false if it does not exist. */
    async remove(id: string): Promise<boolean> {
      const rows = await database.query<{ id: string }>(
        'delete from feedback where project_id = current_project() and id = $1 returning id',
        [id],
      )
      return rows.length > 0
    },
  }
}

/** The position in a list that is ordered by counts. */
export type PageAfter = { readonly total: number; readonly subject: string }
export type PageFeedbackCounts = {
  readonly path: string
  readonly thumbsUp: number
  readonly thumbsDown: number
  readonly code: number
  readonly total: number
}
