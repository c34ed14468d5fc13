/** API schemas for gaps. */
import { z } from 'zod'

const ID = '01KG9YS7G0CPZHN1J3EKWGC1Y1'
const INSTANT = '2026-01-31T09:30:00.000Z'
const PAGE_LENGTH_MAX = 1_000

/** The most gaps that one request changes. */
const CHANGED_MAX = 100

export const GAP_STATES = ['open', 'linked', 'likely', 'verified', 'dismissed'] as const

/** Orders of the list; `-` reverses one. Gaps of one state are in the order of their questions. */
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
      '`linked` when you named a page that answers it, or will; `likely` when a new or changed section seems to answer it; `verified` when a model or you confirmed that.',
  }),
  count: z.number().meta({ description: 'How often it was asked.', examples: [12] }),
  firstAskedAt: z.string().meta({ examples: [INSTANT] }),
  lastAskedAt: z.string().meta({ examples: [INSTANT] }),
  changedAt: z.string().meta({ description: 'When its state changed.', examples: [INSTANT] }),
  examples: z.array(z.string()).meta({
    description: 'The newest questions, three at most. They go when their conversations go.',
    examples: [['How often do I water a cactus?']],
  }),
  nearest: z.array(z.strictObject({ title: z.string(), url: z.string() })).meta({
    description: 'The closest pages when it was last asked.',
  }),
  weeks: z
    .array(z.number())
    .optional()
    .meta({
      description:
        'How often it was asked in each of the last 12 weeks, the oldest first; in lists.',
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
      description: 'The section that seems to answer it.',
      examples: ['/cactus#watering'],
    }),
  openIn: z.string().optional().meta({
    description: 'The last deployment that did not answer it.',
  }),
  closedIn: z.string().optional().meta({
    description: 'The deployment that made it likely or verified.',
  }),
  verifiedBy: z.enum(['model', 'owner']).optional(),
})
export type Gap = z.infer<typeof Gap>

export const GapList = z.strictObject({
  gaps: z.array(Gap),
  nextCursor: z.string().nullable(),
  counts: z.record(z.enum(GAP_STATES), z.number()).meta({
    description: 'How many gaps have each state, without noise.',
  }),
  noise: z.number().meta({
    description:
      'Single questions without a real word, such as `asdfgh`, which are no part of the list.',
  }),
  questions: z
    .number()
    .meta({ description: 'Questions of all gaps, without noise and dismissed gaps.' }),
})
export type GapList = z.infer<typeof GapList>

const page = z
  .string()
  .max(PAGE_LENGTH_MAX)
  .refine((path) => /^\/[^\s\p{Cc}]*$/u.test(path) && path.isWellFormed(), {
    error: 'Expected the path of a page, such as /guides/start.',
  })
  .meta({ description: 'The path of the page that answers it, or will.' })
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
  id: z.string().meta({ description: 'ULID. It undoes the change for a day.', examples: [ID] }),
  action: z.enum(GAP_ACTIONS),
  at: z.string().meta({ examples: [INSTANT] }),
  gaps: z.array(z.string()).meta({
    description: 'The ids of changed gaps. One that has the state already is not changed.',
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

/** Only ids and numbers, so that it can be shown to people who may not see readers' questions. */
export const GapForecast = z.strictObject({
  open: z.number().meta({ description: 'Open gaps that were asked in this deployment.' }),
  likely: z.array(z.string()).meta({ description: 'Ids of those that it likely answers.' }),
  lost: z.array(z.string()).meta({ description: 'Ids of closed gaps that it answers no more.' }),
})
export type GapForecast = z.infer<typeof GapForecast>
