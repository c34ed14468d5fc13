/** API schemas for a project's repository. */
import { z } from 'zod'

export const PROVIDER_KINDS = ['github', 'gitlab', 'gitea', 'git'] as const
export type ProviderKind = (typeof PROVIDER_KINDS)[number]

const INSTANT = '2026-01-31T09:30:00.000Z'
const TEXT_LENGTH_MAX = 2_000
const TOKEN_LENGTH_MAX = 4_000
const GRANT_LENGTH_MAX = 200_000

const Check = z.enum(['good', 'bad', 'unknown'])

export const ConnectionReply = z.strictObject({
  url: z.string().meta({ examples: ['https://github.com/owner/name.git'] }),
  provider: z.enum(PROVIDER_KINDS),
  credential: z.enum(['none', 'token', 'ssh-key', 'github-app']).meta({
    description: 'The kind of access to the repository. The token or key itself is never shown.',
  }),
  branch: z.string().nullable().meta({
    description: 'The branch that is published; null for the default branch.',
  }),
  publishedBranch: z.string().nullable().meta({
    description: 'The published branch, even if it is the default one; null until it is known.',
  }),
  folder: z.string().meta({ description: 'Where docs.json is; empty for the root.' }),
  previews: z.boolean(),
  forks: z.boolean().meta({ description: 'Whether pull requests from forks are built.' }),
  refreshMinutes: z.number().nullable().meta({
    description: 'How often the site is rebuilt to update hosted specifications.',
  }),
  checkedAt: z
    .string()
    .nullable()
    .meta({
      description: 'When the service last tried to read the repository.',
      examples: [INSTANT],
    }),
  nextCheckAt: z.string().meta({ examples: [INSTANT] }),
  checks: z
    .strictObject({
      reachable: Check,
      access: Check,
      branch: Check,
      docsJson: Check,
      webhook: Check,
    })
    .meta({
      description:
        'The results of the checks, in this order: the server responds, it grants access, the branch exists, the folder has a docs.json. Checks after a failed one are unknown. `webhook` says whether the newest webhook was accepted.',
    }),
  problem: z.string().nullable().meta({
    description: 'The problem and what to do about it; null if there is none.',
  }),
  said: z.string().nullable().meta({ description: 'The message from Git about the problem.' }),
  failedSince: z
    .string()
    .nullable()
    .meta({ description: 'Since when the repository cannot be built.', examples: [INSTANT] }),
  deployKey: z.string().optional().meta({
    description: 'For `ssh-key`: the public key. Add it to the repository with read-only access.',
  }),
})
export type ConnectionReply = z.infer<typeof ConnectionReply>

const token = z
  .string()
  .regex(/^[\x21-\x7e]+$/, { error: 'Expected one token and nothing else.' })
  .max(TOKEN_LENGTH_MAX)

export const ConnectionBody = z.strictObject({
  url: z
    .string()
    .max(TEXT_LENGTH_MAX)
    .meta({ description: 'The clone URL.', examples: ['https://github.com/owner/name.git'] }),
  provider: z.enum(PROVIDER_KINDS).optional().meta({ description: 'Guessed without it.' }),
  branch: z.string().max(TEXT_LENGTH_MAX).optional(),
  folder: z.string().max(TEXT_LENGTH_MAX).optional(),
  credential: z.enum(['none', 'token', 'ssh-key', 'github-app']).default('none').meta({
    description:
      '`ssh-key` creates a deploy key. `github-app` needs a `grant`, so only the dashboard or the operator can connect a repository of the GitHub App.',
  }),
  grant: z.string().max(GRANT_LENGTH_MAX).optional().meta({
    description:
      'For `credential: github-app`: the list from GitHub of the repositories that you may use, sealed by the service. The dashboard receives it for one session and one project; it is valid for 30 minutes. It is not available to an API key, which could otherwise read repositories for which other people installed the app.',
  }),
  token: token.optional().meta({
    description: 'A token that may read the repository, for `credential: token`.',
  }),
  previews: z.boolean().default(true),
  forks: z.boolean().default(true),
})

export const ConnectionChange = z
  .strictObject({
    url: z
      .string()
      .max(TEXT_LENGTH_MAX)
      .meta({
        description: 'The clone URL. If it has a different host, a new token is required.',
        examples: ['https://github.com/owner/name.git'],
      }),
    provider: z.enum(PROVIDER_KINDS).meta({ description: 'Guessed if the host changes.' }),
    branch: z.string().max(TEXT_LENGTH_MAX).nullable().meta({
      description: 'The branch that is published; null for the default branch.',
    }),
    folder: z.string().max(TEXT_LENGTH_MAX),
    previews: z.boolean(),
    forks: z.boolean(),
    token: token.nullable().meta({
      description:
        'Replaces the token of the connection; null removes it. Without a token, the repository must be public.',
    }),
  })
  .partial()
  .meta({ description: 'Omitted settings stay unchanged.' })

export const CreatedConnection = ConnectionReply.extend({
  webhook: z
    .strictObject({
      url: z.string().meta({ description: 'Where the Git host sends its webhooks.' }),
      secret: z.string().meta({
        description: 'The secret that signs webhooks, shown only once.',
      }),
      steps: z
        .array(z.string())
        .meta({ description: 'How to set up the webhook at the Git host.' }),
    })
    .optional()
    .meta({ description: 'Missing if the webhook of the GitHub App reports pushes.' }),
})

export type CreatedConnection = z.infer<typeof CreatedConnection>

export const DeliveryList = z.strictObject({
  deliveries: z.array(
    z.strictObject({
      receivedAt: z.string().meta({ examples: [INSTANT] }),
      deliveryId: z.string().optional(),
      event: z.string().optional(),
      ref: z.string().optional(),
      status: z.number().meta({ description: 'The response status.', examples: [202] }),
      reason: z.string().optional().meta({ description: 'Why it was refused.' }),
    }),
  ),
})
export type DeliveryList = z.infer<typeof DeliveryList>

export const HookReply = z.strictObject({
  result: z.enum(['accepted', 'duplicate', 'ignored']).meta({
    description:
      '`duplicate` if a webhook with the same delivery id was accepted before. `ignored` if a delivery of the GitHub App does not concern a connected repository.',
  }),
})
