/** What crosses the wire, for us and for those who call us. Nothing here knows how it is stored. */
import { z } from 'zod'
import { QUERY, RESPONSE, SOURCES } from './conversations/conversation-contract.ts'

export {
  AccessBody,
  AccessReply,
  CreatedReaderToken,
  PREVIEW_ACCESS,
  PROTECTIONS,
  ReaderTokenBody,
  ReaderTokenList,
} from './access/access-contract.ts'
export {
  ApiKey,
  ApiKeyBody,
  ApiKeyList,
  CreatedApiKey,
  RotateKeyBody,
} from './api-keys/key-contract.ts'
export {
  AssistantAnswer,
  AssistantBody,
  AssistantQuestion,
  AssistantReply,
} from './assistant/settings-contract.ts'
export { AuditEntry, AuditList } from './audit/audit-contract.ts'
export {
  BUILD_STATES,
  Build,
  BuildDiagnostics,
  BuildList,
  BuildLogLine,
} from './builds/build-contract.ts'
export {
  ConnectionBody,
  ConnectionChange,
  ConnectionReply,
  ConnectionTest,
  CreatedConnection,
  DeliveryList,
} from './connections/connection-contract.ts'
export {
  Conversation,
  ConversationList,
  ConversationPage,
  FEEDBACKS,
  Source,
} from './conversations/conversation-contract.ts'
export {
  ConversationDetails,
  ConversationDetailsList,
  UNANSWERED_REASONS,
  WholeConversation,
} from './conversations/details-contract.ts'
export { UpdateStatus } from './deployments/update-contract.ts'
export { DeviceReply, DeviceTokenReply } from './devices/device-contract.ts'
export {
  counterpartOf,
  Domain,
  DomainBody,
  DomainChange,
  DomainList,
  LIGHT_NAMES,
} from './domains/domain-contract.ts'
export {
  DayList,
  FEEDBACK_SOURCES,
  FEEDBACK_STATES,
  Feedback,
  FeedbackBody,
  FeedbackList,
  NotFoundList,
  PageFeedbackList,
  ReferrerList,
  SearchList,
  UnreadPageList,
  UseList,
  ViewList,
  VisitorList,
} from './events/event-contract.ts'
export { GAP_STATES, Gap, GapBody, GapForecast, GapList } from './gaps/gap-contract.ts'
export {
  CreatedInvitation,
  CreatedProject,
  Invitation,
  InvitationBody,
  InvitationList,
  Me,
  Member,
  MemberBody,
  MemberList,
  NewProjectBody,
  RoleName,
  SessionList,
} from './members/member-contract.ts'
export { mayGrant, ROLE_SCOPES, ROLES, type Role, scopesInProject } from './members/roles.ts'
export {
  NOTICE_ADDRESSES_MAX,
  NOTICE_KINDS,
  type NoticeKind,
  NoticesBody,
  NoticesReply,
} from './notices/notice-contract.ts'
export { ExchangeBody, ExchangeReply } from './oidc/exchange-contract.ts'
export {
  DeleteOrganizationBody,
  OrganizationBody,
  OrganizationReply,
} from './organizations/organization-contract.ts'
export { PasskeyList, RecoveryCodes } from './passkeys/passkey-contract.ts'
export {
  DeletedProject,
  DeleteProjectBody,
  Overview,
  ProjectContents,
  ProjectSettingsBody,
  ProjectSettingsReply,
  TransferBody,
} from './projects/project-contract.ts'

export const LIMIT_DEFAULT = 100
/** Requests that import conversations, for one project. */
export const IMPORTS_PER_HOUR = 1_200
export const LIMIT_MAX = 1_000
/** Conversations in one import. */
export const IMPORT_MAX = 1_000

const ID = '01KG9YS7G0CPZHN1J3EKWGC1Y1'
const INSTANT = '2026-01-31T12:00:00.000Z'
/** PostgreSQL cannot hold NUL, and a lone surrogate is no text. */
const storedText = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .refine(
      (value) => !value.includes('\u0000') && value.isWellFormed(),
      'contains characters that cannot be stored',
    )

export const ImportedConversation = z.strictObject({
  questionId: storedText(100)
    .min(1)
    .meta({
      description: 'Idempotency key of the turn: sending it again changes nothing.',
      examples: ['turn-1'],
    }),
  query: storedText(100_000).meta({ description: "The reader's question.", ...QUERY }),
  response: storedText(1_000_000).meta({ description: "The assistant's answer.", ...RESPONSE }),
  sources: z
    .array(z.strictObject({ title: storedText(1_000), url: storedText(4_000) }))
    .max(100)
    .meta({ description: 'Pages that the answer refers to.', ...SOURCES }),
  resolutionStatus: z.enum(['answered', 'unanswered']),
  queryCategory: storedText(200).optional(),
  threadId: storedText(200).optional(),
  pageUrl: storedText(4_000).optional(),
  timestamp: z
    .string()
    .optional()
    .meta({
      description:
        'Only for imported history: a timestamp before the newest published conversation.',
      examples: [INSTANT],
    }),
})
export type ImportedConversation = z.infer<typeof ImportedConversation>

export const ImportBody = z.strictObject({
  conversations: z.array(ImportedConversation).min(1).max(IMPORT_MAX),
})

const RANGE = {
  firstId: z.string().meta({ description: 'The first id of the range.', examples: [ID] }),
  lastId: z.string().meta({ description: 'The last id of the range.', examples: [ID] }),
  count: z.number().meta({ description: 'Number of imported conversations.', examples: [1] }),
}

export const ImportReply = z.strictObject({
  ids: z.array(z.string()).meta({
    description: 'The id of each conversation, in the order sent.',
    examples: [[ID]],
  }),
  backfill: z.strictObject(RANGE).optional().meta({
    description:
      'Range of ids that were added to the history; incremental clients must read it again.',
  }),
})

/** Imports into the past, newest first: what an incremental client has to read again. */
export const BackfillList = z.strictObject({
  backfills: z.array(
    z.strictObject({
      at: z.string().meta({ description: 'When it was imported.', examples: [INSTANT] }),
      ...RANGE,
    }),
  ),
})

/** RFC 9457. `code` is stable and for programs; `detail` is for people. */
export const ProblemReply = z.strictObject({
  type: z.string().meta({ description: 'The kind of problem, as a URI reference.' }),
  title: z.string().meta({ description: 'The kind of problem, for people.' }),
  status: z.number().meta({ description: 'The HTTP status.' }),
  code: z.string().meta({ description: 'The kind of problem, for programs. It does not change.' }),
  detail: z.string().meta({ description: 'What is wrong with this request. It may change.' }),
  param: z.string().optional().meta({ description: 'The part of the request that is wrong.' }),
  errors: z
    .array(z.strictObject({ path: z.string(), reason: z.string() }))
    .optional()
    .meta({ description: 'Everything that is wrong, where there can be more than one thing.' }),
  requestId: z.string().meta({ description: 'The same as in `X-Request-Id`.' }),
})

const SHA256 = z
  .string()
  .regex(/^[\da-f]{64}$/, { error: 'Expected a SHA-256 in lower-case hexadecimal.' })

/** A deployment, as its project sees it. */
export const Deployment = z.strictObject({
  id: z.string().meta({ description: 'ULID.', examples: [ID] }),
  number: z.number().meta({ description: 'The order in which deployments were accepted.' }),
  state: z
    .enum(['uploading', 'ready', 'live', 'superseded', 'failed', 'cancelled', 'expired', 'removed'])
    .meta({
      description:
        '`uploading` until it is finished; `ready` when it can be published; `superseded` when it was live before; `expired` when it was not finished within a day or is no longer kept; `removed` when the operator took it down.',
    }),
  target: z.enum(['production', 'preview']).meta({
    description: '`preview` if it is shown at the preview of its branch instead of the site.',
  }),
  draft: z.boolean(),
  branch: z.string().optional(),
  message: z.string().optional(),
  commit: z.string().optional(),
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
    description: '`preview` shows it at the preview of its branch, and does not change the site.',
  }),
  draft: z.boolean().default(false).meta({ description: 'Finish without publishing.' }),
  branch: storedText(250).optional().meta({ description: 'Required for a preview.' }),
  message: storedText(1_000).optional(),
  commit: storedText(100).optional(),
  acceptPublic: z.boolean().optional().meta({
    description:
      'Take the deployment although docs.json asks readers to sign in (`auth`, `userAuth`) and everyone can read the project. Without it, such a deployment is refused with 409.',
  }),
})

export const MissingReply = z.strictObject({
  missing: z.array(SHA256).meta({
    description: 'Digests of what has to be sent next: first runs of the manifest, then files.',
  }),
})
export type MissingReply = z.infer<typeof MissingReply>

export const CreatedDeployment = Deployment.extend(MissingReply.shape)
export type CreatedDeployment = z.infer<typeof CreatedDeployment>

export const FinishReply = Deployment.extend({
  notPublished: z.enum(['draft', 'locked', 'older']).optional().meta({
    description:
      'Why it is not live: a draft, a locked project, or a newer one is live. A preview is not shown only if a newer one of its branch is.',
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
      'Publish also if more readers than now could then read some pages. Without it, such a rollback is refused with a list of the pages.',
  }),
})

export const LockBody = z.strictObject({ reason: storedText(1_000).min(1) })

export const PublicationReply = z.strictObject({
  live: z.string().nullable().meta({ description: 'The id of the live deployment.' }),
  lockReason: z.string().nullable(),
})
export type PublicationReply = z.infer<typeof PublicationReply>

export const UsageReply = z.strictObject({
  storage: z.strictObject({
    bytes: z.number().meta({ description: 'Bytes that all projects of the organization store.' }),
    bytesMax: z.number().nullable().meta({ description: 'The limit; null if there is none.' }),
  }),
  readers: z.strictObject({ requests: z.number(), bytes: z.number() }).meta({
    description: 'Requests to the site in the last 30 days, and the bytes of the responses.',
  }),
  deployments: z.number().meta({ description: 'Deployments in the last 30 days.' }),
})

export const BlobsReply = z.strictObject({
  stored: z.number(),
  refused: z.array(z.strictObject({ sha256: z.string(), reason: z.string() })),
})

export const Project = z.strictObject({
  id: z.string().meta({ examples: ['prj_5kbu4k41mpelzrqs'] }),
  name: z.string(),
  slug: z.string(),
  url: z.string().optional().meta({
    description:
      'Where its site is, if the service hosts sites: its first custom domain with a certificate, or its host name of the service. Sites are built for it.',
  }),
  ...PublicationReply.shape,
})
export type Project = z.infer<typeof Project>

export const DeploymentDiff = z.strictObject({
  base: z.string().nullable().meta({ description: 'The deployment that it is compared with.' }),
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

export const HookReply = z.strictObject({
  result: z.enum(['accepted', 'duplicate', 'ignored']).meta({
    description:
      '`duplicate` if a webhook with the same delivery id was accepted before. `ignored` if a delivery of the GitHub App is about no connected repository.',
  }),
})

export const StartedUpdate = z.strictObject({
  statusId: z.string().meta({ description: 'The id to read the status with.', examples: [ID] }),
})

export const PreviewBody = z.strictObject({
  branch: storedText(250).min(1).meta({ description: 'The branch to build.' }),
})
