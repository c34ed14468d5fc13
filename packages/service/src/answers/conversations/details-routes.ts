import {
  CategoryList,
  ConversationDetailsList,
  UNANSWERED_REASONS,
  WholeConversation,
} from '@octavo/contract'
import { z } from 'zod'
import type { Tenant } from '../../platform/database/database.ts'
import { ProjectParams, pageQuery, ulidParam } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import type { DetailsStore } from './details-store.ts'

const TAG = 'Analytics'
const PATH = '/v1/projects/:projectId/conversations'
const OWNER_READ = { kind: 'adminKey', scope: 'analytics:read' } as const

export const conversationParam = ulidParam('The conversation does not exist.').meta({
  description: 'The id of a conversation, a ULID.',
  examples: ['01KG9YS7G0CPZHN1J3EKWGC1Y1'],
})
const ConversationParams = ProjectParams.extend({ conversationId: conversationParam })

export function conversationDetailsRoutes(
  detailsOf: (tenant: Tenant) => DetailsStore,
): readonly Route[] {
  const page = pageQuery('Conversations')
  return [
    defineRoute({
      method: 'GET',
      path: `${PATH}/details`,
      tag: TAG,
      summary: 'List details of conversations',
      description:
        'Details of conversations, newest first: the reason if there is no answer, sources, cost and reader feedback.',
      caller: OWNER_READ,
      params: ProjectParams,
      query: z.object({
        cursor: page.cursor,
        reason: z
          .enum(UNANSWERED_REASONS)
          .optional()
          .meta({ description: 'Only conversations that are unanswered for this reason.' }),
        feedback: z
          .enum(['helpful', 'unhelpful', 'any'])
          .optional()
          .meta({ description: 'Only conversations with feedback of this kind.' }),
        limit: page.limit,
      }),
      reply: ConversationDetailsList,
      async handle({ caller, query: { cursor, reason, feedback, limit } }) {
        const length = Math.max(1, limit)
        const selection = { before: cursor, reason, feedback, limit: length + 1 }
        const found = await detailsOf(caller.tenant).list(selection)
        const conversations = found.slice(0, length)
        const last = found.length > length ? conversations.at(-1) : undefined
        return { conversations, nextCursor: last?.id ?? null }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/categories`,
      tag: TAG,
      summary: 'List categories of conversations',
      description: 'The kinds of questions in the conversations of a project.',
      caller: OWNER_READ,
      params: ProjectParams,
      reply: CategoryList,
      handle: async ({ caller }) => ({
        categories: [...(await detailsOf(caller.tenant).categories())],
      }),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:conversationId`,
      tag: TAG,
      summary: 'Get a conversation',
      description:
        'A conversation in the format of the export, with its details: the reason if there is no answer, sources, cost and reader feedback.',
      caller: OWNER_READ,
      params: ConversationParams,
      reply: WholeConversation,
      async handle({ caller, params }) {
        const found = await detailsOf(caller.tenant).find(params.conversationId)
        if (found === undefined) throw new Problem('not-found', 'The conversation does not exist.')
        return found
      },
    }),
  ]
}
