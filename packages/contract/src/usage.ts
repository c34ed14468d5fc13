/** API schemas for the usage of projects and organizations. */
import { z } from 'zod'

const counts = {
  requests: z.number().meta({ description: 'Requests from readers to the site.' }),
  sentBytes: z.number().meta({ description: 'Bytes of the responses.' }),
  deployments: z.number(),
  builds: z.number().meta({ description: 'Builds from Git that started.' }),
  buildSeconds: z.number().meta({ description: 'The total time of these builds in seconds.' }),
  questions: z.number().meta({ description: 'Questions to the assistant.' }),
  tokens: z.number().meta({ description: 'Tokens of the model.' }),
}
const UsageCounts = z.strictObject(counts)
export type UsageCounts = z.infer<typeof UsageCounts>

const shared = {
  month: z
    .strictObject({
      from: z.string().meta({ examples: ['2026-01-01'] }),
      to: z.string().meta({
        description: 'The first day of the next month.',
        examples: ['2026-02-01'],
      }),
    })
    .meta({ description: 'This month, in UTC.' }),
  storage: z
    .strictObject({
      bytes: z.number().meta({ description: 'Files that deployments share are counted once.' }),
      bytesMax: z.number().nullable().meta({ description: 'The limit; null if there is none.' }),
    })
    .meta({ description: 'The bytes that all projects of the organization store.' }),
}

export const UsageReply = z.strictObject({
  ...shared,
  toDate: UsageCounts.meta({ description: 'This month until now.' }),
  before: UsageCounts.meta({ description: 'The same days of the previous month.' }),
  tokensMax: z.number().nullable().meta({
    description: 'The monthly budget of the assistant; null if there is none.',
  }),
})
export type UsageReply = z.infer<typeof UsageReply>

export const OrganizationUsage = z.strictObject({
  ...shared,
  projects: z
    .array(
      z.strictObject({
        id: z.string().meta({ examples: ['prj_5kbu4k41mpelzrqs'] }),
        name: z.string(),
        storedBytes: z.number(),
        ...counts,
      }),
    )
    .meta({ description: 'This month until now, for each project; the largest first.' }),
})
export type OrganizationUsage = z.infer<typeof OrganizationUsage>
