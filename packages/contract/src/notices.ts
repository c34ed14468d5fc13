/** API schemas for notifications. */
import { z } from 'zod'

export const NOTICE_KINDS = [
  'build.failed',
  'assistant.budget',
  'key.expiring',
  'domain.lost',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export const NOTICE_ADDRESSES_MAX = 20
const EMAIL_LENGTH_MAX = 254

const kind = z.enum(NOTICE_KINDS)

export const NoticesReply = z.strictObject({
  email: z.array(kind).meta({ description: 'Kinds of notifications that are sent by e-mail.' }),
  addresses: z.array(z.string()).meta({
    description:
      'Addresses that receive notifications in addition to the owners and admins of the project.',
    examples: [['docs-team@example.com']],
  }),
  canEmail: z.boolean().meta({ description: 'Whether this service can send e-mail at all.' }),
  hasWebhook: z.boolean().meta({ description: 'Whether the project has a webhook.' }),
  sent: z
    .array(
      z.strictObject({
        kind,
        text: z.string().meta({ examples: ['The build of main (3f2a91c) failed'] }),
        at: z.string().meta({ examples: ['2026-01-31T09:30:00.000Z'] }),
        emails: z.number().meta({ description: 'The number of people who received it by e-mail.' }),
        webhook: z.boolean().meta({ description: 'Whether it was sent to the webhook.' }),
      }),
    )
    .meta({ description: 'The 50 newest notifications that were sent, newest first.' }),
})
export type NoticesReply = z.infer<typeof NoticesReply>

/** Omitted settings stay unchanged. */
export const NoticesBody = z.strictObject({
  email: z.array(kind).max(NOTICE_KINDS.length).optional(),
  addresses: z
    .array(z.email('Expected an e-mail address.').max(EMAIL_LENGTH_MAX).toLowerCase())
    .max(NOTICE_ADDRESSES_MAX, `Expected at most ${NOTICE_ADDRESSES_MAX} addresses.`)
    .optional(),
})
export type NoticesBody = z.infer<typeof NoticesBody>
