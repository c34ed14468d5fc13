import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { ReplicaReader } from '../../platform/database/replica.ts'
import type { PageWindow, RawPage } from './store.ts'

/** Which conversations a list shows; nothing for all. */
type ConversationFilter = {
  readonly resolutionStatus: 'answered' | 'unanswered' | undefined
  readonly queryCategory: string | undefined
  readonly feedback: 'helpful' | 'unhelpful' | 'none' | undefined
  /** Part of the question or the answer, in any case. */
  readonly text: string | undefined
}

/** A filter that matches little looks at so many conversations for one page, and goes on with the next. */
export const SCANNED_MAX = 10_000
/** Above every id. */
const ULID_END_OF_TIME = '8'

/**
 * The list that people look through, newest first, read from the replica where there is one. A page may
 * be short, or empty, and not be the last: then `lastId` is where it stopped.
 */
export function createConversationList(
  database: ProjectDatabase,
  readReplica?: ReplicaReader | undefined,
) {
  async function read(from: ProjectDatabase, args: readonly (string | number | null)[]) {
    const [rows, count, lastId, hasMore] = await from.call('conversations_list', args)
    if (!count || !hasMore) throw new Error('no page')
    return {
      rows: rows ?? Buffer.alloc(0),
      count: count.readInt32BE(),
      lastId: lastId?.toString(),
      hasMore: hasMore.readUInt8() === 1,
    }
  }

  return {
    async page(wish: ListWish): Promise<RawPage<Buffer>> {
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
      return (await readReplica?.((from) => read(from, args))) ?? read(database, args)
    },
  }
}
export type ConversationListStore = ReturnType<typeof createConversationList>

export type ListWish = {
  readonly window: Pick<PageWindow, 'from' | 'to'>
  readonly filter: ConversationFilter
  /** Conversations that are older than this one. */
  readonly before: string | undefined
  readonly limit: number
  readonly separator?: string
}
