import {
  FEEDBACK_SORTS,
  FEEDBACK_SOURCES,
  FEEDBACK_STATES,
  Feedback,
  FeedbackBody,
  FeedbackList,
  FeedbackSummary,
  PageFeedbackList,
} from '@octavo/contract'
import { z } from 'zod'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { cursorParam, ProjectParams, ulidParam, wholeNumber } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import { createFeedbackStore, type FeedbackFilter, type FeedbackRow } from './feedback-store.ts'
import { cursor, cutPage, Dates, limitOf, PATH, periodOf, TAG } from './list-params.ts'

const READ = { kind: 'adminKey', scope: 'feedback:read' } as const
const WRITE = { kind: 'adminKey', scope: 'feedback:write' } as const
const TEXT_LENGTH_MAX = 200
const VOTES_MIN_MAX = 1_000_000
const flag = (description: string) =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({ description })
const FILTER = {
  source: z.enum(FEEDBACK_SOURCES).optional().meta({ description: 'Only from this source.' }),
  status: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(FEEDBACK_STATES)))
    .optional()
    .meta({ description: 'Only in these states, separated by commas.', examples: ['pending'] }),
  helpful: flag('Only votes that the page helped, or only votes that it did not help.'),
  commented: flag(
    'With `true`, only feedback with a comment or code; votes without either are omitted.',
  ),
  text: z.string().min(1).max(TEXT_LENGTH_MAX).optional().meta({
    description: 'Only feedback whose comment or path contains this text.',
  }),
}
const FeedbackParams = ProjectParams.extend({
  feedbackId: ulidParam('This feedback does not exist.').meta({
    description: 'The id of a feedback entry.',
    examples: ['01KG9YS7G0CPZHN1J3EKWGC1Y1'],
  }),
})

type FeedbackRouteDeps = { readonly database: Database; readonly now: () => number }

export function feedbackRoutes(deps: FeedbackRouteDeps): readonly Route[] {
  return [
    listFeedback(deps),
    countByPage(deps),
    summarize(deps),
    changeFeedback(deps),
    deleteFeedback(deps),
  ]
}

const feedbackOf = ({ database }: FeedbackRouteDeps, tenant: Tenant) =>
  createFeedbackStore(database.forProject(tenant))

const filterOf = (
  { now }: FeedbackRouteDeps,
  query: {
    readonly dateFrom?: number | undefined
    readonly dateTo?: number | undefined
    readonly source?: FeedbackFilter['source']
    readonly status?: FeedbackFilter['states']
    readonly helpful?: boolean | undefined
    readonly commented?: boolean | undefined
    readonly text?: string | undefined
  },
): FeedbackFilter => ({
  // The period is not limited, because feedback is stored until it is deleted.
  ...periodOf({ dateFrom: query.dateFrom, dateTo: query.dateTo }, now(), Number.POSITIVE_INFINITY),
  source: query.source,
  states: query.status,
  helpful: query.helpful,
  isCommented: query.commented,
  text: query.text,
})

const listFeedback = (deps: FeedbackRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/feedback`,
    tag: TAG,
    summary: 'List feedback',
    description: 'Feedback from readers and agents on pages, newest first.',
    caller: READ,
    params: ProjectParams,
    query: Dates.extend({
      ...FILTER,
      limit: limitOf(100, 50),
      cursor: cursorParam.optional().meta({ description: '`nextCursor` of the previous page.' }),
    }),
    reply: FeedbackList,
    async handle({ caller, query }) {
      const page = { before: query.cursor, limit: query.limit + 1 }
      const store = feedbackOf(deps, caller.tenant)
      const filter = filterOf(deps, query)
      const rows = await store.list(filter, page)
      const counts = await store.counts(filter)
      const shown = rows.slice(0, query.limit)
      const hasMore = rows.length > query.limit
      const nextCursor = hasMore ? (shown.at(-1)?.id ?? null) : null
      return { feedback: shown.map(feedbackReply), counts, nextCursor, hasMore }
    },
  })

const countByPage = (deps: FeedbackRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/feedback/by-page`,
    tag: TAG,
    summary: 'Count feedback by page',
    description: 'Pages with the most feedback first, or the least helpful pages first.',
    caller: READ,
    params: ProjectParams,
    query: Dates.extend({
      ...FILTER,
      sort: z.enum(FEEDBACK_SORTS).default('total').meta({
        description:
          'With `least-helpful`, pages with the largest share of negative votes come first.',
      }),
      minVotes: wholeNumber(VOTES_MIN_MAX).default(0).meta({
        description: 'Only pages with at least this many votes.',
        type: 'integer',
      }),
      limit: limitOf(100, 10),
      cursor,
    }),
    reply: PageFeedbackList,
    async handle({ caller, query }) {
      const { cursor: after, limit, sort, minVotes: votesMin } = query
      const rows = await feedbackOf(deps, caller.tenant).byPage(filterOf(deps, query), {
        after,
        limit: limit + 1,
        sort,
        votesMin,
      })
      const { items, ...more } = cutPage(rows, limit, ({ rank, path }) => {
        return { total: rank, subject: path }
      })
      return { feedback: items.map(({ rank: _, ...page }) => page), ...more }
    },
  })

const summarize = (deps: FeedbackRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/feedback/summary`,
    tag: TAG,
    summary: 'Summarize feedback',
    description: 'Votes and comments in the period, and in the same number of days before it.',
    caller: READ,
    params: ProjectParams,
    query: Dates,
    reply: FeedbackSummary,
    async handle({ caller, query }) {
      const store = feedbackOf(deps, caller.tenant)
      const { from, to } = periodOf(query, deps.now())
      const before = new Date(2 * Date.parse(from) - Date.parse(to)).toISOString().slice(0, 10)
      return {
        ...(await store.totals({ from, to })),
        before: await store.totals({ from: before, to: from }),
      }
    },
  })

const changeFeedback = (deps: FeedbackRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/feedback/:feedbackId`,
    tag: TAG,
    summary: 'Change feedback',
    description: 'Sets the status of a feedback entry.',
    caller: WRITE,
    params: FeedbackParams,
    body: FeedbackBody,
    reply: Feedback,
    async handle({ caller, params, body, audit }) {
      const changed = await feedbackOf(deps, caller.tenant).setState(params.feedbackId, body.status)
      if (changed === undefined) throw new Problem('not-found', 'This feedback does not exist.')
      await audit({
        action: 'feedback.change',
        object: `feedback ${params.feedbackId}`,
        after: { status: body.status },
      })
      return feedbackReply(changed)
    },
  })

const deleteFeedback = (deps: FeedbackRouteDeps) =>
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/feedback/:feedbackId`,
    tag: TAG,
    summary: 'Delete feedback',
    description: 'Deletes the feedback permanently.',
    caller: WRITE,
    params: FeedbackParams,
    async handle({ caller, params, audit }) {
      const isGone = await feedbackOf(deps, caller.tenant).remove(params.feedbackId)
      if (!isGone) throw new Problem('not-found', 'This feedback does not exist.')
      await audit({ action: 'feedback.delete', object: `feedback ${params.feedbackId}` })
      return undefined
    },
  })

function feedbackReply(row: FeedbackRow): Feedback {
  const { id, path, source, status, created_at, ...rest } = row
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  return { id, path, source, status, createdAt: created_at.toISOString(), ...said }
}
