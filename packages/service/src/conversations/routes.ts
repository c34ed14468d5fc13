import { z } from 'zod'
import {
  BackfillList,
  ConversationPage,
  ImportBody,
  ImportReply,
  LIMIT_DEFAULT,
  LIMIT_MAX,
} from '../contract.ts'
import { Problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { parseInstant } from './instant.ts'
import { type ConversationStore, type PageWindow, windowOf } from './store.ts'
import { CSV, NDJSON, streamConversations } from './stream-conversations.ts'
import { parseUlid } from './ulid.ts'

const JSON_FORMAT = 'application/json'

/** A date parameter as milliseconds. */
const dateParam = z.string().transform((text, context) => {
  const ms = parseInstant(text)
  if (ms !== undefined) return ms
  context.addIssue({
    code: 'custom',
    message:
      'Expected a day such as 2026-01-31, or an instant with an offset such as 2026-01-31T12:00:00Z, from 1970 on.',
  })
  return z.NEVER
})

const limitParam = z
  .string()
  .regex(/^(?:[1-9]\d{0,2}|1000)$/, `Expected a whole number from 1 to ${LIMIT_MAX}.`)
  .transform(Number)

const cursorParam = z.string().transform((text, context) => {
  const id = parseUlid(text)
  if (id !== undefined) return id
  context.addIssue({ code: 'custom', message: 'Expected the `nextCursor` of an earlier response.' })
  return z.NEVER
})

/** The whole rule of the endpoint, in one value. */
const ConversationsQuery = z.object({
  dateFrom: dateParam.optional().meta({
    description: 'Lower bound, inclusive: `YYYY-MM-DD` (midnight UTC) or ISO 8601 with an offset.',
  }),
  dateTo: dateParam
    .optional()
    .meta({ description: 'Upper bound, exclusive: results are before, not on, this date.' }),
  limit: limitParam
    .default(LIMIT_DEFAULT)
    .meta({ description: `Conversations on a page, 1 to ${LIMIT_MAX}.` }),
  cursor: cursorParam
    .optional()
    .meta({ description: '`nextCursor` of the previous page (a ULID).' }),
})

const PATH = '/v1/analytics/:projectId/assistant'

export type ConversationRouteDeps = {
  readonly conversations: ConversationStore
  readonly now: () => number
  readonly onBrokenStream: (error: unknown) => void
}

export function conversationRoutes(deps: ConversationRouteDeps): readonly Route[] {
  const { conversations, now } = deps

  function windowFor(query: z.output<typeof ConversationsQuery>): PageWindow {
    const { dateFrom: fromMs, dateTo: toMs, cursor } = query
    if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
      throw new Problem('invalid-request', '`dateFrom` is after `dateTo`.', { param: 'dateFrom' })
    }
    return windowOf({ fromMs, toMs, cursor, nowMs: now() })
  }

  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      summary: 'Get assistant conversations',
      description:
        'The conversations of a project in the order of their ids. Every page is a prefix of what was recorded; a window whose end has passed is final once `hasMore` is false. The only exception is a backfill, which is listed with its range. Ask for NDJSON or CSV to stream the whole range.',
      scope: 'analytics:read',
      query: ConversationsQuery,
      reply: ConversationPage,
      formats: [JSON_FORMAT, NDJSON, CSV],
      async handle({ caller, query, format }) {
        const window = windowFor(query)
        if (format !== JSON_FORMAT) {
          const page = (after: string, limit: number, separator: string) =>
            conversations.pageBytes(caller.projectId, { ...window, after }, limit, separator)
          const onBroken = deps.onBrokenStream
          return streamConversations({ page, after: window.after, format, onBroken })
        }
        const page = await conversations.pageBytes(caller.projectId, window, query.limit)
        const nextCursor = page.hasMore && page.lastId !== undefined ? `"${page.lastId}"` : 'null'
        // The rows come as JSON from the database; parsing them here would only cost time.
        const body = Buffer.concat([
          Buffer.from('{"conversations":['),
          page.rows,
          Buffer.from(`],"nextCursor":${nextCursor},"hasMore":${page.hasMore}}`),
        ])
        return new Response(body, { headers: { 'content-type': JSON_FORMAT } })
      },
    }),

    defineRoute({
      method: 'POST',
      path: PATH,
      summary: 'Import conversations',
      description:
        'Records conversations of another assistant. Idempotent by `turnId`. Without `timestamp` a conversation is recorded now. With one it is history: it must be older than the newest conversation of the project, and the range written is answered and listed.',
      scope: 'analytics:write',
      query: z.object({}),
      body: ImportBody,
      reply: ImportReply,
      formats: [JSON_FORMAT],
      async handle({ caller, body }) {
        const turns = body.conversations.map((turn, index) => {
          const atMs = turn.timestamp === undefined ? null : parseInstant(turn.timestamp)
          if (atMs !== undefined) return { ...turn, atMs }
          throw new Problem('invalid-request', 'Expected an instant with an offset.', {
            param: `conversations.${index}.timestamp`,
          })
        })
        const { ids, firstId, lastId, backfilled } = await conversations.importBatch(
          caller.projectId,
          turns,
        )
        const backfill =
          firstId === null || lastId === null
            ? {}
            : { backfill: { firstId, lastId, count: backfilled } }
        return Response.json(ImportReply.parse({ ids, ...backfill }))
      },
    }),

    defineRoute({
      method: 'GET',
      path: `${PATH}/backfills`,
      summary: 'List backfills',
      description:
        'The newest imports of history with the range of ids each wrote. An incremental client reads these ranges again.',
      scope: 'analytics:read',
      query: z.object({}),
      reply: BackfillList,
      formats: [JSON_FORMAT],
      async handle({ caller }) {
        const rows = await conversations.backfills(caller.projectId)
        const backfills = rows.map((row) => ({
          at: row.at.toISOString(),
          firstId: row.first_id,
          lastId: row.last_id,
          count: row.conversation_count,
        }))
        return Response.json(BackfillList.parse({ backfills }))
      },
    }),

    defineRoute({
      method: 'DELETE',
      path: `${PATH}/:conversationId`,
      summary: 'Delete a conversation',
      description:
        'Removes one conversation for good, for example at the request of the reader who asked.',
      scope: 'analytics:write',
      query: z.object({}),
      formats: [JSON_FORMAT],
      async handle({ caller, params }) {
        const id = parseUlid(params.conversationId ?? '')
        const removed = id === undefined ? 0 : await conversations.remove(caller.projectId, { id })
        if (removed === 0) throw new Problem('not-found', 'There is no such conversation.')
        return new Response(null, { status: 204 })
      },
    }),
  ]
}
