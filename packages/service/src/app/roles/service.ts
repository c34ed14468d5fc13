import type { Server } from 'node:http'
import { openAnswerParts, openAssistant } from '../../answers/assistant/open-assistant.ts'
import { conversationDetailsRoutes } from '../../answers/conversations/details-routes.ts'
import { createDetailsStore } from '../../answers/conversations/details-store.ts'
import { conversationRoutes } from '../../answers/conversations/routes.ts'
import { createConversationStore } from '../../answers/conversations/store.ts'
import { createGapService } from '../../answers/gaps/gap-service.ts'
import { createGapStore } from '../../answers/gaps/gap-store.ts'
import { gapRoutes } from '../../answers/gaps/routes.ts'
import { GAPS_QUEUE } from '../../answers/gaps/run-gaps.ts'
import { openVectors } from '../../answers/vectors/open-vectors.ts'
import { openJobTokenVerifier } from '../../people/identity/verify-job-token.ts'
import { memberRoutes } from '../../people/members/routes.ts'
import { organizationRoutes } from '../../people/organizations/routes.ts'
import { sessionRoutes } from '../../people/sessions/routes.ts'
import { createSessions } from '../../people/sessions/sessions.ts'
import { isForFile } from '../../people/sign-in/command-line-file.ts'
import { deviceRoutes } from '../../people/sign-in/devices/routes.ts'
import { passkeyRoutes } from '../../people/sign-in/passkeys/routes.ts'
import { createSetupLink } from '../../people/sign-in/setup-link.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { type Database, openDatabase, type Tenant } from '../../platform/database/database.ts'
import { findStartProblem } from '../../platform/database/find-start-problem.ts'
import { createReplicaReader } from '../../platform/database/replica.ts'
import { bodyLimits } from '../../platform/http/body-limits.ts'
import { createFindClientAddress } from '../../platform/http/client-address.ts'
import type { Route } from '../../platform/http/route.ts'
import { createHttpServer } from '../../platform/http/server.ts'
import { stopServer } from '../../platform/http/stop-server.ts'
import { createJobSender } from '../../platform/jobs/job-queue.ts'
import { createMailer } from '../../platform/mail/mailer.ts'
import { Problem } from '../../platform/problem.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { createTraces } from '../../platform/telemetry/traces.ts'
import { createAuthenticator } from '../../projects/api-keys/authenticate.ts'
import { oidcRoutes } from '../../projects/ci-jobs/routes.ts'
import { openNotices } from '../../projects/notifications/open-notices.ts'
import { createWebhookStore } from '../../projects/notifications/webhooks/store.ts'
import { lifeRoutes } from '../../projects/projects/life-routes.ts'
import type { NewBuild } from '../../publishing/builds/build.ts'
import { createGitBuilds, type GitPorts } from '../../publishing/builds/git-builds.ts'
import { buildRoutes } from '../../publishing/builds/routes.ts'
import { hookRoutes } from '../../publishing/connections/hook-routes.ts'
import { openGitHubFlow } from '../../publishing/connections/open-github-flow.ts'
import { compatibleRoutes } from '../../publishing/deployments/compatible-routes.ts'
import {
  createDeploymentService,
  describeProject,
} from '../../publishing/deployments/deployment-service.ts'
import { previewRoutes } from '../../publishing/deployments/preview-routes.ts'
import { createPreviewStore } from '../../publishing/deployments/preview-store.ts'
import { deploymentRoutes } from '../../publishing/deployments/routes.ts'
import { createDeploymentStore } from '../../publishing/deployments/store.ts'
import { openDomains } from '../../publishing/domains/open-domains.ts'
import { targetForRole } from '../../publishing/domains/site-address.ts'
import { createAgentReports } from '../../reading/analytics/agent-reports.ts'
import { createEventRecorder } from '../../reading/analytics/event-recorder.ts'
import { createBlobCache } from '../../reading/hosting/blob-cache.ts'
import { openHosting } from '../../reading/hosting/open-hosting.ts'
import { createSiteUrls } from '../../reading/hosting/site-urls.ts'
import { createSiteMcp } from '../../reading/mcp/site-mcp.ts'
import { namesOf, type Settings } from '../settings/env.ts'
import { Web } from '../web/web.ts'
import { createAdminServer } from './admin-server.ts'
import { createApp } from './app.ts'
import { createFrame } from './create-frame.ts'
import { findOutage } from './find-outage.ts'
import { ownerRoutes } from './owner-routes.ts'
import { createServiceMetrics } from './service-metrics.ts'
import { createWorker } from './worker.ts'

export const ROLES = ['api', 'worker', 'host', 'all'] as const
export type Role = (typeof ROLES)[number]

export type ServiceDeps = {
  readonly settings: Settings
  /** Where files of sites are. Without it nothing can be deployed. */
  readonly blobs?: BlobStore | undefined
  /** Reads repositories. Without it, or without blobs, nothing is built in this process. */
  readonly builds?: GitPorts | undefined
  /** A process of one role answers for its names alone. */
  readonly role?: Role
  readonly writeLog: (line: string) => void
  readonly now: () => number
}

export type Service = {
  readonly server: Server
  /** Health and metrics. */
  readonly adminServer: Server
  /** Why the service must not start on this database; nothing when all is well. */
  readonly findStartProblem: () => Promise<string | undefined>
  /** Where the first owner sets the service up; nothing once there are users. */
  readonly createSetupLink: () => Promise<string | undefined>
  /** Begins the work of role `worker`; `stop` ends it. */
  readonly startWorker: () => Promise<void>
  readonly database: Database
  readonly acceptBuild: (tenant: Tenant, build: NewBuild) => Promise<string>
  readonly routes: readonly Route[]
  /** Writes what is written behind replies: the last uses of keys, what readers were sent, and traces. */
  readonly flush: () => Promise<void>
  readonly stop: () => Promise<void>
}

const isWorkerRole = (role: Role) => role === 'worker' || role === 'all'

/** Whether a process runs background jobs. */
export const hasWorker = (role: Role, { isReadOnly }: Pick<Settings, 'isReadOnly'>) =>
  isWorkerRole(role) && !isReadOnly

/** Puts the parts together: one database, one app, one server. */
export function createService({
  settings,
  blobs,
  builds,
  role = 'all',
  writeLog,
  now,
}: ServiceDeps): Service {
  const database = openDatabase({
    url: settings.databaseUrl,
    connections: settings.databaseConnections,
  })
  const log = createLog(writeLog, now)
  const traces = settings.traces && createTraces({ settings: settings.traces, role, log, now })
  const metrics = createServiceMetrics({
    settings,
    database,
    isWorker: isWorkerRole(role),
    countAnswers: () => assistant?.running() ?? 0,
    traces,
    log,
    now,
  })
  const replica =
    settings.replicaUrl === undefined
      ? undefined
      : openDatabase({ url: settings.replicaUrl, connections: settings.databaseConnections })
  const readReplica =
    replica && createReplicaReader(replica, now, (error) => log.error('replica failed', { error }))
  const conversationsOf = (tenant: Tenant) =>
    createConversationStore(database.forProject(tenant), readReplica?.(tenant))
  const onBrokenStream = (error: unknown) => log.error('stream failed', { error })
  const names = namesOf(settings)
  const { siteUrlOf, previewUrlOf, originOf } = createSiteUrls(settings)
  const jobSender = createJobSender({ database, log })
  const findClientAddress = createFindClientAddress(settings.trustedProxies)
  const queueGapsOf = async (tenant: Tenant) => {
    const bound = database.forProject(tenant)
    if ((await createGapStore(bound).workSince()) === undefined) return
    await jobSender.start()
    await bound.transaction((query) => jobSender.send(GAPS_QUEUE, tenant, query))
  }
  const vectors = openVectors({ settings, database, blobs, jobSender, log, now })
  const deploymentsOf = (tenant: Tenant) => {
    if (blobs === undefined)
      throw new Problem('conflict', 'This service stores no sites: OCTAVO_BLOBS is not set.')
    return createDeploymentService({
      store: createDeploymentStore(database.forProject(tenant)),
      previews: createPreviewStore(database.forProject(tenant)),
      blobs,
      siteUrlOf,
      previewUrlOf,
      prepareWebhook: async () => {
        if (!(await createWebhookStore(database.forProject(tenant)).isSet())) return undefined
        await jobSender.start()
        return (query) => jobSender.send('webhook', tenant, query)
      },
      onReleased: async () => {
        await vectors?.queue(tenant)
        await queueGapsOf(tenant)
      },
      now,
    })
  }
  const gitBuilds = createGitBuilds({
    settings,
    database,
    blobs,
    ports: builds,
    jobSender,
    deploymentsOf,
    siteUrlOf,
    previewUrlOf,
    now,
    log,
  })
  const previewsOf = (tenant: Tenant) => ({
    store: createPreviewStore(database.forProject(tenant)),
    urlOf: previewUrlOf,
    onApproved: () => gitBuilds.tellHost(tenant),
  })
  const cache = blobs && createBlobCache(blobs, settings.hostCacheBytes)
  const parts =
    blobs &&
    cache &&
    openAnswerParts({ settings, blobs, cache, vectors: vectors?.ofDeployments, log, now })
  const sessions = createSessions(database, settings.pepper, settings.signIn)
  const { mail } = settings.signIn
  const mailer = mail && createMailer(mail, (error) => log.error('a mail was not sent', { error }))
  const notices = openNotices({ settings, database, jobSender, mailer, now, log })
  const domains = openDomains({ settings, database, siteUrlOf, log, now })
  const routes = [
    ...conversationDetailsRoutes((tenant) => createDetailsStore(database.forProject(tenant))),
    ...conversationRoutes({ conversationsOf, now, onBrokenStream }),
    ...deploymentRoutes(deploymentsOf, (tenant) =>
      describeProject(createDeploymentStore(database.forProject(tenant)), siteUrlOf),
    ),
    ...previewRoutes(previewsOf),
    ...buildRoutes({ buildsOf: gitBuilds.of, onBrokenStream, now }),
    ...gapRoutes((tenant) => createGapService(database.forProject(tenant))),
    ...ownerRoutes({
      settings,
      database,
      readReplica,
      jobSender,
      git: builds?.git,
      gitHubApp: gitBuilds.gitHubApp,
      parts,
      cache,
      siteUrlOf,
      onBrokenStream,
      log,
      now,
    }),
    ...domains.routes,
    ...compatibleRoutes(deploymentsOf, gitBuilds.of),
    ...hookRoutes({ database, jobSender }),
    ...memberRoutes({ database, pepper: settings.pepper, url: settings.url, mailer }),
    ...sessionRoutes(database),
    ...deviceRoutes({ database, sessions, pepper: settings.pepper, url: settings.url }),
    ...lifeRoutes({ database, now }),
    ...organizationRoutes({ database, now }),
    ...passkeyRoutes({ database, pepper: settings.pepper, url: settings.url, now }),
    ...oidcRoutes({
      database,
      pepper: settings.pepper,
      verify: openJobTokenVerifier(settings, now),
      now,
    }),
  ]
  const assistant =
    parts && openAssistant({ settings, database, parts, originOf, findClientAddress, log, now })
  const recorder = createEventRecorder({
    database,
    findClientAddress,
    now,
    onError: (error) => log.error('what readers did was not stored', { error }),
  })
  const mcp =
    parts &&
    createSiteMcp({
      parts,
      recorder,
      reports: createAgentReports(database, now),
      originOf,
      findClientAddress,
      log,
      now,
    })
  const hosting =
    blobs &&
    cache &&
    assistant &&
    mcp &&
    openHosting({
      settings,
      database,
      blobs,
      cache,
      assistant,
      mcp,
      recorder,
      originOf,
      findClientAddress,
      onAnswer: metrics.observe,
      log,
      now,
    })
  const authenticator = createAuthenticator({
    database,
    pepper: settings.pepper,
    now,
    log: (error) => log.error('last use of an API key was not stored', { error }),
  })
  const web =
    settings.url === undefined
      ? undefined
      : new Web({
          database,
          sessions,
          pepper: settings.pepper,
          signIn: settings.signIn,
          mailer,
          url: settings.url,
          siteNames: names,
          gitHub: openGitHubFlow(settings, gitBuilds.gitHubApp, now),
          callApi: async (request, visitor) => app.fetch(request, visitor),
          onError: (error) => log.error('dashboard failed', { error }),
          now,
        })
  const app = createApp({
    routes,
    web,
    frame: createFrame({ settings, database, authenticator, sessions, now }),
    log,
    metrics,
  })
  const server = createHttpServer({
    url: settings.url,
    app,
    findClientAddress,
    targetOf: (host) => targetForRole(host, names, role),
    domainTargetOf: (host, path) => {
      if (role !== 'host' && isForFile(settings.url, host, path)) return { kind: 'api' }
      return role === 'api' ? undefined : domains.targetOf(host, path)
    },
    sites: hosting?.sites,
    bodyLimitOf: bodyLimits(routes),
  })
  // Not before: a database that is not up to date is told of once, and not by everything that reads it.
  server.once('listening', () => {
    if (names.sites === undefined || (role !== 'host' && role !== 'all')) return
    domains.start()
    hosting?.start()
  })
  const worker = createWorker({
    settings,
    database,
    blobs,
    cache,
    parts,
    gitBuilds,
    notices,
    domains,
    vectors,
    deploymentsOf,
    siteUrlOf,
    queueGapsOf,
    traces,
    log,
    now,
  })
  let isStopping = false
  const adminServer = createAdminServer({
    metrics,
    findProblem: () =>
      findOutage({
        isStopping: () => isStopping,
        server: role === 'worker' ? undefined : server,
        worker: hasWorker(role, settings) ? worker : undefined,
        database,
        blobs,
      }),
    answerAsk: (askedUrl) => domains.answerAsk(askedUrl, hosting?.hasSite),
  })
  return {
    server,
    adminServer,
    database,
    acceptBuild: async (tenant, build) => {
      await jobSender.start()
      return database
        .forProject(tenant)
        .transaction((query) => gitBuilds.acceptBuild(query, tenant, build))
    },
    routes,
    createSetupLink: async () =>
      settings.url === undefined || settings.isReadOnly
        ? undefined
        : createSetupLink(database, { pepper: settings.pepper, url: settings.url }),
    findStartProblem: async () =>
      (await findStartProblem(database, settings)) ??
      // A process of the API neither asks the model nor computes vectors.
      (role === 'api' ? undefined : await vectors?.findProblem()),
    startWorker: worker.start,
    flush: async () => {
      await Promise.all([authenticator.flush(), hosting?.flush(), traces?.flush()])
    },
    stop: async () => {
      isStopping = true
      hosting?.stopReading()
      domains.stop()
      const endAnswers = async () => assistant?.stop()
      await Promise.all([stopServer(server, endAnswers), worker.stop()])
      await endAnswers()
      vectors?.close()
      await jobSender.stop()
      await Promise.all([authenticator.flush(), hosting?.stop(), mailer?.stop(), traces?.stop()])
      adminServer.close()
      adminServer.closeAllConnections()
      await Promise.all([database.end(), replica?.end(), parts?.libraries.stop()])
    },
  }
}
