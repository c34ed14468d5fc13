import {
  FEEDBACK_SOURCES,
  FEEDBACK_STATES,
  Feedback,
  FeedbackBody,
  FeedbackList,
  PageFeedbackList,
} from '@octavo/contract'
import { z } from 'zod'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { cursorParam, ProjectParams, ulidParam } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import { createFeedbackStore, type FeedbackFilter, type FeedbackRow } from './feedback-store.ts'
import { cursor, cutPage, Dates, limitOf, PATH, periodOf, TAG } from './list-params.ts'

const READ = { kind: 'adminKey', scope: 'feedback:read' } as const
const WRITE = { kind: 'adminKey', scope: 'feedback:write' } as const
const FILTER = {
  source: z.enum(FEEDBACK_SOURCES).optional().meta({ description: 'Only from this source.' }),
  status: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(FEEDBACK_STATES)))
    .optional()
    .meta({ description: 'Only in these states, separated by commas.', examples: ['pending'] }),
}
const FeedbackParams = ProjectParams.extend({
  feedbackId: ulidParam('This feedback does not exist.').meta({
    description: 'The id of a feedback entry.',
    examples: ['01KG9YS7G0CPZHN1J3EKWGC1Y1'],
  }),
})

type FeedbackRouteDeps = { readonly database: Database; readonly now: () => number }

export function feedbackRoutes(deps: FeedbackRouteDeps): readonly Route[] {
  return [listFeedback(deps), countByPage(deps), changeFeedback(deps), deleteFeedback(deps)]
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
  },
): FeedbackFilter => ({
  ...periodOf({ dateFrom: query.dateFrom, dateTo: query.dateTo }, now()),
  source: query.source,
  states: query.status,
})

const listFeedback = (deps: FeedbackRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/feedback`,
    tag: TAG,
    summary: 'List feedback',
    description: 'Feedback of readers and agents on pages, newest first.',
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
      const rows = await feedbackOf(deps, caller.tenant).list(filterOf(deps, query), page)
      const shown = rows.slice(0, query.limit)
      const hasMore = rows.length > query.limit
      const nextCursor = hasMore ? (shown.at(-1)?.id ?? null) : null
      return { feedback: shown.map(feedbackReply), nextCursor, hasMore }
    },
  })

const countByPage = (deps: FeedbackRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/feedback/by-page`,
    tag: TAG,
    summary: 'Count feedback by page',
    description: 'Pages with the most feedback first.',
    caller: READ,
    params: ProjectParams,
    query: Dates.extend({ ...FILTER, limit: limitOf(100, 10), cursor }),
    reply: PageFeedbackList,
    async handle({ caller, query }) {
      const page = { after: query.cursor, limit: query.limit + 1 }
      const rows = await feedbackOf(deps, caller.tenant).byPage(filterOf(deps, query), page)
      const { items, ...more } = cutPage(rows, query.limit, ({ total, path }) => {
        return { total, subject: path }
      })
      return { feedback: items, ...more }
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
    description: 'For good.',
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
