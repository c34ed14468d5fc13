import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { ReplicaReader } from '../../platform/database/replica.ts'
import { type PageWindow, parsePage, type RawPage, ULID_END_OF_TIME } from './store.ts'

/** The filter of a list. Fields that are undefined match all conversations. */
type ConversationFilter = {
  readonly resolutionStatus: 'answered' | 'unanswered' | undefined
  readonly queryCategory: string | undefined
  readonly feedback: 'helpful' | 'unhelpful' | 'none' | undefined
  /** Text that the question or the answer contains, ignoring case. */
  readonly text: string | undefined
}

/**
 * The maximum number of conversations that are scanned for one page. With a selective filter, the
 * search continues on the next page.
 */
export const SCANNED_MAX = 10_000

/**
 * Lists conversations for the dashboard, newest first. Reads from the replica if there is one. A
 * page can be short or even empty without being the last one; `lastId` then says how far the search
 * has progressed.
 */
export class ConversationListStore {
  readonly #database: ProjectDatabase
  readonly #readReplica: ReplicaReader | undefined

  constructor(database: ProjectDatabase, readReplica?: ReplicaReader | undefined) {
    this.#database = database
    this.#readReplica = readReplica
  }

  async page(options: ConversationListOptions): Promise<RawPage<Buffer>> {
    const { window, filter, before, limit, separator = ',' } = options
    const { resolutionStatus, queryCategory, feedback, text } = filter
    const args = [
      before ?? ULID_END_OF_TIME,
      window.from,
      window.to,
      resolutionStatus ?? null,
      queryCategory ?? null,
      feedback ?? null,
      text ?? null,
      limit,
      SCANNED_MAX,
      separator,
    ]
    const read = async (from: ProjectDatabase) =>
      parsePage(await from.call('conversations_list', args))
    return (await this.#readReplica?.(read)) ?? read(this.#database)
  }

  /**
   * Returns the retention and the number of all matching conversations. The number is the sum of
   * daily counts, so it is undefined for filters that these counts do not support.
   */
  async facts({ filter, days }: CountOptions): Promise<ListFacts> {
    const [row] = await this.#database.query<ListCounts & { retentionDays: number }>(
      `select p.retention_days as "retentionDays", coalesce(sum(d.answered), 0)::integer as answered,
              coalesce(sum(d.unanswered), 0)::integer as unanswered,
              coalesce(sum(d.helpful), 0)::integer as helpful,
              coalesce(sum(d.unhelpful), 0)::integer as unhelpful
         from project p
         left join conversation_day d on d.project_id = p.id and d.day >= $1::date and d.day < $2::date
        where p.id = current_project() group by p.id, p.retention_days`,
      [days?.from ?? FIRST_DAY, days?.to ?? LAST_DAY],
    )
    if (row === undefined) throw new Error('the project was not found')
    const { retentionDays, ...counts } = row
    return { retentionDays, total: days === undefined ? undefined : totalOf(counts, filter) }
  }
}

const FIRST_DAY = '0001-01-01'
const LAST_DAY = '9999-12-31'

/** A range of whole days in UTC, excluding the end. A side that is undefined has no bound. */
export type ListDays = { readonly from: string | undefined; readonly to: string | undefined }
type CountOptions = { readonly filter: ConversationFilter; readonly days: ListDays | undefined }
type ListCounts = Readonly<Record<'answered' | 'unanswered' | 'helpful' | 'unhelpful', number>>
type ListFacts = { readonly retentionDays: number; readonly total: number | undefined }

function totalOf(counts: ListCounts, filter: ConversationFilter): number | undefined {
  const { resolutionStatus, queryCategory, feedback, text } = filter
  if (queryCategory !== undefined || text !== undefined) return undefined
  if (feedback === undefined) {
    const { answered, unanswered } = counts
    return resolutionStatus === undefined ? answered + unanswered : counts[resolutionStatus]
  }
  if (resolutionStatus !== undefined) return undefined
  if (feedback !== 'none') return counts[feedback]
  return counts.answered + counts.unanswered - counts.helpful - counts.unhelpful
}

export type ConversationListOptions = {
  readonly window: Pick<PageWindow, 'from' | 'to'>
  readonly filter: ConversationFilter
  /** Selects only conversations that are older than this id. */
  readonly before: string | undefined
  readonly limit: number
  readonly separator?: string
}
