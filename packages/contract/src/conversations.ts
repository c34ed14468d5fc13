/** API schemas for conversations. */
import { z } from 'zod'

const ID = '01KG9YS7G0CPZHN1J3EKWGC1Y1'
const INSTANT = '2026-01-31T12:00:00.000Z'
export const SOURCES = { examples: [[{ title: 'Watering', url: '/watering' }]] }
export const QUERY = { examples: ['How often do I water a cactus?'] }
export const RESPONSE = { examples: ['Every three weeks.'] }

export const Source = z.strictObject({ title: z.string(), url: z.string() })

/**
 * An exported conversation: a question and its answer. Rows never change once they are exported.
 */
export const Conversation = z.strictObject({
  id: z.string().meta({
    description: 'ULID. The conversations of a project are ordered by id.',
    examples: [ID],
  }),
  timestamp: z.string().meta({
    description:
      'When the conversation was recorded, in UTC, to the millisecond. The id contains the same time.',
    examples: [INSTANT],
  }),
  query: z.string().meta({ description: "The reader's question.", ...QUERY }),
  response: z.string().meta({ description: "The assistant's answer.", ...RESPONSE }),
  sources: z.array(Source).meta({ description: 'Pages that the answer refers to.', ...SOURCES }),
  resolutionStatus: z
    .enum(['answered', 'unanswered'])
    .meta({ description: '`unanswered` marks a gap in the documentation.' }),
  queryCategory: z
    .string()
    .optional()
    .meta({
      description: 'Kind of question, if available.',
      examples: ['how-to'],
    }),
  threadId: z
    .string()
    .optional()
    .meta({
      description: 'Conversations with the same thread id belong together.',
      examples: ['thread-1'],
    }),
  pageUrl: z
    .string()
    .optional()
    .meta({
      description: 'Page on which the question was asked.',
      examples: ['/watering'],
    }),
})
export type Conversation = z.infer<typeof Conversation>

export const ConversationPage = z.strictObject({
  conversations: z.array(Conversation),
  nextCursor: z
    .string()
    .nullable()
    .meta({
      description: 'Cursor of the next page; null when there are no more results.',
      examples: [null],
    }),
  hasMore: z.boolean().meta({
    description: 'Whether there are more results after this page.',
    examples: [false],
  }),
})
export type ConversationPage = z.infer<typeof ConversationPage>

export const FEEDBACKS = ['helpful', 'unhelpful', 'none'] as const

/** Conversations in the order in which people browse them: newest first, unlike the export. */
export const ConversationList = z.strictObject({
  conversations: z.array(
    Conversation.extend({ feedback: z.enum(['helpful', 'unhelpful']).optional() }),
  ),
  nextCursor: z.string().nullable(),
  total: z.number().nullable().meta({
    description:
      'How many conversations match. Null for filters that are not counted: text, category, status together with feedback, and times within a day.',
  }),
  searchedTo: z
    .string()
    .nullable()
    .meta({
      description:
        'How far back this request searched, if it stopped before the page was full. `nextCursor` continues from there.',
      examples: [INSTANT],
    }),
  retentionDays: z.number().meta({
    description: 'How many days conversations are kept.',
    examples: [730],
  }),
})
export type ConversationList = z.infer<typeof ConversationList>

export const CategoryList = z.strictObject({
  categories: z.array(z.string()).meta({ examples: [['how-to', 'reference']] }),
})
export type CategoryList = z.infer<typeof CategoryList>
