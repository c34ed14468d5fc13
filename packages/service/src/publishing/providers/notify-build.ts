/**
 * Reports the results of builds to a project's Git host. The job reads the newest state of every
 * build when it runs, so only the last of several changes is reported. It records reports
 * afterwards: if a worker dies, the state is reported again.
 */

import type { Database, Query, Tenant } from '../../platform/database/database.ts'
import type { JobHandler, JobQueue, JobSender } from '../../platform/jobs/job-queue.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { readDiagnostics } from '../../projects/notifications/build-diagnostic.ts'
import type { CommitStatus } from '../../projects/notifications/print-status.ts'
import { printStatus } from '../../projects/notifications/print-status.ts'
import { BUILD_NOTICE } from '../../projects/notifications/webhooks/send-build-notices.ts'
import type { DeploymentService } from '../deployments/deployment-service.ts'
import { type CommentDeps, reportComments } from './notify-comments.ts'
import { type NotifiedProject, NotifyStore, type UnreportedBuild } from './notify-store.ts'
import type { Provider } from './provider.ts'
import { isFinal, retrySeconds, type Stopped } from './retry.ts'

export const NOTIFY_BUILD = 'notify-build'

/** Builds continue during the reports, so unreported states are read again, at most this often. */
const ROUNDS_MAX = 20

export type NotifyDeps = {
  readonly database: Database
  /** Returns the host's API; undefined if there is none to report to. */
  readonly providerOf: (tenant: Tenant) => Promise<Provider | undefined>
  /** Undefined in a process without the files of sites. */
  readonly deploymentsOf: ((tenant: Tenant) => DeploymentService) | undefined
  readonly siteUrlOf: (slug: string) => string | undefined
  readonly previewUrlOf: (name: string) => string | undefined
  readonly jobs: Pick<JobQueue, 'send'>
  readonly log: Log
}

/** Queues the job in the caller's transaction. The sender must be started before it. */
export function createOnBuildChanged(sender: JobSender) {
  return (query: Query, { organizationId, projectId }: Tenant): Promise<void> =>
    sender.send(NOTIFY_BUILD, { organizationId, projectId }, query)
}

export function createBuildNotifier(deps: NotifyDeps): JobHandler {
  const { database, jobs, log } = deps
  return async ({ data: { organizationId, projectId }, signal }) => {
    if (organizationId === undefined || projectId === undefined) return
    const tenant = { organizationId, projectId }
    const store = new NotifyStore(database.forProject(tenant))
    const [project, connection] = [await store.project(), await store.connection()]
    if (project === undefined) return
    if (await store.hasPendingNotifications()) await jobs.send(BUILD_NOTICE, tenant)
    const provider = connection && (await deps.providerOf(tenant))
    const context = { ...deps, store, project, provider, signal }
    const stopped =
      (await reportStatuses(context)) ??
      (provider &&
        (await reportComments({
          ...context,
          provider,
          folder: connection.folder,
          deployments: deps.deploymentsOf?.(tenant),
        })))
    if (stopped === undefined) return
    const seconds = retrySeconds(stopped)
    const facts = { project: project.publicId, reason: stopped.failure.message, seconds }
    log.error('a build was not reported to the Git host', facts)
    await jobs.send(NOTIFY_BUILD, tenant, { afterSeconds: seconds })
  }
}

type StatusContext = Pick<NotifyDeps, 'siteUrlOf' | 'previewUrlOf' | 'log'> &
  Pick<CommentDeps, 'store' | 'project' | 'signal'> & { readonly provider: Provider | undefined }

async function reportStatuses(context: StatusContext): Promise<Stopped | undefined> {
  const { store, provider, project, log, signal } = context
  for (let round = 0; round < ROUNDS_MAX && !signal.aborted; round += 1) {
    const builds = await store.unreportedBuilds()
    if (builds.length === 0) return undefined
    for (const build of builds) {
      const isIgnoredAttribute = provider === undefined || build.isOutdated || isSameStatus(build)
      const outcome = isIgnoredAttribute
        ? 'done'
        : await provider.setStatus(statusOf(build, context), signal)
      if (outcome !== 'done' && !isFinal(outcome, build.ageSeconds))
        return { failure: outcome, ageSeconds: build.ageSeconds }
      const error = outcome === 'done' ? null : outcome.message
      if (error !== null)
        log.error('the Git host refused the status of a build', {
          project: project.publicId,
          build: build.id,
          reason: error,
        })
      // If another worker reported a newer state before us, our later report was wrong, so report
      // again.
      if (!(await store.markReported(build, error)) && !isIgnoredAttribute)
        await store.clearReported(build.id)
    }
  }
  return undefined
}

const RUNNING = new Set(['fetching', 'building', 'uploading'])

/** The steps of a running build have the same status. */
const isSameStatus = ({ state, reportedState }: UnreportedBuild) =>
  RUNNING.has(state) && reportedState !== null && RUNNING.has(reportedState)

function statusOf(
  build: UnreportedBuild,
  { project, siteUrlOf, previewUrlOf }: StatusContext,
): CommitStatus {
  const [firstError] = readDiagnostics([build.firstError])
  const siteUrl = build.isLive ? siteUrlOf(project.slug) : undefined
  const previewUrl = build.previewName === null ? undefined : previewUrlOf(build.previewName)
  const url = build.target === 'production' ? siteUrl : previewUrl
  return {
    commit: build.commit,
    name: statusName(project, build.target),
    ...printStatus({ ...build, firstError, url }),
  }
}

/**
 * Each project and target has its own status, since a commit can be built as a preview and as the
 * site.
 */
const statusName = ({ slug }: NotifiedProject, target: UnreportedBuild['target']) =>
  target === 'production' ? `octavo/${slug}` : `octavo/${slug}/preview`
