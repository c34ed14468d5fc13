import {
  BackfillList,
  ConversationPage,
  IMPORTS_PER_HOUR,
  ImportBody,
  type ImportedConversation,
  ImportReply,
  LIMIT_DEFAULT,
  LIMIT_MAX,
} from '@octavo/contract'
import { z } from 'zod'
import type { Tenant } from '../../platform/database/database.ts'
import { parseInstant } from '../../platform/http/instant.ts'
import { checkDates, cursorParam, dateParam, JSON_FORMAT } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { CSV, NDJSON } from '../../platform/http/stream-lines.ts'
import { Problem } from '../../platform/problem.ts'
import { conversationParam } from './details-routes.ts'
import { type ConversationStore, type PageWindow, type TimedTurn, windowOf } from './store.ts'
import { sendPage, streamConversations } from './stream-conversations.ts'

/** A number in a query string, where it is text. The API description declares a number. */
const limitParam = z
  .string()
  .refine((text) => /^(?:[1-9]\d{0,2}|1000)$/.test(text), {
    message: `Expected a whole number from 1 to ${LIMIT_MAX}.`,
  })
  .transform(Number)

/** Validates all parameters of the export. */
const ConversationsQuery = z.object({
  dateFrom: dateParam.optional().meta({
    description:
      'Lower bound, inclusive: `YYYY-MM-DD` (midnight UTC) or an ISO 8601 timestamp; without an offset, it is in UTC.',
    examples: ['2026-01-31'],
  }),
  dateTo: dateParam.optional().meta({
    description: 'Upper bound, exclusive: results are before, not on, this date.',
    examples: ['2026-02-28T12:00:00Z'],
  }),
  limit: limitParam.default(LIMIT_DEFAULT).meta({
    description: `Conversations per page, 1 to ${LIMIT_MAX}. A page ends after 8 MB, which means that it has fewer conversations if their answers are long.`,
    type: 'integer',
    minimum: 1,
    maximum: LIMIT_MAX,
    default: LIMIT_DEFAULT,
  }),
  cursor: cursorParam
    .optional()
    .meta({ description: '`nextCursor` of the previous page (a ULID).' }),
})

const PATH = '/v1/analytics/:projectId/assistant'

const ProjectParams = z.object({
  projectId: z.string().meta({
    description: 'The id of the project that the key belongs to.',
    examples: ['prj_5kbu4k41mpelzrqs'],
  }),
})
const ConversationParams = ProjectParams.extend({ conversationId: conversationParam })

/** Properties that all routes in this file share. */
const SHARED = { tag: 'Analytics', params: ProjectParams }
const READ = { kind: 'adminKey', scope: 'analytics:read' } as const
const WRITE = { kind: 'adminKey', scope: 'analytics:write' } as const

export type ConversationRouteDeps = {
  readonly conversationsOf: (tenant: Tenant) => ConversationStore
  readonly now: () => number
  readonly onBrokenStream: (error: unknown) => void
}

export const conversationRoutes = (deps: ConversationRouteDeps): readonly Route[] => [
  exportConversations(deps),
  importConversations(deps),
  listBackfills(deps),
  deleteConversation(deps),
]

const exportConversations = ({ conversationsOf, now, onBrokenStream }: ConversationRouteDeps) =>
  defineRoute({
    ...SHARED,
    method: 'GET',
    path: PATH,
    summary: 'Get assistant conversations',
    description:
      'The conversations of a project, ordered by id. A page never skips a recorded conversation; a time range that has ended is complete once `hasMore` is false. The only exception is a backfill, which is listed with its range. Request NDJSON or CSV to stream the whole range.',
    caller: READ,
    query: ConversationsQuery,
    reply: ConversationPage,
    formats: [JSON_FORMAT, NDJSON, CSV],
    exportAction: 'conversations.export',
    async handle({ caller, query, format }) {
      const window = windowFor(query, now())
      const conversations = conversationsOf(caller.tenant)
      if (format !== JSON_FORMAT) {
        const page = (after: string, limit: number, separator: string) =>
          conversations.pageBytes({ ...window, after }, limit, separator)
        return streamConversations({ page, after: window.after, format, onBroken: onBrokenStream })
      }
      const page = await conversations.pageBytes(window, query.limit)
      return sendPage(page, `,"hasMore":${page.hasMore}`)
    },
  })

function windowFor(query: z.output<typeof ConversationsQuery>, nowMs: number): PageWindow {
  const { dateFrom: fromMs, dateTo: toMs, cursor } = query
  checkDates({ fromMs, toMs }, 'dateFrom')
  return windowOf({ fromMs, toMs, cursor, nowMs })
}

const importConversations = ({ conversationsOf }: ConversationRouteDeps) =>
  defineRoute({
    ...SHARED,
    method: 'POST',
    path: PATH,
    summary: 'Import conversations',
    description:
      'Records conversations of another assistant. Idempotent by `questionId`. Without a `timestamp`, a conversation is recorded with the current time. With a `timestamp`, it is added to the history: the timestamp must be older than the newest conversation of the project, and the response and the list of backfills contain the range of the added ids. Unanswered conversations become gaps. Also accepts the lines of an NDJSON export: their `id` is used as the `questionId`, and ratings from readers are not imported.',
    caller: WRITE,
    body: ImportBody,
    fromLines: (rows) => ({ conversations: rows.map(readExported) }),
    limit: { action: 'import', perHour: IMPORTS_PER_HOUR },
    reply: ImportReply,
    async handle({ caller, body, audit }) {
      const turns = body.conversations.map(readTime)
      const { ids, firstId, lastId, backfilled, problem } = await conversationsOf(
        caller.tenant,
      ).importBatch(turns)
      if (problem !== null) throw new Problem('conflict', problem, { param: 'timestamp' })
      await audit({ action: 'conversations.import', after: { count: ids.length } })
      const backfill =
        firstId === null || lastId === null
          ? {}
          : { backfill: { firstId, lastId, count: backfilled } }
      return { ids: [...ids], ...backfill }
    },
  })

/**
 * Converts a line of an export into a conversation to import. Other values are returned unchanged,
 * so that the schema rejects them.
 */
function readExported(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || !('id' in row)) return row
  const { id, feedback: _, ...rest }: { id: unknown; feedback?: unknown } = row
  return { questionId: id, ...rest }
}

function readTime(turn: ImportedConversation, index: number): TimedTurn {
  const atMs = turn.timestamp === undefined ? null : parseInstant(turn.timestamp)
  if (atMs !== undefined) return { ...turn, atMs }
  throw new Problem('invalid-request', 'Expected a timestamp such as 2026-01-31T12:00:00Z.', {
    param: `conversations.${index}.timestamp`,
  })
}

const listBackfills = ({ conversationsOf }: ConversationRouteDeps) =>
  defineRoute({
    ...SHARED,
    method: 'GET',
    path: `${PATH}/backfills`,
    summary: 'List backfills',
    description:
      'The newest imports of history, each with the range of ids that it added. An incremental client must read these ranges again.',
    caller: READ,
    reply: BackfillList,
    async handle({ caller }) {
      const rows = await conversationsOf(caller.tenant).backfills()
      const backfills = rows.map((row) => ({
        at: row.at.toISOString(),
        firstId: row.first_id,
        lastId: row.last_id,
        count: row.conversation_count,
      }))
      return { backfills }
    },
  })

const deleteConversation = ({ conversationsOf }: ConversationRouteDeps) =>
  defineRoute({
    ...SHARED,
    method: 'DELETE',
    path: `${PATH}/:conversationId`,
    summary: 'Delete a conversation',
    description: 'Permanently deletes one conversation, for example at the request of the reader.',
    caller: WRITE,
    params: ConversationParams,
    async handle({ caller, params, audit }) {
      const id = params.conversationId
      const removed = await conversationsOf(caller.tenant).erase({ id })
      if (removed === 0) throw new Problem('not-found', 'The conversation does not exist.')
      await audit({ action: 'conversation.delete', object: `conversation ${id}` })
      return undefined
    },
  })
