/** API schemas for gaps. */
import { z } from 'zod'

const ID = '01KG9YS7G0CPZHN1J3EKWGC1Y1'
const INSTANT = '2026-01-31T09:30:00.000Z'
const PAGE_LENGTH_MAX = 1_000

/** The maximum number of gaps that one request can change. */
const CHANGED_MAX = 100

export const GAP_STATES = ['open', 'linked', 'likely', 'verified', 'dismissed'] as const

/**
 * Sort orders of the list; `-` means descending. Gaps with the same state are sorted by their
 * number of questions.
 */
export const GAP_SORTS = [
  'questions',
  '-questions',
  'lastAsked',
  '-lastAsked',
  'state',
  '-state',
] as const

const GAP_ACTIONS = ['link', 'verify', 'dismiss', 'reopen'] as const
export type GapAction = (typeof GAP_ACTIONS)[number]

export const Gap = z.strictObject({
  id: z.string().meta({ description: 'ULID.', examples: [ID] }),
  state: z.enum(GAP_STATES).meta({
    description:
      '`linked` when you selected a page that answers it, or will answer it; `likely` when a new or changed section probably answers it; `verified` when a model or you confirmed that.',
  }),
  count: z.number().meta({ description: 'How often the question was asked.', examples: [12] }),
  firstAskedAt: z.string().meta({ examples: [INSTANT] }),
  lastAskedAt: z.string().meta({ examples: [INSTANT] }),
  changedAt: z.string().meta({ description: 'When its state changed.', examples: [INSTANT] }),
  examples: z.array(z.string()).meta({
    description: 'The newest questions, three at most. They are deleted with their conversations.',
    examples: [['How often do I water a cactus?']],
  }),
  nearest: z.array(z.strictObject({ title: z.string(), url: z.string() })).meta({
    description: 'The closest pages when the question was last asked.',
  }),
  weeks: z
    .array(z.number())
    .optional()
    .meta({
      description:
        'How often it was asked in each of the last 12 weeks, oldest first. Only in lists.',
      examples: [[0, 0, 1, 0, 2, 1, 0, 0, 3, 2, 1, 2]],
    }),
  linkedPage: z
    .string()
    .optional()
    .meta({ examples: ['/cactus'] }),
  section: z
    .string()
    .optional()
    .meta({
      description: 'The section that seems to answer the question.',
      examples: ['/cactus#watering'],
    }),
  openIn: z.string().optional().meta({
    description: 'The last deployment that did not answer the question.',
  }),
  closedIn: z.string().optional().meta({
    description: 'The deployment that made the gap `likely` or `verified`.',
  }),
  verifiedBy: z.enum(['model', 'owner']).optional(),
})
export type Gap = z.infer<typeof Gap>

export const GapList = z.strictObject({
  gaps: z.array(Gap),
  nextCursor: z.string().nullable(),
  counts: z.record(z.enum(GAP_STATES), z.number()).meta({
    description: 'The number of gaps in each state, excluding noise.',
  }),
  noise: z.number().meta({
    description:
      'Single questions without a real word, such as `asdfgh`, which are not in the list.',
  }),
  questions: z
    .number()
    .meta({ description: 'Questions of all gaps, excluding noise and dismissed gaps.' }),
})
export type GapList = z.infer<typeof GapList>

const page = z
  .string()
  .max(PAGE_LENGTH_MAX)
  .refine((path) => /^\/[^\s\p{Cc}]*$/u.test(path) && path.isWellFormed(), {
    error: 'Expected the path of a page, such as /guides/start.',
  })
  .meta({ description: 'The path of the page that answers the question or will answer it.' })
const Link = z.strictObject({ action: z.literal('link'), page })
const Other = z.strictObject({ action: z.enum(['verify', 'dismiss', 'reopen']) })

const ulid = (error: string) => z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, { error })

export const GapBody = z.discriminatedUnion('action', [Link, Other])
export type GapBody = z.infer<typeof GapBody>

const ids = z
  .array(ulid('Expected the id of a gap.'))
  .min(1)
  .max(CHANGED_MAX)
  .meta({ description: 'The ids of gaps.', examples: [[ID]] })
export const GapsBody = z.discriminatedUnion('action', [
  Link.extend({ ids }),
  Other.extend({ ids }),
])
export type GapsBody = z.infer<typeof GapsBody>

export const GapChange = z.strictObject({
  id: z.string().meta({
    description: 'ULID. The change can be undone with this id for a day.',
    examples: [ID],
  }),
  action: z.enum(GAP_ACTIONS),
  at: z.string().meta({ examples: [INSTANT] }),
  gaps: z.array(z.string()).meta({
    description: 'The ids of changed gaps. A gap that already has the state is not changed.',
    examples: [[ID]],
  }),
  question: z
    .string()
    .optional()
    .meta({
      description: 'The newest question of the first gap.',
      examples: ['How often do I water a cactus?'],
    }),
  undone: z.boolean(),
})
export type GapChange = z.infer<typeof GapChange>

export const NewGapBody = z.strictObject({
  conversation: ulid('Expected the id of a conversation.').meta({
    description: 'The id of a conversation.',
    examples: [ID],
  }),
  page: page.optional(),
})
export type NewGapBody = z.infer<typeof NewGapBody>

/** Compares the answers in a preview with those in the live deployment. */
const AnswerForecast = z.strictObject({
  questions: z.number().meta({ description: 'The number of compared questions.', examples: [40] }),
  lostCount: z
    .number()
    .meta({ description: 'The number of questions whose answer is lost.', examples: [1] }),
  lost: z.array(z.string()).meta({
    description:
      "Questions whose answer readers no longer see, 20 at most. A reader's question is the id of its conversation.",
    examples: [['How often do I water a cactus?']],
  }),
  gained: z.number().meta({ description: 'The number of questions with a new answer.' }),
  changed: z.number().meta({
    description: 'The number of other questions for which readers see another excerpt first.',
  }),
})
export type AnswerForecast = z.infer<typeof AnswerForecast>

/**
 * Contains no texts of readers, because people who may not read them can see it. The questions in
 * `answers` are written by authors.
 */
export const GapForecast = z.strictObject({
  open: z.number().meta({
    description: 'The number of open gaps whose questions were asked in this deployment.',
  }),
  likely: z
    .array(z.string())
    .meta({ description: 'Ids of the gaps that the deployment likely answers.' }),
  lost: z
    .array(z.string())
    .meta({ description: 'Ids of closed gaps that the deployment no longer answers.' }),
  answers: AnswerForecast.optional().meta({
    description:
      'How the answers to the questions in `octavo-questions.jsonl` change. Only if the deployment has this file and the project has a live deployment.',
  }),
  readerAnswers: AnswerForecast.optional().meta({
    description:
      "How the answers to readers' questions change. Only if the assistant's setting `askInPreviews` is on and the project has a live deployment.",
  }),
})
export type GapForecast = z.infer<typeof GapForecast>
