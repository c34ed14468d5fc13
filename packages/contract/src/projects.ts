/** API schemas for projects and their usage. */
import { z } from 'zod'
import { FailedBuild } from './builds.ts'
import { displayName } from './display-name.ts'

const INSTANT = '2026-01-31T09:30:00.000Z'
const COUNT_MAX = 3_660

export const Slug = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/, {
  error: 'Expected lower-case letters, digits and hyphens, 50 at most.',
})

/** Findings that stop a deployment. The builder has the same list. */
export const FailOn = z.enum(['breaking', 'error', 'warning', 'none'])
export type FailOn = z.infer<typeof FailOn>

const TRUST_MAX = 20

/** The newest attempt to deliver a message to the webhook. */
const WebhookAttempt = z.strictObject({
  type: z.string().meta({ examples: ['deployment.live'] }),
  at: z.string().meta({ examples: [INSTANT] }),
  status: z
    .number()
    .optional()
    .meta({ description: 'The HTTP status of the response, if the message was accepted.' }),
  reason: z.string().optional().meta({ description: 'Why it was not delivered.' }),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

export const ProjectSettingsReply = z.strictObject({
  id: z.string().meta({ examples: ['prj_5kbu4k41mpelzrqs'] }),
  name: z.string(),
  slug: z.string(),
  archived: z.boolean(),
  retentionDays: z.number().meta({ description: 'How long conversations are kept.' }),
  playgroundProxy: z.boolean(),
  failOn: FailOn.nullable().meta({
    description: 'Findings that stop a deployment; null if docs.json decides.',
  }),
  webhook: z.string().optional(),
  webhookFormat: z.enum(['standard', 'slack']).optional(),
  webhookAttempt: WebhookAttempt.optional(),
  trust: z.array(z.string()).meta({
    description: 'Repositories whose CI jobs may deploy.',
    examples: [['github:owner/name@main']],
  }),
})
export type ProjectSettingsReply = z.infer<typeof ProjectSettingsReply>

/** Omitted settings stay unchanged. */
export const ProjectSettingsBody = z.strictObject({
  name: displayName('Give the project a name.').optional(),
  slug: Slug.optional().meta({
    description:
      'A part of the address of the site. Readers of the old address are redirected to the new one.',
  }),
  retentionDays: z.number().int().min(1).max(COUNT_MAX).optional(),
  playgroundProxy: z.boolean().optional(),
  failOn: FailOn.nullable().optional().meta({
    description:
      'Findings that stop a deployment: errors that break the site (`breaking`), every `error`, every `warning` too, or `none`. With null, `deploy.failOn` of docs.json decides.',
  }),
  trust: z
    .array(z.string())
    .max(TRUST_MAX)
    .optional()
    .meta({
      description: 'Repositories whose CI jobs may deploy without a key.',
      examples: [['github:owner/name@main']],
    }),
})
export type ProjectSettingsBody = z.infer<typeof ProjectSettingsBody>

/**
 * A setting that the live site's docs.json defines. The value comes from the deployment, so it is
 * untrusted.
 */
export const DocsSetting = z.object({
  key: z
    .string()
    .max(100)
    .meta({ description: 'The key in docs.json.', examples: ['colors.primary'] }),
  value: z.string().max(300),
  file: z.string().max(500),
  line: z.number().int().min(1),
})

export const DocsSettingsReply = z.strictObject({
  deployment: z
    .string()
    .nullable()
    .meta({ description: 'The live deployment; null if there is none.' }),
  commit: z.string().optional(),
  branch: z.string().optional(),
  settings: z.array(DocsSetting),
})
export type DocsSettingsReply = z.infer<typeof DocsSettingsReply>

const WebhookFormat = z.enum(['standard', 'slack'])

export const WebhookBody = z.strictObject({
  url: z
    .string()
    .max(2_000)
    .meta({ examples: ['https://example.com/octavo'] }),
  format: WebhookFormat.default('standard').meta({
    description: 'Signed messages in the Standard Webhooks format, or lines for a Slack channel.',
  }),
})

export const WebhookReply = z.strictObject({
  url: z.string(),
  format: WebhookFormat,
  secret: z.string().optional().meta({
    description:
      'The secret that signs messages. It is shown only once; missing if only the format changed.',
  }),
})
export type WebhookReply = z.infer<typeof WebhookReply>

export const WebhookTestReply = z.strictObject({
  delivered: z.boolean().meta({ description: 'True if the server responded with a 2xx status.' }),
  status: z.number().optional(),
  reason: z.string().optional().meta({ description: 'Why the message was not delivered.' }),
})
export type WebhookTestReply = z.infer<typeof WebhookTestReply>

const Votes = z.strictObject({ yes: z.number(), no: z.number() })

export const Overview = z.strictObject({
  days: z.array(
    z.strictObject({
      day: z.string().meta({ examples: ['2026-01-31'] }),
      answered: z.number(),
      unanswered: z.number(),
      deployments: z.number().meta({
        description:
          'The number of deployments published on this day. A deployment that is published again counts only on the last of these days.',
      }),
    }),
  ),
  questions: z.number().meta({ description: 'Stored conversations from these days.' }),
  answered: z.number(),
  before: z
    .strictObject({ questions: z.number(), answered: z.number(), helpful: Votes })
    .meta({ description: 'The previous period of the same length.' }),
  helpful: Votes,
  openGaps: z.number(),
  gapQuestions: z.number().meta({ description: 'The number of questions in the open gaps.' }),
  failedBuild: FailedBuild.extend({
    reason: z.string().optional(),
    problems: z
      .array(
        z.strictObject({
          file: z.string(),
          line: z.number().optional(),
          code: z.string(),
          message: z.string(),
        }),
      )
      .meta({ description: 'The first errors.' }),
  })
    .nullable()
    .meta({
      description:
        'The newest build of the live branch, if it failed. Null when a newer one succeeds or a newer deployment is live.',
    }),
  previous: z
    .strictObject({ id: z.string(), number: z.number() })
    .nullable()
    .meta({ description: 'The deployment that was live before.' }),
  attention: z.strictObject({
    comments: z.number().nullable().meta({
      description:
        'Comments from readers that are still pending; null without the scope `feedback:read`.',
    }),
    connection: z.string().nullable().meta({
      description: 'Why the repository could not be read when it was last checked.',
    }),
    domains: z.array(z.string()).meta({
      description: 'Domains that lost their record or have no certificate.',
    }),
    expiring: z
      .array(
        z.strictObject({
          kind: z.enum(['key', 'readerToken']),
          name: z.string(),
          expiresAt: z.string().meta({ examples: [INSTANT] }),
        }),
      )
      .meta({ description: 'Keys and reader tokens that expire within a week.' }),
  }),
  topQuestions: z.array(
    z.strictObject({ question: z.string(), count: z.number(), lastAskedAt: z.string() }),
  ),
  tokens: z.strictObject({
    month: z.number().meta({ description: 'Model tokens used this month.' }),
    monthMax: z.number().nullable(),
  }),
  updatedAt: z.string().meta({ examples: [INSTANT] }),
})
export type Overview = z.infer<typeof Overview>

/**
 * The data that is destroyed when a project is deleted, and the credentials that are revoked when
 * it is transferred.
 */
export const ProjectContents = z.strictObject({
  deployments: z.number(),
  previews: z.number(),
  conversations: z.number(),
  gaps: z.number(),
  keys: z.number().meta({ description: 'Active keys and deploy tokens.' }),
  readerTokens: z.number().meta({ description: 'Active reader tokens.' }),
  trusted: z.number().meta({ description: 'Repositories whose CI jobs may deploy.' }),
  connected: z.boolean().meta({ description: 'Whether a Git repository is connected.' }),
  bytes: z.number().meta({ description: 'Stored files.' }),
})
export type ProjectContents = z.infer<typeof ProjectContents>

const RepeatedSlug = z.string().meta({ description: 'The slug of the project, as confirmation.' })

export const DeleteProjectBody = z.strictObject({ slug: RepeatedSlug })
export const DeletedProject = z.strictObject({
  erasedAt: z.string().meta({
    description: 'When everything is permanently deleted. Until then the operator can undo it.',
    examples: [INSTANT],
  }),
})
export type DeletedProject = z.infer<typeof DeletedProject>

export const TransferBody = z.strictObject({
  slug: RepeatedSlug,
  organization: z.string().meta({
    description: 'The id of an organization that you own.',
    examples: ['org_5kbu4k41mpelzrqs'],
  }),
  revoke: z.boolean().default(true).meta({
    description:
      'Revokes all API keys, deploy tokens and reader tokens, stops trusting CI jobs, removes the webhook, and disconnects the repository. With `false`, all of these move with the project and stay valid, even for people who got them from the old owner.',
  }),
})
