import { z } from 'zod'
import { FailOn } from './projects.ts'
import { storedText } from './stored-text.ts'

const ID = '01KG9YS7G0CPZHN1J3EKWGC1Y1'
const INSTANT = '2026-01-31T12:00:00.000Z'

const SHA256 = z
  .string()
  .regex(/^[\da-f]{64}$/, { error: 'Expected a SHA-256 in lower-case hexadecimal.' })

/** A deployment of a project. */
export const Deployment = z.strictObject({
  id: z.string().meta({ description: 'ULID.', examples: [ID] }),
  number: z
    .number()
    .meta({ description: 'The position in the order in which deployments were accepted.' }),
  state: z
    .enum(['uploading', 'ready', 'live', 'superseded', 'failed', 'cancelled', 'expired', 'removed'])
    .meta({
      description:
        '`uploading` until it is finished; `ready` when it can be published; `superseded` when it was live before; `expired` when it was not finished within a day or is no longer kept; `removed` when the operator took it down.',
    }),
  target: z.enum(['production', 'preview']).meta({
    description: '`preview` if it is shown in the preview of its branch instead of on the site.',
  }),
  draft: z.boolean(),
  branch: z.string().optional(),
  message: z.string().optional(),
  commit: z.string().optional(),
  author: z.string().optional().meta({
    description:
      'The author of its commit if it was built from Git; otherwise the person or key that uploaded it.',
  }),
  files: z.number().optional(),
  bytes: z.number().optional(),
  createdAt: z.string().meta({ examples: [INSTANT] }),
  finishedAt: z.string().optional(),
  publishedAt: z.string().optional(),
  url: z.string().optional().meta({
    description:
      'Where this deployment can be seen: the site if it is live, or the preview of its branch.',
  }),
})
export type Deployment = z.infer<typeof Deployment>

export const DeploymentBody = z.strictObject({
  root: z.string().min(1).meta({ description: 'The text of `_octavo/manifest.json`.' }),
  target: z.enum(['production', 'preview']).default('production').meta({
    description: '`preview` shows it in the preview of its branch, and does not change the site.',
  }),
  draft: z.boolean().default(false).meta({ description: 'Finish without publishing.' }),
  branch: storedText(250).optional().meta({ description: 'Required for a preview.' }),
  message: storedText(1_000).optional(),
  commit: storedText(100).optional(),
  acceptPublic: z.boolean().optional().meta({
    description:
      'Accept the deployment even if docs.json asks readers to sign in (`auth`, `userAuth`) and everyone can read the project. Without it, such a deployment is refused with 409.',
  }),
})

export const MissingReply = z.strictObject({
  missing: z.array(SHA256).meta({
    description:
      'Digests of the blobs to send next: first those of the runs of the manifest, then those of the files.',
  }),
})
export type MissingReply = z.infer<typeof MissingReply>

export const CreatedDeployment = Deployment.extend(MissingReply.shape)
export type CreatedDeployment = z.infer<typeof CreatedDeployment>

export const FinishReply = Deployment.extend({
  notPublished: z.enum(['draft', 'locked', 'older']).optional().meta({
    description:
      'Why it is not live: it is a draft, the project is locked, or a newer deployment is live. For a preview, the only reason is that a newer deployment of its branch is shown.',
  }),
})
export type FinishReply = z.infer<typeof FinishReply>

export const DeploymentList = z.strictObject({
  deployments: z.array(Deployment),
  nextCursor: z.string().nullable(),
})
export type DeploymentList = z.infer<typeof DeploymentList>

export const PreviewList = z.strictObject({
  previews: z.array(
    z.strictObject({
      name: z.string().meta({ description: 'The first label of its host. Keep it secret.' }),
      branch: z.string(),
      url: z.string().optional(),
      deployment: z.string().meta({ description: 'The id of the deployment that it shows.' }),
      number: z.number().meta({ description: 'The number of that deployment.' }),
      changedAt: z.string().meta({ examples: [INSTANT] }),
      expiresAt: z.string(),
      runsScripts: z.boolean().meta({
        description: 'False while scripts of a fork wait for approval.',
      }),
    }),
  ),
})
export type PreviewList = z.infer<typeof PreviewList>

export const ApprovalBody = z.strictObject({
  deployment: z.string().meta({ description: 'The id of the deployment that you have looked at.' }),
})

export const PublishBody = z.strictObject({
  expectedLive: z.string().nullable().meta({
    description: 'The id of the live deployment that you have seen, or null if none is live.',
  }),
  acceptLooser: z.boolean().optional().meta({
    description:
      'Publish even if some pages become readable for more readers than now. Without it, such a rollback is refused with a list of the pages.',
  }),
})

export const LockBody = z.strictObject({ reason: storedText(1_000).min(1) })

export const PublicationReply = z.strictObject({
  live: z.string().nullable().meta({ description: 'The id of the live deployment.' }),
  liveNumber: z.number().nullable().meta({ description: 'The number of the live deployment.' }),
  lockReason: z.string().nullable(),
})
export type PublicationReply = z.infer<typeof PublicationReply>

export const BlobsReply = z.strictObject({
  stored: z.number(),
  refused: z.array(z.strictObject({ sha256: z.string(), reason: z.string() })),
})

export const LiveChunks = z.strictObject({
  chunks: z
    .array(
      z.tuple([
        z.number().meta({ description: 'The size of the chunk in bytes.' }),
        z.string().meta({ description: 'The first 16 digits of its SHA-256.' }),
      ]),
    )
    .meta({
      description: 'The chunks of the live file, in its order. Empty if there is no such file.',
    }),
})
export type LiveChunks = z.infer<typeof LiveChunks>

export const Project = z.strictObject({
  id: z.string().meta({ examples: ['prj_5kbu4k41mpelzrqs'] }),
  name: z.string(),
  slug: z.string(),
  url: z.string().optional().meta({
    description:
      'The address of its site, if the service hosts sites: its first custom domain with a certificate, or otherwise its host name on the service. The site is built for this address.',
  }),
  failOn: FailOn.optional().meta({
    description:
      'Findings that stop a deployment, if the project decides this instead of docs.json.',
  }),
  openGaps: z.number().optional().meta({
    description: 'The number of open gaps. It requires the scope `gaps:read`.',
  }),
  ...PublicationReply.shape,
})
export type Project = z.infer<typeof Project>

export const DeploymentDiff = z.strictObject({
  number: z.number().meta({ description: 'The number of the deployment.' }),
  base: z.string().nullable().meta({ description: 'The deployment that it is compared with.' }),
  baseNumber: z.number().nullable().meta({ description: 'The number of that deployment.' }),
  pages: z.strictObject({
    added: z.array(z.string()),
    changed: z.array(z.string()),
    removed: z.array(z.string()),
    moved: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  }),
  redirects: z.array(z.strictObject({ source: z.string(), destination: z.string() })).meta({
    description: 'Redirects for pages that moved. Add them to docs.json.',
  }),
  files: z.strictObject({ added: z.number(), changed: z.number(), removed: z.number() }),
})
export type DeploymentDiff = z.infer<typeof DeploymentDiff>
