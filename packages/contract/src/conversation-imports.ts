import { z } from 'zod'
import { QUERY, RESPONSE, SOURCES } from './conversations.ts'
import { storedText } from './stored-text.ts'

export const LIMIT_DEFAULT = 100
/** The maximum number of import requests per hour and project. */
export const IMPORTS_PER_HOUR = 1_200
export const LIMIT_MAX = 1_000
/** The maximum number of conversations in one import. */
const IMPORT_MAX = 1_000

const ID = '01KG9YS7G0CPZHN1J3EKWGC1Y1'
const INSTANT = '2026-01-31T12:00:00.000Z'

export const ImportedConversation = z.strictObject({
  questionId: storedText(100)
    .min(1)
    .meta({
      description: 'Idempotency key of the turn: sending it again changes nothing.',
      examples: ['turn-1'],
    }),
  query: storedText(100_000).meta({ description: "The reader's question.", ...QUERY }),
  response: storedText(1_000_000).meta({ description: "The assistant's answer.", ...RESPONSE }),
  sources: z
    .array(z.strictObject({ title: storedText(1_000), url: storedText(4_000) }))
    .max(100)
    .meta({ description: 'Pages that the answer refers to.', ...SOURCES }),
  resolutionStatus: z.enum(['answered', 'unanswered']),
  queryCategory: storedText(200).optional(),
  threadId: storedText(200).optional(),
  pageUrl: storedText(4_000).optional(),
  timestamp: z
    .string()
    .optional()
    .meta({
      description:
        'Only for imported history: a timestamp that is earlier than the newest published conversation.',
      examples: [INSTANT],
    }),
})
export type ImportedConversation = z.infer<typeof ImportedConversation>

export const ImportBody = z.strictObject({
  conversations: z.array(ImportedConversation).min(1).max(IMPORT_MAX),
})

const RANGE = {
  firstId: z.string().meta({ description: 'The first id of the range.', examples: [ID] }),
  lastId: z.string().meta({ description: 'The last id of the range.', examples: [ID] }),
  count: z.number().meta({ description: 'Number of imported conversations.', examples: [1] }),
}

export const ImportReply = z.strictObject({
  ids: z.array(z.string()).meta({
    description: 'The id of each conversation, in the order sent.',
    examples: [[ID]],
  }),
  backfill: z.strictObject(RANGE).optional().meta({
    description:
      'Range of ids that were added to the history; incremental clients must read it again.',
  }),
})

/**
 * Imports of older conversations, newest first. An incremental client must read these id ranges
 * again.
 */
export const BackfillList = z.strictObject({
  backfills: z.array(
    z.strictObject({
      at: z.string().meta({ description: 'When it was imported.', examples: [INSTANT] }),
      ...RANGE,
    }),
  ),
})
