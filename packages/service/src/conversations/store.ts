import type { ImportedConversation } from '../contract.ts'
import type { Database } from '../database/database.ts'
import { Problem } from '../http/problem.ts'
import { ulidFloor } from './ulid.ts'

/** What a page is asked for: ids, so that dates and cursor are one kind of thing. */
export type PageWindow = {
  /** Rows after this id; empty for the first page. */
  readonly after: string
  /** Rows from this id on. */
  readonly from: string
  /** Rows before this id. */
  readonly to: string
  /** End of the window in milliseconds when it has passed: the page seals it. */
  readonly sealMs: number | null
}

/** Rows as the database wrote them: JSON objects, joined by the separator. */
export type RawPage<Rows = string> = {
  readonly rows: Rows
  readonly count: number
  readonly lastId: string | undefined
  readonly hasMore: boolean
}

/** All SQL about conversations. */
export function createConversationStore(database: Database) {
  async function loadPage(
    projectId: string,
    window: PageWindow,
    limit: number,
    separator = ',',
  ): Promise<RawPage<Buffer>> {
    const page = await readPage(projectId, window, limit, separator)
    if (page.hasMore) return page
    // The last page: wait for a publish that is under way, then read again.
    await database.query('select fence_conversations($1, $2)', [projectId, window.sealMs])
    return readPage(projectId, window, limit, separator)
  }

  async function readPage(
    projectId: string,
    window: PageWindow,
    limit: number,
    separator: string,
  ): Promise<RawPage<Buffer>> {
    const { after, from, to } = window
    const args = [projectId, after, from, to, limit, separator]
    const [rows, count, lastId, hasMore] = await database.call('conversations_page', args)
    if (!count || !hasMore) throw new Error('no page')
    return {
      rows: rows ?? Buffer.alloc(0),
      count: count.readInt32BE(),
      lastId: lastId?.toString(),
      hasMore: hasMore.readUInt8() === 1,
    }
  }

  return {
    /** One page in the order of ids. The last page waits for a publish that is under way. */
    async page(
      projectId: string,
      window: PageWindow,
      limit: number,
      separator = ',',
    ): Promise<RawPage> {
      const page = await loadPage(projectId, window, limit, separator)
      return { ...page, rows: page.rows.toString() }
    },

    /** The same in UTF-8, to be sent as it is. */
    pageBytes: loadPage,

    /** Records a finished turn. Idempotent by the turn's id; gives the conversation's id. */
    async publish(projectId: string, turn: ImportedConversation, reader?: string): Promise<string> {
      const [row] = await database.query<{ id: string }>(
        'select publish_conversation($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as id',
        [projectId, ...turnValues(turn), reader ?? null],
      )
      if (row === undefined) throw new Error('nothing was published')
      return row.id
    },

    /** Records a batch: what has a timestamp goes into the past, the rest is published now. */
    async importBatch(projectId: string, turns: readonly TimedTurn[]): Promise<ImportResult> {
      const [row] = await database.query<{
        ids: readonly string[]
        first_id: string | null
        last_id: string | null
        backfilled: number
        problem: string | null
      }>('select * from import_conversations($1, $2)', [projectId, JSON.stringify(turns)])
      if (row === undefined) throw new Error('nothing was imported')
      if (row.problem !== null) throw new Problem('conflict', row.problem, { param: 'timestamp' })
      return {
        ids: row.ids,
        firstId: row.first_id,
        lastId: row.last_id,
        backfilled: row.backfilled,
      }
    },

    /** The newest imports into the past. */
    async backfills(projectId: string): Promise<readonly BackfillRow[]> {
      return database.transaction(async (client) => {
        await client.query(`select set_config('octavo.project_id', $1, true)`, [projectId])
        const { rows } = await client.query<BackfillRow>(
          `select at, first_id, last_id, conversation_count
             from backfill where project_id = $1 order by id desc limit $2`,
          [projectId, BACKFILLS_LISTED_MAX],
        )
        return rows
      })
    },

    async accept(projectId: string, turn: AcceptedTurn): Promise<void> {
      await database.transaction(async (client) => {
        await client.query(`select set_config('octavo.project_id', $1, true)`, [projectId])
        await client.query(
          `insert into turn (project_id, turn_id, query, thread_id, page_url, reader)
           values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
          [
            projectId,
            turn.turnId,
            turn.query,
            turn.threadId ?? null,
            turn.pageUrl ?? null,
            turn.reader ?? null,
          ],
        )
      })
    },

    /** Publishes turns that nobody finished, as unanswered. An accepted question is never lost. */
    async reap(olderThanMs: number): Promise<number> {
      const stuck = await database.query<StuckTurn>('select * from stuck_turns($1)', [olderThanMs])
      for (const turn of stuck) {
        await database.query(
          `select publish_conversation($1, $2, $3, '', '[]', 'unanswered', null, $4, $5, $6)`,
          [turn.project_id, turn.turn_id, turn.query, turn.thread_id, turn.page_url, turn.reader],
        )
      }
      return stuck.length
    },

    async remove(
      projectId: string,
      by: { readonly id: string } | { readonly reader: string },
    ): Promise<number> {
      return database.transaction(async (client) => {
        await client.query(`select set_config('octavo.project_id', $1, true)`, [projectId])
        const [column, value] = 'id' in by ? ['id', by.id] : ['reader', by.reader]
        const turnColumn = column === 'id' ? 'conversation_id' : 'reader'
        await client.query(
          `update turn set query = '', reader = null, page_url = null where project_id = $1 and ${turnColumn} = $2`,
          [projectId, value],
        )
        const { rowCount } = await client.query(
          `delete from conversation where project_id = $1 and ${column} = $2`,
          [projectId, value],
        )
        return rowCount ?? 0
      })
    },
  }
}
export type ConversationStore = ReturnType<typeof createConversationStore>

const BACKFILLS_LISTED_MAX = 1_000

export type BackfillRow = {
  readonly at: Date
  readonly first_id: string
  readonly last_id: string
  readonly conversation_count: number
}

type StuckTurn = {
  readonly project_id: string
  readonly turn_id: string
  readonly query: string
  readonly thread_id: string | null
  readonly page_url: string | null
  readonly reader: string | null
}

export type TimedTurn = ImportedConversation & { readonly atMs: number | null }
export type AcceptedTurn = {
  readonly turnId: string
  readonly query: string
  readonly threadId?: string
  readonly pageUrl?: string
  readonly reader?: string
}
export type ImportResult = {
  readonly ids: readonly string[]
  readonly firstId: string | null
  readonly lastId: string | null
  readonly backfilled: number
}

function turnValues(turn: ImportedConversation): readonly unknown[] {
  return [
    turn.turnId,
    turn.query,
    turn.response,
    JSON.stringify(turn.sources),
    turn.resolutionStatus,
    turn.queryCategory ?? null,
    turn.threadId ?? null,
    turn.pageUrl ?? null,
  ]
}

/** A window of time as a window of ids. */
export function windowOf(times: {
  readonly fromMs: number | undefined
  readonly toMs: number | undefined
  readonly cursor: string | undefined
  readonly nowMs: number
}): PageWindow {
  const { fromMs, toMs, cursor, nowMs } = times
  return {
    after: cursor ?? '',
    from: fromMs === undefined ? '' : ulidFloor(fromMs),
    to: toMs === undefined ? ULID_END_OF_TIME : ulidFloor(toMs),
    sealMs: toMs !== undefined && toMs <= nowMs ? toMs : null,
  }
}

/** Above every id. */
const ULID_END_OF_TIME = '8'
