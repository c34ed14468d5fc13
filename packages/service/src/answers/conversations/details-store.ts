import type {
  Conversation,
  ConversationDetails,
  UNANSWERED_REASONS,
  WholeConversation,
} from '@octavo/contract'
import type { ProjectDatabase } from '../../platform/database/database.ts'

type UnansweredReasonName = (typeof UNANSWERED_REASONS)[number]

export type DetailsSelection = {
  readonly reason?: UnansweredReasonName | undefined
  /** Selects only conversations with feedback of this kind. */
  readonly feedback?: 'helpful' | 'unhelpful' | 'any' | undefined
  /** Selects only conversations older than this id. */
  readonly before?: string | undefined
  readonly limit: number
}

type Row = {
  readonly id: string
  readonly query: string
  readonly status: 'answered' | 'unanswered'
  readonly sources: ConversationDetails['sources'] | null
  readonly reason: UnansweredReasonName | null
  readonly deployment_id: string | null
  readonly model: string | null
  readonly used_tokens: string | null
  readonly is_cached: boolean | null
  readonly nearest: ConversationDetails['nearest'] | null
  readonly feedback_at: Date | null
  readonly is_helpful: boolean | null
  readonly feedback_reason: string | null
  readonly note: string | null
}

type WholeRow = Row & {
  /** The conversation in the format of the export. */
  readonly json: Conversation
  readonly gap_id: string | null
}

const CATEGORIES_MAX = 50

const COLUMNS = `c.id, c.query, c.resolution_status as status, c.sources, d.reason, d.deployment_id,
  d.model, d.used_tokens, d.is_cached, d.nearest, f.at as feedback_at, f.is_helpful,
  f.reason as feedback_reason, f.note`
const TABLES = `conversation c
  left join conversation_detail d on d.project_id = c.project_id and d.id = c.id
  left join conversation_feedback f on f.project_id = c.project_id and f.id = c.id`

/** Contains all SQL about the details of conversations of one project. */
export class DetailsStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  /** Returns the details of conversations, newest first. */
  async list({
    reason,
    feedback,
    before,
    limit,
  }: DetailsSelection): Promise<readonly ConversationDetails[]> {
    const helpful = feedback === 'any' || feedback === undefined ? null : feedback === 'helpful'
    const rows = await this.#database.query<Row>(
      `select ${COLUMNS} from ${TABLES}
        where c.project_id = current_project()
          and ($1::text is null or c.id < $1) and ($2::text is null or d.reason = $2)
          and (not $3 or f.id is not null) and ($4::boolean is null or f.is_helpful = $4)
        order by c.id desc limit $5`,
      [before ?? null, reason ?? null, feedback !== undefined, helpful, limit],
    )
    return rows.map((row) => ({
      id: row.id,
      query: row.query,
      resolutionStatus: row.status,
      sources: row.sources ?? [],
      ...detailsOf(row),
    }))
  }

  async categories(): Promise<readonly string[]> {
    const rows = await this.#database.query<{ category: string }>(
      'select category from conversation_categories($1) category',
      [CATEGORIES_MAX],
    )
    return rows.map(({ category }) => category).toSorted((a, b) => a.localeCompare(b, 'en'))
  }

  async find(id: string): Promise<WholeConversation | undefined> {
    const [row] = await this.#database.query<WholeRow>(
      `select ${COLUMNS}, conversation_json(c)::json as json, g.gap_id
         from ${TABLES}
         left join gap_conversation g on g.project_id = c.project_id and g.conversation_id = c.id
        where c.project_id = current_project() and c.id = $1`,
      [id],
    )
    return (
      row && { ...row.json, ...detailsOf(row), ...(row.gap_id !== null && { gap: row.gap_id }) }
    )
  }
}

function detailsOf(row: Row) {
  return {
    ...(row.reason !== null && { reason: row.reason }),
    nearest: row.nearest ?? [],
    ...(row.deployment_id !== null && { deployment: row.deployment_id }),
    ...(row.model !== null && { model: row.model }),
    usedTokens: Number(row.used_tokens ?? 0),
    cached: row.is_cached ?? false,
    ...feedbackOf(row),
  }
}

function feedbackOf({ feedback_at: at, is_helpful, feedback_reason: reason, note }: Row) {
  if (at === null) return {}
  const feedback = {
    at: at.toISOString(),
    helpful: is_helpful === true,
    ...(reason !== null && { reason }),
    ...(note !== null && { note }),
  }
  return { feedback }
}
