/** Role `api`: the routes for owners, API keys and Git hosts, and the dashboard. */
import { hasScope } from '@octavo/contract'
import type { Hono } from 'hono'
import { askLive } from '../../answers/assistant/ask-live.ts'
import { assistantRoutes } from '../../answers/assistant/settings-routes.ts'
import { AssistantSettingsStore } from '../../answers/assistant/settings-store.ts'
import { conversationDetailsRoutes } from '../../answers/conversations/details-routes.ts'
import { DetailsStore } from '../../answers/conversations/details-store.ts'
import { conversationListRoutes } from '../../answers/conversations/list-routes.ts'
import { ConversationListStore } from '../../answers/conversations/list-store.ts'
import { conversationRoutes } from '../../answers/conversations/routes.ts'
import { ConversationStore } from '../../answers/conversations/store.ts'
import { gapRoutes } from '../../answers/gaps/routes.ts'
import { GapService } from '../../answers/gaps/service.ts'
import { shownAnswerRoutes } from '../../answers/gaps/shown-answer-routes.ts'
import { GapStore } from '../../answers/gaps/store.ts'
import { memberRoutes, personRoutes } from '../../people/members/routes.ts'
import { organizationRoutes } from '../../people/organizations/routes.ts'
import { sessionRoutes } from '../../people/sessions/routes.ts'
import { deviceRoutes } from '../../people/sign-in/devices/routes.ts'
import { passkeyRoutes } from '../../people/sign-in/passkeys/routes.ts'
import { auditRoutes } from '../../platform/audit/routes.ts'
import type { ProjectDatabase, Tenant } from '../../platform/database/database.ts'
import type { Route } from '../../platform/http/route.ts'
import type { AppBindings } from '../../platform/http/server.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { type Authenticator, createAuthenticator } from '../../projects/api-keys/authenticate.ts'
import { keyRoutes } from '../../projects/api-keys/routes.ts'
import { oidcRoutes } from '../../projects/ci-jobs/routes.ts'
import { findTrustProblem } from '../../projects/ci-jobs/trust.ts'
import { openJobTokenVerifier, PUBLIC_ISSUERS } from '../../projects/ci-jobs/verify-job-token.ts'
import { noticeRoutes } from '../../projects/notifications/routes.ts'
import { webhookRoutes } from '../../projects/notifications/webhooks/webhook-routes.ts'
import { newProjectRoutes } from '../../projects/projects/create-project.ts'
import { projectLifecycleRoutes } from '../../projects/projects/lifecycle-routes.ts'
import { projectListRoutes } from '../../projects/projects/list-routes.ts'
import { projectRoutes } from '../../projects/projects/routes.ts'
import { usageRoutes } from '../../projects/projects/usage-routes.ts'
import { buildRoutes } from '../../publishing/builds/routes.ts'
import { hookRoutes } from '../../publishing/connections/hook-routes.ts'
import { openGitHubFlow } from '../../publishing/connections/open-github-flow.ts'
import { connectionRoutes } from '../../publishing/connections/routes.ts'
import { endConnection } from '../../publishing/connections/store.ts'
import { apiChangeRoutes } from '../../publishing/deployments/api-change-routes.ts'
import { compatibleRoutes } from '../../publishing/deployments/compatible-routes.ts'
import { deltaRoutes } from '../../publishing/deployments/delta-routes.ts'
import { describeProject } from '../../publishing/deployments/describe-project.ts'
import { previewRoutes } from '../../publishing/deployments/preview-routes.ts'
import { PreviewStore } from '../../publishing/deployments/preview-store.ts'
import { proofRoutes } from '../../publishing/deployments/proof-routes.ts'
import { ProofStore } from '../../publishing/deployments/proof-store.ts'
import { deploymentRoutes } from '../../publishing/deployments/routes.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { namesOf } from '../../publishing/domains/site-address.ts'
import { accessRoutes } from '../../reading/access/routes.ts'
import { feedbackRoutes } from '../../reading/analytics/feedback-routes.ts'
import { eventRoutes } from '../../reading/analytics/routes.ts'
import { createGapDeployments } from '../../reading/libraries/shown-deployments.ts'
import type { Settings } from '../settings/env.ts'
import { Web } from '../web/web.ts'
import { createApp } from './app.ts'
import { createFrame } from './create-frame.ts'
import type { Parts } from './parts.ts'
import type { ServiceDeps } from './service.ts'
import type { ServiceBase } from './service-base.ts'

export type Api = {
  readonly app: Hono<AppBindings>
  readonly routes: readonly Route[]
  readonly authenticator: Authenticator
}

type ApiDeps = Pick<ServiceDeps, 'builds'> & { readonly metrics: Metrics }

export function createApi(ground: ServiceBase, parts: Parts, { builds, metrics }: ApiDeps): Api {
  const { settings, database, log, now } = ground
  const routes = [
    ...siteRoutes(ground, parts),
    ...ownerRoutes(ground, parts, builds),
    ...publishingRoutes(ground, parts),
    ...peopleRoutes(ground, parts),
  ]
  const authenticator = createAuthenticator({
    database,
    pepper: settings.pepper,
    now,
    log: (error) => log.error('last use of an API key was not stored', { error }),
  })
  const frame = createFrame({ settings, database, authenticator, sessions: parts.sessions, now })
  const web = openWeb(ground, parts, async (request, visitor) => app.fetch(request, visitor))
  const app = createApp({ routes, web, frame, log, metrics })
  return { app, routes, authenticator }
}

/** Returns the routes for conversations, deployments and builds. */
function siteRoutes(ground: ServiceBase, parts: Parts): readonly Route[] {
  const { database, readReplica, siteUrlOf, previewUrlOf, now } = ground
  const { deploymentsOf, gitBuilds } = parts
  const onBrokenStream = createOnBrokenStream(ground)
  const conversationsOf = (tenant: Tenant) =>
    new ConversationStore(database.forProject(tenant), readReplica?.(tenant))
  const previewsOf = (tenant: Tenant) => ({
    store: new PreviewStore(database.forProject(tenant)),
    urlOf: previewUrlOf,
    onApproved: () => gitBuilds.notifyHost(tenant),
  })
  return [
    ...conversationDetailsRoutes((tenant) => new DetailsStore(database.forProject(tenant))),
    ...conversationRoutes({ conversationsOf, now, onBrokenStream }),
    ...deploymentRoutes(deploymentsOf, async ({ tenant, scopes }) => {
      const bound = database.forProject(tenant)
      return {
        ...(await describeProject(new DeploymentStore(bound), siteUrlOf)),
        ...(hasScope(scopes, 'gaps:read') && { openGaps: await new GapStore(bound).countOpen() }),
      }
    }),
    ...apiChangeRoutes(parts.apiChangesOf),
    ...proofRoutes({
      proofsOf: (tenant) => new ProofStore(database.forProject(tenant)),
      deploymentsOf: (tenant) => new DeploymentStore(database.forProject(tenant)),
      now,
    }),
    ...deltaRoutes((tenant) => deploymentsOf(tenant).deltas),
    ...previewRoutes(previewsOf),
    ...buildRoutes({ buildsOf: (tenant) => gitBuilds.of(tenant), onBrokenStream, now }),
    ...gapRoutes((tenant) => new GapService(database.forProject(tenant))),
  ]
}

/** Returns the routes that owners use for a project, except those for its site. */
function ownerRoutes(
  ground: ServiceBase,
  { answers, cache, gitBuilds }: Parts,
  builds: ServiceDeps['builds'],
): readonly Route[] {
  const { settings, database, readReplica, log, now } = ground
  const databaseOf = database.forProject
  const issuers = [...PUBLIC_ISSUERS, ...settings.oidcIssuers].map(({ name }) => name)
  const onBrokenStream = createOnBrokenStream(ground)
  const onError = (error: unknown) => log.error('answering a question failed', { error })
  const live = answers && cache && { ...ground, parts: answers, cache, onError }
  return [
    ...conversationListRoutes({
      listOf: (tenant) => new ConversationListStore(databaseOf(tenant), readReplica?.(tenant)),
      now,
      onBrokenStream,
    }),
    ...eventRoutes({ database, cache, now }),
    ...feedbackRoutes({ database, now }),
    ...keyRoutes({ databaseOf, pepper: settings.pepper, now }),
    ...auditRoutes({ database, onBrokenStream }),
    ...projectRoutes({
      databaseOf,
      readTokens: (bound) => readTokens(bound, settings.assistant),
      findTrustProblem: (text) => findTrustProblem(text, issuers),
      now,
    }),
    ...usageRoutes({
      database,
      databaseOf,
      readTokens: (bound) => readTokens(bound, settings.assistant),
      now,
    }),
    ...webhookRoutes({ ...settings, databaseOf, now }),
    ...noticeRoutes({ databaseOf, canEmail: settings.signIn.mail !== undefined }),
    ...assistantRoutes({
      databaseOf,
      settings,
      askLive: live && ((tenant, text) => askLive(live, tenant, text)),
    }),
    ...shownAnswerRoutes(async (tenant, deploymentId) => {
      if (live === undefined) return undefined
      const deployments = createGapDeployments({ ...live, libraries: live.parts.libraries }, tenant)
      return deployments.libraryOf(deploymentId)
    }),
    ...accessRoutes({ databaseOf, pepper: settings.pepper, secretKeys: settings.secretKeys }),
    ...connectionRoutes({ ...ground, git: builds?.git, gitHubApp: gitBuilds.gitHubApp }),
  ]
}

async function readTokens(database: ProjectDatabase, standard: Settings['assistant']) {
  const assistant = new AssistantSettingsStore(database)
  const { tokensPerMonth = standard.tokensPerMonth } = await assistant.read()
  const { month } = await assistant.use()
  return { month: month.used, monthMax: tokensPerMonth ?? null }
}

function publishingRoutes(ground: ServiceBase, parts: Parts): readonly Route[] {
  return [
    ...parts.domains.routes,
    ...compatibleRoutes(parts.deploymentsOf, (tenant) => parts.gitBuilds.of(tenant)),
    ...hookRoutes(ground),
  ]
}

/**
 * Returns the routes for people, sessions and organizations, and for deleting and moving projects.
 */
function peopleRoutes(ground: ServiceBase, { sessions }: Parts): readonly Route[] {
  const { settings, database, siteUrlOf, mailer, now } = ground
  const { pepper, url } = settings
  return [
    ...personRoutes(database),
    ...projectListRoutes({ database, siteUrlOf }),
    ...newProjectRoutes(database),
    ...memberRoutes({ database, pepper, url, mailer }),
    ...sessionRoutes(database),
    ...deviceRoutes({ database, sessions, pepper, url }),
    ...projectLifecycleRoutes({ database, endConnection, now }),
    ...organizationRoutes({ database, now }),
    ...passkeyRoutes({ database, pepper, url, now }),
    ...oidcRoutes({ database, pepper, verify: openJobTokenVerifier(settings, now), now }),
  ]
}

const createOnBrokenStream =
  ({ log }: ServiceBase) =>
  (error: unknown) =>
    log.error('stream failed', { error })

type CallApi = ConstructorParameters<typeof Web>[0]['callApi']

/** Opens the dashboard and sign-in; undefined if the service's own URL is not set. */
function openWeb(ground: ServiceBase, parts: Parts, callApi: CallApi): Web | undefined {
  const { settings, database, mailer, log, now } = ground
  const { url, pepper, signIn } = settings
  if (url === undefined) return undefined
  return new Web({
    database,
    sessions: parts.sessions,
    pepper,
    signIn,
    mailer,
    url,
    siteNames: namesOf(settings),
    gitHub: openGitHubFlow(settings, parts.gitBuilds.gitHubApp, now),
    callApi,
    onError: (error) => log.error('dashboard failed', { error }),
    now,
  })
}
