/** What the API says of projects and their use; a part of `contract.ts`. */
import { z } from 'zod'

const INSTANT = '2026-01-31T09:30:00.000Z'
const NAME_LENGTH_MAX = 200
const COUNT_MAX = 3_660

export const ProjectSettingsReply = z.strictObject({
  id: z.string().meta({ examples: ['prj_5kbu4k41mpelzrqs'] }),
  name: z.string(),
  slug: z.string(),
  retentionDays: z.number().meta({ description: 'How long conversations are kept.' }),
  playgroundProxy: z.boolean(),
  webhook: z.string().optional(),
  webhookFormat: z.enum(['standard', 'slack']).optional(),
  trust: z.array(z.string()).meta({
    description: 'Repositories whose CI jobs may deploy.',
    examples: [['github:owner/name@main']],
  }),
})
export type ProjectSettingsReply = z.infer<typeof ProjectSettingsReply>

/** What is left out stays as it is. */
export const ProjectSettingsBody = z.strictObject({
  name: z.string().trim().min(1).max(NAME_LENGTH_MAX).optional(),
  retentionDays: z.number().int().min(1).max(COUNT_MAX).optional(),
  playgroundProxy: z.boolean().optional(),
})
export type ProjectSettingsBody = z.infer<typeof ProjectSettingsBody>

export const Overview = z.strictObject({
  days: z.array(
    z.strictObject({
      day: z.string().meta({ examples: ['2026-01-31'] }),
      answered: z.number(),
      unanswered: z.number(),
      deployments: z.number().meta({
        description: 'How many deployments went live and were not published again later.',
      }),
    }),
  ),
  questions: z.number().meta({ description: 'Conversations of these days that are stored.' }),
  answered: z.number(),
  before: z.strictObject({ questions: z.number(), answered: z.number() }).meta({
    description: 'The same number of days before.',
  }),
  helpful: z.strictObject({ yes: z.number(), no: z.number() }),
  openGaps: z.number(),
  topQuestions: z.array(
    z.strictObject({ question: z.string(), count: z.number(), lastAskedAt: z.string() }),
  ),
  tokens: z.strictObject({
    month: z.number().meta({ description: 'Tokens of the model this month.' }),
    monthMax: z.number().nullable(),
  }),
  updatedAt: z.string().meta({ examples: [INSTANT] }),
})
export type Overview = z.infer<typeof Overview>
