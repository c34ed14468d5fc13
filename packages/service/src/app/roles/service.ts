import type { Server } from 'node:http'
import { isCommandLineFileRequest } from '../../people/sign-in/command-line-file.ts'
import { createSetupLink } from '../../people/sign-in/setup-link.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { findStartProblem } from '../../platform/database/find-start-problem.ts'
import { bodyLimits } from '../../platform/http/body-limits.ts'
import type { Route } from '../../platform/http/route.ts'
import { createHttpServer } from '../../platform/http/server.ts'
import { stopServer } from '../../platform/http/stop-server.ts'
import type { NewBuild } from '../../publishing/builds/build.ts'
import type { GitPorts } from '../../publishing/builds/git-builds.ts'
import { namesOf, targetForRole } from '../../publishing/domains/site-address.ts'
import type { Settings } from '../settings/env.ts'
import { createAdminServer } from './admin.ts'
import { type Api, createApi } from './api.ts'
import { findOutage } from './find-outage.ts'
import { type Host, openHost } from './host.ts'
import { openParts, type Parts } from './parts.ts'
import { openServiceBase, type ServiceBase } from './service-base.ts'
import { createServiceMetrics } from './service-metrics.ts'
import { createWorker, type Worker } from './worker.ts'

export const ROLES = ['api', 'worker', 'host', 'all'] as const
export type Role = (typeof ROLES)[number]

export type ServiceDeps = {
  readonly settings: Settings
  /** The store for site files. Without it, deployments are not possible. */
  readonly blobs?: BlobStore | undefined
  /** Reads repositories. If this or `blobs` is undefined, this process runs no builds. */
  readonly builds?: GitPorts | undefined
  /** A process with a single role serves only the host names of that role. */
  readonly role?: Role
  readonly writeLog: (line: string) => void
  readonly now: () => number
}

export type Service = {
  readonly server: Server
  /** Serves health and metrics. */
  readonly adminServer: Server
  /** Returns why the service must not start on this database; undefined if it may. */
  readonly findStartProblem: () => Promise<string | undefined>
  /** Returns the link to set up the first owner; undefined once there are users. */
  readonly createSetupLink: () => Promise<string | undefined>
  /** Starts the jobs of role `worker`; `stop` ends them. */
  readonly startWorker: () => Promise<void>
  readonly database: Database
  readonly acceptBuild: (tenant: Tenant, build: NewBuild) => Promise<string>
  readonly routes: readonly Route[]
  /** Writes buffered data: the last uses of keys, traffic, events and traces. */
  readonly flush: () => Promise<void>
  readonly stop: () => Promise<void>
}

const isWorkerRole = (role: Role) => role === 'worker' || role === 'all'

/** Returns true if a process runs background jobs. */
export const hasWorker = (role: Role, { isReadOnly }: Pick<Settings, 'isReadOnly'>) =>
  isWorkerRole(role) && !isReadOnly

type Running = {
  readonly ground: ServiceBase
  readonly parts: Parts
  readonly api: Api
  readonly host: Host | undefined
  readonly server: Server
  readonly worker: Worker
  readonly adminServer: Server
}

/** Assembles the service: one database, one app, one server. */
export function createService(deps: ServiceDeps): Service {
  const { blobs, role = 'all' } = deps
  const ground = openServiceBase(deps)
  const { settings, database } = ground
  const parts = openParts(ground, deps)
  const metrics = createServiceMetrics({
    ...ground,
    isWorker: isWorkerRole(role),
    countAnswers: () => host?.countAnswers() ?? 0,
  })
  const api = createApi(ground, parts, { builds: deps.builds, metrics })
  const host = openHost(ground, parts, metrics.observe)
  const server = openServer({ ground, parts, api, host, role })
  const worker = createWorker(ground, parts)
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
    decideCertificate: (askedUrl) => parts.domains.decideCertificate(askedUrl, host?.hasSite),
  })
  return {
    server,
    adminServer,
    database,
    acceptBuild: (tenant, build) => acceptBuild(ground, parts, { tenant, build }),
    routes: api.routes,
    createSetupLink: async () =>
      settings.url === undefined || settings.isReadOnly
        ? undefined
        : createSetupLink(database, { pepper: settings.pepper, url: settings.url }),
    findStartProblem: async () =>
      (await findStartProblem(database, settings)) ??
      // A process of role `api` neither calls the model nor computes vectors.
      (role === 'api' ? undefined : await parts.vectors?.findProblem()),
    startWorker: worker.start,
    flush: async () => {
      await Promise.all([api.authenticator.flush(), host?.flush(), ground.traces?.flush()])
    },
    stop: () => {
      isStopping = true
      return stopAll({ ground, parts, api, host, server, worker, adminServer })
    },
  }
}

type ServerParts = Omit<Running, 'server' | 'worker' | 'adminServer'> & { readonly role: Role }

function openServer({ ground, parts, api, host, role }: ServerParts): Server {
  const { settings, findClientAddress } = ground
  const { domains } = parts
  const names = namesOf(settings)
  const server = createHttpServer({
    url: settings.url,
    app: api.app,
    findClientAddress,
    targetOf: (name) => targetForRole(name, names, role),
    domainTargetOf: (name, path) => {
      if (role !== 'host' && isCommandLineFileRequest(settings.url, name, path))
        return { kind: 'api' }
      return role === 'api' ? undefined : domains.targetOf(name, path)
    },
    sites: host?.sites,
    bodyLimitOf: bodyLimits(api.routes),
  })
  // Start these parts only once the server listens, so that an outdated database is reported once
  // and not again by every part that reads it.
  server.once('listening', () => {
    if (names.sites === undefined || (role !== 'host' && role !== 'all')) return
    domains.start()
    host?.start()
  })
  return server
}

type Accepted = { readonly tenant: Tenant; readonly build: NewBuild }

async function acceptBuild(
  { database, jobSender }: ServiceBase,
  { gitBuilds }: Parts,
  { tenant, build }: Accepted,
): Promise<string> {
  await jobSender.start()
  return database
    .forProject(tenant)
    .transaction((query) => gitBuilds.acceptBuild(query, tenant, build))
}

/** Stops requests and jobs first, then the parts that they use, and connections last. */
async function stopAll({ ground, parts, api, host, server, worker, adminServer }: Running) {
  host?.stopReading()
  parts.domains.stop()
  const endAnswers = async () => host?.endAnswers()
  await Promise.all([stopServer(server, endAnswers), worker.stop()])
  await endAnswers()
  parts.vectors?.close()
  await ground.jobSender.stop()
  await Promise.all([
    api.authenticator.flush(),
    host?.stop(),
    ground.mailer?.stop(),
    ground.traces?.stop(),
  ])
  adminServer.close()
  adminServer.closeAllConnections()
  await Promise.all([ground.endConnections(), parts.answers?.libraries.stop()])
}
