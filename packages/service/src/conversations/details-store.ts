import type { ProjectDatabase } from '../database/database.ts'
import type { ConversationDetails, UNANSWERED_REASONS } from './details-contract.ts'

type UnansweredReasonName = (typeof UNANSWERED_REASONS)[number]

export type DetailsSelection = {
  readonly reason?: UnansweredReasonName | undefined
  /** Only conversations with feedback, of one kind or of any. */
  readonly feedback?: 'helpful' | 'unhelpful' | 'any' | undefined
  /** Those that are older than this one. */
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

/** All SQL about what is known beside the conversations of one project. */
export function createDetailsStore(database: ProjectDatabase) {
  async function select(
    { reason, feedback, before, limit }: DetailsSelection,
    id?: string,
  ): Promise<readonly ConversationDetails[]> {
    const helpful = feedback === 'any' || feedback === undefined ? null : feedback === 'helpful'
    const rows = await database.query<Row>(
      `select c.id, c.query, c.resolution_status as status, c.sources, d.reason, d.deployment_id,
              d.model, d.used_tokens, d.is_cached, d.nearest, f.at as feedback_at, f.is_helpful,
              f.reason as feedback_reason, f.note
         from conversation c
         left join conversation_detail d on d.project_id = c.project_id and d.id = c.id
         left join conversation_feedback f on f.project_id = c.project_id and f.id = c.id
        where c.project_id = current_project()
          and ($1::text is null or c.id < $1) and ($2::text is null or d.reason = $2)
          and (not $3 or f.id is not null) and ($4::boolean is null or f.is_helpful = $4)
          and ($6::text is null or c.id = $6)
        order by c.id desc limit $5`,
      [before ?? null, reason ?? null, feedback !== undefined, helpful, limit, id ?? null],
    )
    return rows.map(toDetails)
  }

  return {
    /** The newest first. */
    list: (selection: DetailsSelection) => select(selection),
    find: async (id: string): Promise<ConversationDetails | undefined> =>
      (await select({ limit: 1 }, id))[0],
  }
}
export type DetailsStore = ReturnType<typeof createDetailsStore>

function toDetails(row: Row): ConversationDetails {
  return {
    id: row.id,
    query: row.query,
    resolutionStatus: row.status,
    ...(row.reason !== null && { reason: row.reason }),
    sources: row.sources ?? [],
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
