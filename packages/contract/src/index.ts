/**
 * The wire format of the API, shared by the service and its callers. It does not depend on how data
 * is stored.
 */
export {
  AccessBody,
  AccessReply,
  CreatedReaderToken,
  GROUP_LENGTH_MAX,
  GROUPS_MAX,
  isSecureIssuer,
  PREVIEW_ACCESS,
  PROTECTIONS,
  type Protection,
  type PublicJwk,
  type ReaderSignInMethod,
  type ReaderToken,
  ReaderTokenBody,
  ReaderTokenList,
} from './access.ts'
export {
  AgentList,
  DayList,
  FEEDBACK_SORTS,
  FEEDBACK_SOURCES,
  FEEDBACK_STATES,
  Feedback,
  FeedbackBody,
  FeedbackList,
  FeedbackSummary,
  NotFoundList,
  PageFeedbackList,
  READERS,
  ReadList,
  ReferrerList,
  SearchList,
  UnreadPageList,
  UseList,
  ViewList,
  VisitorList,
} from './analytics.ts'
export { API_LEVELS, ApiChange, ApiChangesReply, SpecificationFiles } from './api-changes.ts'
export { ApiKey, ApiKeyBody, ApiKeyList, CreatedApiKey, RotateKeyBody } from './api-keys.ts'
export { AssistantAnswer, AssistantBody, AssistantQuestion, AssistantReply } from './assistant.ts'
export { ASSISTANT_LIMITS, LEASE_MS, SAVE_EVERY_MS } from './assistant-limits.ts'
export { AuditEntry, AuditList } from './audit.ts'
export {
  BUILD_STATES,
  Build,
  BuildDiagnostics,
  BuildList,
  BuildLogLine,
  FailedBuild,
} from './builds.ts'
export { ExchangeBody, ExchangeReply } from './ci-jobs.ts'
export {
  ConnectionBody,
  ConnectionChange,
  ConnectionReply,
  CreatedConnection,
  DeliveryList,
  HookReply,
  PROVIDER_KINDS,
  type ProviderKind,
} from './connections.ts'
export {
  ConversationDetails,
  ConversationDetailsList,
  UNANSWERED_REASONS,
  WholeConversation,
} from './conversation-details.ts'
export {
  BackfillList,
  IMPORTS_PER_HOUR,
  ImportBody,
  ImportedConversation,
  ImportReply,
  LIMIT_DEFAULT,
  LIMIT_MAX,
} from './conversation-imports.ts'
export {
  CategoryList,
  Conversation,
  ConversationList,
  ConversationPage,
  FEEDBACKS,
} from './conversations.ts'
export { printCsvLine } from './csv.ts'
export {
  ApprovalBody,
  BlobsReply,
  CreatedDeployment,
  Deployment,
  DeploymentBody,
  DeploymentDiff,
  DeploymentList,
  FinishReply,
  LiveChunks,
  LockBody,
  MissingReply,
  PreviewList,
  Project,
  PublicationReply,
  PublishBody,
} from './deployments.ts'
export { DeviceBody, DeviceReply, DeviceTokenBody, DeviceTokenReply } from './devices.ts'
export { displayName } from './display-name.ts'
export {
  counterpartOf,
  DOMAIN_CHECK_NAMES,
  Domain,
  DomainBody,
  DomainChange,
  type DomainCheck,
  type DomainCheckName,
  type DomainChecks,
  DomainList,
} from './domains.ts'
export {
  type AnswerForecast,
  GAP_SORTS,
  GAP_STATES,
  Gap,
  type GapAction,
  GapBody,
  GapChange,
  GapForecast,
  GapList,
  GapsBody,
  NewGapBody,
} from './gaps.ts'
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
  SessionList,
} from './members.ts'
export {
  CONTEXT_TOKENS,
  MODEL_FORMATS,
  ModelChoice,
  type ModelFormat,
  type ModelSettings,
} from './model-settings.ts'
export {
  NOTICE_ADDRESSES_MAX,
  NOTICE_KINDS,
  type NoticeKind,
  NoticesBody,
  NoticesReply,
} from './notices.ts'
export { DeleteOrganizationBody, OrganizationBody, OrganizationReply } from './organizations.ts'
export {
  Passkey,
  PasskeyBody,
  PasskeyList,
  PasskeyOptions,
  RecoveryCodes,
  SavedCodesBody,
} from './passkeys.ts'
export { ProblemReply } from './problem.ts'
export { ListedProject, PROJECT_SORTS, PROJECT_STATES, ProjectList } from './project-list.ts'
export {
  DeletedProject,
  DeleteProjectBody,
  DocsSetting,
  DocsSettingsReply,
  FailOn,
  Overview,
  ProjectContents,
  ProjectSettingsBody,
  ProjectSettingsReply,
  Slug,
  TransferBody,
  type WebhookAttempt,
  WebhookBody,
  WebhookReply,
  WebhookTestReply,
} from './projects.ts'
export { mayGrant, ROLE_SCOPES, ROLES, type Role, scopesInProject } from './roles.ts'
export { PROOF_LIMITS, ProofBody, ProofReply } from './sample-proofs.ts'
export {
  hasScope,
  KEY_KINDS,
  KEY_SCOPES,
  type KeyKind,
  type KeyScope,
  SCOPES,
  type Scope,
} from './scopes.ts'
export { ShownAnswersBody, ShownAnswersReply } from './shown-answers.ts'
export { PreviewBody, StartedUpdate, UpdateStatus } from './updates.ts'
export { OrganizationUsage, type UsageCounts, UsageReply } from './usage.ts'
