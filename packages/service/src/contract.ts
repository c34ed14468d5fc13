/** What crosses the wire, for us and for those who call us. Nothing here knows how it is stored. */
import { z } from 'zod'

export const LIMIT_DEFAULT = 100
export const LIMIT_MAX = 1_000
/** Conversations in one import. */
export const IMPORT_MAX = 1_000

export const Source = z.strictObject({ title: z.string(), url: z.string() })

/** One exported conversation: a question and its answer. Rows never change once they are exported. */
export const Conversation = z.strictObject({
  id: z
    .string()
    .meta({ description: 'ULID. Conversations of a project are in the order of their ids.' }),
  timestamp: z.string().meta({
    description:
      'When the conversation was recorded, in UTC, to the millisecond. It is the millisecond in the id.',
  }),
  query: z.string().meta({ description: "The reader's question." }),
  response: z.string().meta({ description: "The assistant's answer." }),
  sources: z.array(Source).meta({ description: 'Pages that the answer refers to.' }),
  resolutionStatus: z
    .enum(['answered', 'unanswered'])
    .meta({ description: '`unanswered` marks a gap in the documentation.' }),
  queryCategory: z.string().optional().meta({ description: 'Kind of question, if available.' }),
  threadId: z
    .string()
    .optional()
    .meta({ description: 'Conversations with one thread belong together.' }),
  pageUrl: z.string().optional().meta({ description: 'Page on which the question was asked.' }),
})
export type Conversation = z.infer<typeof Conversation>

export const ConversationPage = z.strictObject({
  conversations: z.array(Conversation),
  nextCursor: z
    .string()
    .nullable()
    .meta({ description: 'Cursor of the next page; null when there are no more results.' }),
  hasMore: z.boolean().meta({ description: 'Are there results beyond this page?' }),
})
export type ConversationPage = z.infer<typeof ConversationPage>

/** PostgreSQL cannot hold NUL, and a lone surrogate is no text. */
const storedText = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .refine(
      (value) => !value.includes('\u0000') && value.isWellFormed(),
      'holds characters that cannot be stored',
    )

export const ImportedConversation = z.strictObject({
  turnId: storedText(100)
    .min(1)
    .meta({ description: 'Names the turn; sending it again changes nothing.' }),
  query: storedText(100_000),
  response: storedText(1_000_000),
  sources: z.array(z.strictObject({ title: storedText(1_000), url: storedText(4_000) })).max(100),
  resolutionStatus: z.enum(['answered', 'unanswered']),
  queryCategory: storedText(200).optional(),
  threadId: storedText(200).optional(),
  pageUrl: storedText(4_000).optional(),
  timestamp: z.string().optional().meta({
    description: 'Only for history: an instant before the newest published conversation.',
  }),
})
export type ImportedConversation = z.infer<typeof ImportedConversation>

export const ImportBody = z.strictObject({
  conversations: z.array(ImportedConversation).min(1).max(IMPORT_MAX),
})

export const ImportReply = z.strictObject({
  ids: z.array(z.string()).meta({ description: 'The id of each conversation, in the order sent.' }),
  backfill: z
    .strictObject({ firstId: z.string(), lastId: z.string(), count: z.number() })
    .optional()
    .meta({
      description: 'Range of ids written into the past; incremental clients read it again.',
    }),
})

/** Imports into the past, newest first: what an incremental client has to read again. */
export const BackfillList = z.strictObject({
  backfills: z.array(
    z.strictObject({
      at: z.string(),
      firstId: z.string(),
      lastId: z.string(),
      count: z.number(),
    }),
  ),
})

/** RFC 9457. `code` is stable and for programs; `detail` is for people. */
export const ProblemReply = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  param: z.string().optional(),
  requestId: z.string(),
})
