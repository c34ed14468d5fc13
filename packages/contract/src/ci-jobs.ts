/** API schemas for tokens of CI jobs. */
import { z } from 'zod'

const INSTANT = '2026-01-31T12:00:00.000Z'

export const ExchangeBody = z.strictObject({
  projectId: z
    .string()
    .max(100)
    .meta({ examples: ['prj_5kbu4k41mpelzrqs'] }),
  token: z.string().max(10_000).meta({ description: 'The identity token of the job, a JWT.' }),
})

export const ExchangeReply = z.strictObject({
  token: z.string().meta({ description: 'A deploy token.', examples: ['octavo_dep_…'] }),
  expiresAt: z.string().meta({ examples: [INSTANT] }),
})
export type ExchangeReply = z.infer<typeof ExchangeReply>
