/**
 * Everything that turns a push into a deployment: repository checks, builds, and notifications to
 * Git hosts and owners.
 */

import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import type { JobQueue, JobSender } from '../../platform/jobs/job-queue.ts'
import type { SecretSettings } from '../../platform/secrets/settings.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { DELIVERIES_AT_ONCE } from '../../projects/notifications/webhooks/deliver-webhook.ts'
import {
  BUILD_NOTICE,
  createBuildNoticeSender,
} from '../../projects/notifications/webhooks/send-build-notices.ts'
import {
  CHECKS_AT_A_TIME,
  type CheckDeps,
  createRepositoryCheck,
} from '../connections/check-repository.ts'
import type { DeploymentService } from '../deployments/deployment-service.ts'
import { createProviderLookup } from '../providers/connected-provider.ts'
import type { GitHubAppSettings } from '../providers/github-app.ts'
import { GitHubApp } from '../providers/github-app.ts'
import {
  createBuildNotifier,
  createOnBuildChanged,
  NOTIFY_BUILD,
} from '../providers/notify-build.ts'
import type { Provider } from '../providers/provider.ts'
import { createAcceptBuild } from './accept-build.ts'
import type { AcceptBuild, OnBuildChanged } from './build.ts'
import { queueIdleBuilds } from './build-jobs.ts'
import { BuildService } from './build-service.ts'
import { createFindSource } from './find-source.ts'
import { type BuildPorts, startBuilds } from './start-builds.ts'
import { BuildStore } from './store.ts'

/** Production sets only `git`. Tests use the other fields to observe builds and to set limits. */
export type GitPorts = BuildPorts & Partial<Pick<CheckDeps, 'acceptBuild'>>

export type GitBuildsDeps = {
  readonly settings: Pick<SecretSettings, 'secretKeys'> & {
    readonly gitHubApp: GitHubAppSettings | undefined
    readonly previewsDomain: string | undefined
    readonly workFolder: string
    readonly allowPrivateHosts: readonly string[]
  }
  readonly database: Database
  readonly blobs: BlobStore | undefined
  /**
   * Undefined in a process that reads no repositories. Sites are built only if `blobs` is set too.
   */
  readonly ports: GitPorts | undefined
  readonly jobSender: JobSender
  readonly deploymentsOf: (tenant: Tenant) => DeploymentService
  readonly siteUrlOf: (slug: string) => string | undefined
  readonly previewUrlOf: (name: string) => string | undefined
  readonly now: () => number
  readonly log: Log
}

/**
 * The jobs mostly wait for Git hosts, so several run at once: many pushes can arrive together, and
 * each is reported within seconds.
 */
const NOTIFY_AT_ONCE = 8

export class GitBuilds {
  readonly acceptBuild: AcceptBuild
  readonly onBuildChanged: OnBuildChanged
  readonly gitHubApp: GitHubApp | undefined
  /** Maintenance tasks for builds; empty in a process that reads no repositories. */
  readonly maintenance: {
    readonly checksRepositories?: boolean
    readonly queueBuilds?: () => Promise<number>
  }
  readonly #deps: GitBuildsDeps
  readonly #providerOf: (tenant: Tenant) => Promise<Provider | undefined>

  constructor(deps: GitBuildsDeps) {
    const { settings, database, blobs, ports, jobSender, now } = deps
    const { secretKeys, allowPrivateHosts, gitHubApp } = settings
    const outbound = { allowPrivateHosts, now }
    this.#deps = deps
    this.gitHubApp = gitHubApp && new GitHubApp(gitHubApp, outbound)
    this.#providerOf = createProviderLookup({
      ...outbound,
      database,
      secretKeys,
      gitHubApp: this.gitHubApp,
    })
    this.onBuildChanged = ports?.onBuildChanged ?? createOnBuildChanged(jobSender)
    this.acceptBuild = createAcceptBuild({
      database,
      jobSender,
      onBuildChanged: this.onBuildChanged,
    })
    this.maintenance =
      ports === undefined
        ? {}
        : {
            checksRepositories: true,
            ...(blobs !== undefined && {
              queueBuilds: () => queueIdleBuilds({ database, jobSender }),
            }),
          }
  }

  of(tenant: Tenant): BuildService {
    const { database, jobSender, previewUrlOf, now } = this.#deps
    return new BuildService({
      database: database.forProject(tenant),
      store: this.#storeOf(tenant),
      accept: this.acceptBuild,
      jobSender,
      previewUrlOf,
      now,
    })
  }

  /** Updates statuses and comments after a change that was not caused by a build. */
  async notifyHost(tenant: Tenant): Promise<void> {
    const { database, jobSender } = this.#deps
    await jobSender.start()
    await database
      .forProject(tenant)
      .transaction((query) => jobSender.send(NOTIFY_BUILD, tenant, query))
  }

  /**
   * Runs checks, builds and their notifications in this process. Returns a function that stops
   * them.
   */
  async start(jobs: JobQueue): Promise<() => void> {
    const { settings, database, blobs, jobSender, deploymentsOf, now, log } = this.#deps
    const { secretKeys, allowPrivateHosts } = settings
    // Other parts of the service queue jobs in their own transactions.
    await jobSender.start()
    await jobs.work(
      BUILD_NOTICE,
      createBuildNoticeSender({ database, secretKeys, allowPrivateHosts, now, log }),
      { atOnce: DELIVERIES_AT_ONCE },
    )
    await jobs.work(
      NOTIFY_BUILD,
      createBuildNotifier({
        ...this.#deps,
        providerOf: this.#providerOf,
        deploymentsOf: blobs && deploymentsOf,
        jobs,
      }),
      { atOnce: NOTIFY_AT_ONCE },
    )
    return this.#startBuilding(jobs)
  }

  /** Starts repository checks and builds. Returns a function that stops the builds. */
  async #startBuilding(jobs: JobQueue): Promise<() => void> {
    const { settings, database, blobs, ports, log } = this.#deps
    const { gitHubApp, onBuildChanged } = this
    const { secretKeys } = settings
    if (ports === undefined) return () => {}
    await jobs.work(
      'check',
      createRepositoryCheck({
        database,
        git: ports.git,
        acceptBuild: ports.acceptBuild ?? this.acceptBuild,
        cancelBuilds: (query, tenant, refs) => this.#storeOf(tenant).cancelRefs(query, refs),
        providerOf: this.#providerOf,
        gitHubApp,
        isPrivate: (connection) => gitHubApp?.isPrivate(connection),
        secretKeys,
        servesPreviews: settings.previewsDomain !== undefined,
        log,
      }),
      { atOnce: CHECKS_AT_A_TIME },
    )
    if (blobs === undefined) return () => {}
    const sourceOf = createFindSource({ database, secretKeys, gitHubApp })
    return startBuilds({ ...this.#deps, ...ports, blobs, sourceOf, onBuildChanged }, jobs)
  }

  #storeOf(tenant: Tenant): BuildStore {
    return new BuildStore(this.#deps.database.forProject(tenant), this.onBuildChanged)
  }
}
