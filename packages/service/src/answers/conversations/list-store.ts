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
}

export type ConversationListOptions = {
  readonly window: Pick<PageWindow, 'from' | 'to'>
  readonly filter: ConversationFilter
  /** Selects only conversations older than this id. */
  readonly before: string | undefined
  readonly limit: number
  readonly separator?: string
}
