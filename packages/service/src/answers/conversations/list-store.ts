import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { ReplicaReader } from '../../platform/database/replica.ts'
import { type PageWindow, parsePage, type RawPage, ULID_END_OF_TIME } from './store.ts'

/** The filter of a list; undefined fields match all conversations. */
type ConversationFilter = {
  readonly resolutionStatus: 'answered' | 'unanswered' | undefined
  readonly queryCategory: string | undefined
  readonly feedback: 'helpful' | 'unhelpful' | 'none' | undefined
  /** Part of the question or the answer; case-insensitive. */
  readonly text: string | undefined
}

/** The most conversations scanned for one page; a selective filter continues on the next page. */
export const SCANNED_MAX = 10_000

/**
 * The list in the dashboard, newest first, read from the replica if there is one. A page that is
 * not the last may be short or empty; `lastId` is where it stopped.
 */
export class ConversationListStore {
  readonly #database: ProjectDatabase
  readonly #readReplica: ReplicaReader | undefined

  constructor(database: ProjectDatabase, readReplica?: ReplicaReader | undefined) {
    this.#database = database
    this.#readReplica = readReplica
  }

  async page(wish: ConversationListOptions): Promise<RawPage<Buffer>> {
    const { window, filter, before, limit, separator = ',' } = wish
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
   * Counts all conversations that match, from the counts of days; undefined for filters that these
   * do not know.
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

/** Whole days (UTC), the end exclusive; undefined for bounds within a day. */
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
  /** Selects only conversations older than this id. */
  readonly before: string | undefined
  readonly limit: number
  readonly separator?: string
}
