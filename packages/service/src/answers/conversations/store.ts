import type { ImportedConversation } from '@octavo/contract'
import type { RowBytes } from '../../platform/database/call-function.ts'
import type { Database, ProjectDatabase } from '../../platform/database/database.ts'
import type { ReplicaReader } from '../../platform/database/replica.ts'
import { ulidFloor } from '../../platform/ulid.ts'

/**
 * The bounds of a page. Dates and cursors are both converted to ids, so that they can be compared.
 */
export type PageWindow = {
  /** Selects only rows after this id; empty for the first page. */
  readonly after: string
  /** Selects only rows with this id or a later one. */
  readonly from: string
  /** Selects only rows before this id. */
  readonly to: string
  /**
   * The end of a range in the past, in milliseconds. After its last page was read, no rows can be
   * added to the range.
   */
  readonly sealMs: number | null
}

/** A page as the database returns it. `rows` contains JSON objects, joined with the separator. */
export type RawPage<Rows = string> = {
  readonly rows: Rows
  readonly count: number
  readonly lastId: string | undefined
  readonly hasMore: boolean
}

/**
 * Contains all SQL about the conversations of one project. Pages are read from the replica if there
 * is one.
 */
export class ConversationStore {
  readonly #database: ProjectDatabase
  readonly #readReplica: ReplicaReader | undefined

  constructor(database: ProjectDatabase, readReplica?: ReplicaReader | undefined) {
    this.#database = database
    this.#readReplica = readReplica
  }

  /**
   * Returns a page in the order of ids. If it is the last page, first waits until all answers that
   * are being published are stored.
   */
  async page(window: PageWindow, limit: number, separator = ','): Promise<RawPage> {
    const page = await this.pageBytes(window, limit, separator)
    return { ...page, rows: page.rows.toString() }
  }

  /** Returns a page as UTF-8 bytes that can be sent unchanged. */
  async pageBytes(window: PageWindow, limit: number, separator = ','): Promise<RawPage<Buffer>> {
    const args = [window.after, window.from, window.to, limit, separator]
    const read = async (from: ProjectDatabase) =>
      parsePage(await from.call('conversations_page', args))
    const page = (await this.#readReplica?.(read)) ?? (await read(this.#database))
    if (page.hasMore) return page
    // On the last page, wait for answers that are being published, and then read the page again.
    const [row] = await this.#database.query<{ lsn: string }>(
      'select fence_conversations($1) as lsn',
      [window.sealMs],
    )
    return (await this.#readReplica?.(read, row?.lsn)) ?? read(this.#database)
  }

  /** Stores a question that a reader has just asked. Returns its id. */
  async accept({ query, threadId, pageUrl, reader }: AcceptedTurn): Promise<string> {
    const values = [query, threadId ?? null, pageUrl ?? null, reader ?? null]
    const [row] = await this.#database.query<{ id: string }>(
      'select accept_question($1, $2, $3, $4) as id',
      values,
    )
    if (row === undefined) throw new Error('the question was not stored')
    return row.id
  }

  /**
   * Records the answer to a question. Can be repeated. Returns undefined if the question does not
   * exist. Needs only one round trip, so that the project's lock is not held while waiting for the
   * network.
   */
  async publish(questionId: string, answer: Answer): Promise<string | undefined> {
    const { response, sources, resolutionStatus, queryCategory = null } = answer
    const args = [questionId, response, JSON.stringify(sources), resolutionStatus, queryCategory]
    const [id] = await this.#database.call('publish_question', args)
    return id?.toString()
  }

  /**
   * Records a batch of conversations. Those with a timestamp become history, and the others are
   * recorded as new.
   */
  async importBatch(turns: readonly TimedTurn[]) {
    const [row] = await this.#database.query<{
      ids: readonly string[]
      first_id: string | null
      last_id: string | null
      backfilled: number
      /** Why nothing was imported; null if the import succeeded. */
      problem: string | null
    }>('select * from import_conversations($1)', [JSON.stringify(turns)])
    if (row === undefined) throw new Error('nothing was imported')
    const { ids, backfilled, problem } = row
    return { ids, firstId: row.first_id, lastId: row.last_id, backfilled, problem }
  }

  /** Returns the newest imports that added history. */
  backfills(): Promise<readonly BackfillRow[]> {
    return this.#database.query<BackfillRow>(
      `select at, first_id, last_id, conversation_count
         from backfill where project_id = current_project() order by id desc limit $1`,
      [BACKFILLS_LISTED_MAX],
    )
  }

  /** Permanently deletes one conversation, or all by one reader. Returns how many were deleted. */
  async erase(by: { readonly id: string } | { readonly reader: string }): Promise<number> {
    const [row] = await this.#database.query<{ erased: number }>(
      'select erase_conversations($1, $2) as erased',
      'id' in by ? [by.id, null] : [null, by.reader],
    )
    return row?.erased ?? 0
  }
}

/** Parses a page that a database function returned. */
export function parsePage([rows, count, lastId, hasMore]: RowBytes): RawPage<Buffer> {
  if (!count || !hasMore) throw new Error('no page')
  return {
    rows: rows ?? Buffer.alloc(0),
    count: count.readInt32BE(),
    lastId: lastId?.toString(),
    hasMore: hasMore.readUInt8() === 1,
  }
}

/**
 * Deletes conversations that are older than the retention of their project. Returns how many were
 * deleted.
 */
export async function expireConversations(
  database: Database,
  signal: AbortSignal,
): Promise<number> {
  let expired = 0
  let after = '0'
  while (!signal.aborted) {
    const projects = await database.query<{ organization_id: string; project_id: string }>(
      'select * from find_expired_projects($1, $2)',
      [after, EXPIRE_BATCH_SIZE],
    )
    for (const { organization_id, project_id } of projects) {
      const bound = database.forProject({ organizationId: organization_id, projectId: project_id })
      let count = EXPIRE_BATCH_SIZE
      while (count === EXPIRE_BATCH_SIZE && !signal.aborted) {
        const [row] = await bound.query<{ count: number }>(
          'select expire_conversations($1) as count',
          [EXPIRE_BATCH_SIZE],
        )
        count = row?.count ?? 0
        expired += count
      }
    }
    const last = projects.at(-1)
    if (last === undefined || projects.length < EXPIRE_BATCH_SIZE) break
    after = last.project_id
  }
  return expired
}

/** Publishes abandoned questions as unanswered, so that no accepted question is lost. */
export async function publishOpenTurns(database: Database, beforeMs: number): Promise<number> {
  const open = await database.query<OpenTurn>('select * from find_open_questions($1, $2)', [
    ulidFloor(Math.max(0, beforeMs)),
    OPEN_TURNS_MAX,
  ])
  for (const { organization_id, project_id, question_id } of open) {
    const tenant = { organizationId: organization_id, projectId: project_id }
    const conversations = new ConversationStore(database.forProject(tenant))
    await conversations.publish(question_id, {
      response: '',
      sources: [],
      resolutionStatus: 'unanswered',
    })
  }
  return open.length
}

const BACKFILLS_LISTED_MAX = 1_000
const OPEN_TURNS_MAX = 500
/** A small batch, so that locks are held only for a short time. */
const EXPIRE_BATCH_SIZE = 500

type OpenTurn = {
  readonly organization_id: string
  readonly project_id: string
  readonly question_id: string
}

export type BackfillRow = {
  readonly at: Date
  readonly first_id: string
  readonly last_id: string
  readonly conversation_count: number
}

export type Answer = Pick<
  ImportedConversation,
  'response' | 'sources' | 'resolutionStatus' | 'queryCategory'
>
export type TimedTurn = ImportedConversation & { readonly atMs: number | null }
export type AcceptedTurn = {
  readonly query: string
  readonly threadId?: string
  readonly pageUrl?: string
  readonly reader?: string
}
/** Converts times and a cursor to the bounds of a page. */
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

/** A string that is greater than every id. */
export const ULID_END_OF_TIME = '8'
