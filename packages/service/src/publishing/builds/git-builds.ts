/**
 * Everything that turns a push into a deployment, put together: checks of repositories, builds, and
 * what Git hosts and owners are told.
 */

import type { Settings } from '../../app/settings/env.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import type { JobQueue, JobSender } from '../../platform/jobs/job-queue.ts'
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
import { GitHubApp } from '../providers/github-app.ts'
import {
  createBuildNotifier,
  createOnBuildChanged,
  NOTIFY_BUILD,
} from '../providers/notify-build.ts'
import { createAcceptBuild } from './accept-build.ts'
import { queueIdleBuilds } from './build-jobs.ts'
import { type BuildService, createBuildService } from './build-service.ts'
import { createFindSource } from './find-source.ts'
import { type BuildPorts, startBuilds } from './start-builds.ts'
import { createBuildStore } from './store.ts'

/** Git is what production has; with the rest, tests watch builds and set other limits. */
export type GitPorts = BuildPorts & Partial<Pick<CheckDeps, 'acceptBuild'>>

export type GitBuildsDeps = {
  readonly settings: Settings
  readonly database: Database
  readonly blobs: BlobStore | undefined
  /** Without it repositories are not read in this process; without blobs nothing is built. */
  readonly ports: GitPorts | undefined
  readonly jobSender: JobSender
  readonly deploymentsOf: (tenant: Tenant) => DeploymentService
  readonly siteUrlOf: (slug: string) => string | undefined
  readonly previewUrlOf: (name: string) => string | undefined
  readonly now: () => number
  readonly log: Log
}

/** Many pushes may come at once, and each is told within seconds; the jobs mostly wait for hosts. */
const NOTIFY_AT_ONCE = 8

export function createGitBuilds(deps: GitBuildsDeps) {
  const { settings, database, blobs, ports, jobSender, now, log } = deps
  const { deploymentsOf, siteUrlOf, previewUrlOf } = deps
  const { secretKeys, allowPrivateHosts } = settings
  const outbound = { allowPrivateHosts, now }
  const gitHubApp = settings.gitHubApp && new GitHubApp(settings.gitHubApp, outbound)
  const providerOf = createProviderLookup({ ...outbound, database, secretKeys, gitHubApp })
  const onBuildChanged = ports?.onBuildChanged ?? createOnBuildChanged(jobSender)
  const acceptBuild = createAcceptBuild({ database, jobSender, onBuildChanged })

  /** Gives what ends it. */
  async function startBuilding(jobs: JobQueue): Promise<() => void> {
    if (ports === undefined) return () => {}
    await jobs.work(
      'check',
      createRepositoryCheck({
        database,
        git: ports.git,
        acceptBuild: ports.acceptBuild ?? acceptBuild,
        cancelBuilds: (query, tenant, refs) =>
          createBuildStore(database.forProject(tenant), onBuildChanged).cancelRefs(query, refs),
        providerOf,
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
    return startBuilds(
      {
        ...ports,
        sourceOf,
        onBuildChanged,
        database,
        blobs,
        jobSender,
        deploymentsOf,
        settings,
        now,
        log,
      },
      jobs,
    )
  }

  return {
    acceptBuild,
    onBuildChanged,
    gitHubApp,

    of: (tenant: Tenant): BuildService =>
      createBuildService({
        database: database.forProject(tenant),
        store: createBuildStore(database.forProject(tenant), onBuildChanged),
        accept: acceptBuild,
        jobSender,
        previewUrlOf,
        now,
      }),

    /** Has statuses and comments brought up to date, for what changes beside builds. */
    async tellHost(tenant: Tenant): Promise<void> {
      await jobSender.start()
      await database
        .forProject(tenant)
        .transaction((query) => jobSender.send(NOTIFY_BUILD, tenant, query))
    },

    /** What maintenance does for builds, in a process that builds. */
    maintenance:
      ports === undefined
        ? {}
        : {
            checksRepositories: true,
            ...(blobs !== undefined && {
              queueBuilds: () => queueIdleBuilds({ database, jobSender }),
            }),
          },

    /** Runs checks, builds and what is told of them in this process. Gives what ends it. */
    async start(jobs: JobQueue): Promise<() => void> {
      // Jobs are queued in the transactions of others.
      await jobSender.start()
      await jobs.work(
        BUILD_NOTICE,
        createBuildNoticeSender({ database, secretKeys, allowPrivateHosts, now, log }),
        { atOnce: DELIVERIES_AT_ONCE },
      )
      await jobs.work(
        NOTIFY_BUILD,
        createBuildNotifier({
          database,
          providerOf,
          deploymentsOf: blobs && deploymentsOf,
          siteUrlOf,
          previewUrlOf,
          jobs,
          log,
        }),
        { atOnce: NOTIFY_AT_ONCE },
      )
      return startBuilding(jobs)
    },
  }
}
