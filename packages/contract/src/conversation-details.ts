/** API schemas for the details of a conversation. */
import { z } from 'zod'
import { Conversation, Source } from './conversations.ts'

const ID = '01KG9YS7G0CPZHN1J3EKWGC1Y1'
const INSTANT = '2026-01-31T12:00:00.000Z'

/** Reasons why a question has no answer. */
export const UNANSWERED_REASONS = [
  'declared',
  'no-sources',
  'low-support',
  'stopped',
  'budget',
  'provider-error',
  'interrupted',
] as const

const ConversationFeedback = z.strictObject({
  at: z
    .string()
    .meta({ description: 'When the reader last changed the rating.', examples: [INSTANT] }),
  helpful: z.boolean(),
  reason: z
    .string()
    .optional()
    .meta({
      description:
        'Why the answer did not help: `incorrect`, `incomplete`, `off-topic`, `outdated`, `slow` or `other`.',
      examples: ['outdated'],
    }),
  note: z
    .string()
    .optional()
    .meta({
      description: "The reader's words, masked like questions.",
      examples: ['The command has had a different name since version 2.'],
    }),
})

const DETAILS = {
  reason: z.enum(UNANSWERED_REASONS).optional().meta({
    description:
      'Why it is unanswered: the model said so (`declared`), cited nothing that it read (`no-sources`), the documentation has too little about it (`low-support`), the reader stopped it, the budget was spent, the provider failed, or the service was interrupted.',
  }),
  nearest: z.array(Source).meta({
    description: 'If there is no answer, the pages that were read but were not sufficient.',
  }),
  deployment: z
    .string()
    .optional()
    .meta({ description: 'The deployment that the answer is based on.' }),
  model: z
    .string()
    .optional()
    .meta({ description: 'Missing for quotations.', examples: ['gpt-5-mini'] }),
  usedTokens: z.number().meta({ examples: [1_834] }),
  cached: z.boolean().meta({ description: 'Whether the answer came from the cache.' }),
  feedback: ConversationFeedback.optional(),
}

export const ConversationDetails = z.strictObject({
  id: z.string().meta({ description: 'The id of the conversation.', examples: [ID] }),
  query: z.string().meta({ examples: ['How often do I water a cactus?'] }),
  resolutionStatus: z.enum(['answered', 'unanswered']),
  sources: z.array(Source).meta({ description: 'Pages that the answer refers to.' }),
  ...DETAILS,
})
export type ConversationDetails = z.infer<typeof ConversationDetails>

export const ConversationDetailsList = z.strictObject({
  conversations: z.array(ConversationDetails),
  nextCursor: z.string().nullable().meta({
    description: 'Cursor of the next page; null when there are no more results.',
  }),
})
export type ConversationDetailsList = z.infer<typeof ConversationDetailsList>

/** An exported conversation with all its details. */
export const WholeConversation = z.strictObject({
  ...Conversation.shape,
  ...DETAILS,
  gap: z.string().optional().meta({ description: 'The gap that the question belongs to.' }),
})
export type WholeConversation = z.infer<typeof WholeConversation>
