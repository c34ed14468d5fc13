/** API schemas for gaps. */
import { z } from 'zod'

const ID = '01KG9YS7G0CPZHN1J3EKWGC1Y1'
const INSTANT = '2026-01-31T09:30:00.000Z'
const PAGE_LENGTH_MAX = 1_000

export const GAP_STATES = ['open', 'linked', 'likely', 'verified', 'dismissed'] as const

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
    description: 'Pages that were read, and were not enough.',
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

export const GapList = z.strictObject({ gaps: z.array(Gap), nextCursor: z.string().nullable() })
export type GapList = z.infer<typeof GapList>

export const GapBody = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('link'),
    page: z
      .string()
      .max(PAGE_LENGTH_MAX)
      .refine((path) => /^\/[^\s\p{Cc}]*$/u.test(path) && path.isWellFormed(), {
        error: 'Expected the path of a page, such as /guides/start.',
      })
      .meta({ description: 'The path of the page that answers it, or will.' }),
  }),
  z.strictObject({ action: z.enum(['verify', 'dismiss', 'reopen']) }),
])
export type GapBody = z.infer<typeof GapBody>

/** Only ids and numbers, so that it can be shown to people who may not see readers' questions. */
export const GapForecast = z.strictObject({
  open: z.number().meta({ description: 'Open gaps that were asked in this deployment.' }),
  likely: z.array(z.string()).meta({ description: 'Ids of those that it likely answers.' }),
  lost: z.array(z.string()).meta({ description: 'Ids of closed gaps that it answers no more.' }),
})
export type GapForecast = z.infer<typeof GapForecast>
