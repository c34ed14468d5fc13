import { ConversationList, FEEDBACKS } from '@octavo/contract'
import { z } from 'zod'
import type { Tenant } from '../../platform/database/database.ts'
import {
  checkDates,
  cursorParam,
  dateParam,
  JSON_FORMAT,
  ProjectParams,
  pageQuery,
} from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { CSV, NDJSON } from '../../platform/http/stream-lines.ts'
import { ulidMs } from '../../platform/ulid.ts'
import {
  type ConversationListOptions,
  type ConversationListStore,
  type ListDays,
  SCANNED_MAX,
} from './list-store.ts'
import { type RawPage, windowOf } from './store.ts'
import { sendPage, streamConversations } from './stream-conversations.ts'

const TEXT_LENGTH = { min: 2, max: 200 }

const storable = (text: string) => !text.includes('\0')
const filterText = (min: number) =>
  z
    .string()
    .min(min, { error: `Expected at least ${min} characters.` })
    .max(TEXT_LENGTH.max)
    .refine(storable, { error: 'Expected text without zero bytes.' })
    .optional()

const ListQuery = z.object({
  dateFrom: dateParam.optional().meta({
    description: 'Lower bound, inclusive: `YYYY-MM-DD` (midnight UTC) or an ISO 8601 timestamp.',
    examples: ['2026-01-31'],
  }),
  dateTo: dateParam.optional().meta({
    description: 'Upper bound, exclusive: results are before, not on, this date.',
    examples: ['2026-02-28'],
  }),
  resolutionStatus: z.enum(['answered', 'unanswered']).optional().meta({
    description: 'Only conversations with this status.',
  }),
  queryCategory: filterText(1).meta({
    description: 'Only this kind of question.',
    examples: ['how-to'],
  }),
  feedback: z.enum(FEEDBACKS).optional().meta({
    description: "The reader's feedback on the answer; `none` for conversations without feedback.",
  }),
  text: filterText(TEXT_LENGTH.min).meta({
    description: 'Part of the question or the answer; case-insensitive.',
    examples: ['cactus'],
  }),
  cursor: cursorParam.optional().meta({ description: '`nextCursor` of the previous page.' }),
  limit: pageQuery('Conversations').limit,
})

export type ListRouteDeps = {
  readonly listOf: (tenant: Tenant) => ConversationListStore
  readonly now: () => number
  readonly onBrokenStream: (error: unknown) => void
}

export function conversationListRoutes(deps: ListRouteDeps): readonly Route[] {
  const { listOf, now, onBrokenStream } = deps
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/projects/:projectId/conversations',
      tag: 'Analytics',
      summary: 'Find conversations',
      description: `Conversations of a project, newest first, for searching. To copy all conversations, use the export. One request reads at most ${SCANNED_MAX.toLocaleString('en')} conversations that match the status, category and feedback. If few of these match the other filters, a page can be short or empty and still have a \`nextCursor\`; \`searchedTo\` says how far the request searched. Request NDJSON or CSV to stream everything that matches the filters.`,
      caller: { kind: 'adminKey', scope: 'analytics:read' },
      params: ProjectParams,
      query: ListQuery,
      reply: ConversationList,
      formats: [JSON_FORMAT, NDJSON, CSV],
      exportAction: 'conversations.export',
      async handle({ caller, query, format }) {
        const { dateFrom: fromMs, dateTo: toMs, cursor, limit, ...filter } = query
        checkDates({ fromMs, toMs }, 'dateFrom')
        const { resolutionStatus, queryCategory, feedback, text } = filter
        const options = {
          window: windowOf({ fromMs, toMs, cursor: undefined, nowMs: now() }),
          filter: { resolutionStatus, queryCategory, feedback, text },
        }
        const list = listOf(caller.tenant)
        if (format !== JSON_FORMAT) {
          const page = (before: string, batch: number, separator: string) =>
            nextRows(list, { ...options, before: before || undefined, limit: batch, separator })
          return streamConversations({
            page,
            after: cursor ?? '',
            format,
            hasFeedback: true,
            onBroken: onBrokenStream,
          })
        }
        const length = Math.max(1, limit)
        const page = await list.page({ ...options, before: cursor, limit: length })
        const days = daysOf(fromMs, toMs)
        const { total = null, retentionDays } = await list.facts({ filter: options.filter, days })
        const searchedTo = page.hasMore && page.count < length ? timeOf(page.lastId) : null
        const more = JSON.stringify({ total, searchedTo, retentionDays })
        return sendPage(page, `,${more.slice(1, -1)}`)
      },
    }),
  ]
}

const DAY_MS = 86_400_000

/** Returns the bounds as whole days; undefined if a bound is not at midnight. */
function daysOf(fromMs: number | undefined, toMs: number | undefined): ListDays | undefined {
  if ([fromMs, toMs].some((ms) => ms !== undefined && ms % DAY_MS !== 0)) return undefined
  const dayOf = (ms: number | undefined) =>
    ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 10)
  return { from: dayOf(fromMs), to: dayOf(toMs) }
}

const timeOf = (id: string | undefined) =>
  id === undefined ? null : new Date(ulidMs(id)).toISOString()

/** Returns the next page that is not empty, or the last page. */
async function nextRows(
  list: ConversationListStore,
  options: ConversationListOptions,
): Promise<RawPage<Buffer>> {
  let page = await list.page(options)
  while (page.count === 0 && page.hasMore && page.lastId !== undefined)
    page = await list.page({ ...options, before: page.lastId })
  return page
}
