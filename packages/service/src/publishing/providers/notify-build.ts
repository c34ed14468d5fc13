/**
 * Reports the results of builds to a project's Git host. The job reads the newest state of every
 * build when it runs, so after several changes only the last one is reported. A report is recorded
 * only after it has been sent: if a worker dies in between, the state is reported again.
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

/**
 * Builds continue while their states are reported, so unreported states are read again, up to this
 * many times.
 */
const ROUNDS_MAX = 20

export type NotifyDeps = {
  readonly database: Database
  /** Returns the API of the project's Git host; undefined if no builds can be reported to it. */
  readonly providerOf: (tenant: Tenant) => Promise<Provider | undefined>
  /**
   * Returns the deployments of a project; undefined in a process without access to the files of
   * sites.
   */
  readonly deploymentsOf: ((tenant: Tenant) => DeploymentService) | undefined
  readonly siteUrlOf: (slug: string) => string | undefined
  readonly previewUrlOf: (name: string) => string | undefined
  readonly jobs: Pick<JobQueue, 'send'>
  readonly log: Log
}

/**
 * Returns a function that queues the job in the caller's transaction. The sender must be started
 * before the transaction begins.
 */
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
      const isSkipped = provider === undefined || build.isOutdated || isSameStatus(build)
      const outcome = isSkipped
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
      // Another worker has reported a newer state in the meantime, and our report may have replaced
      // it. Report the newest state again.
      if (!(await store.markReported(build, error)) && !isSkipped)
        await store.clearReported(build.id)
    }
  }
  return undefined
}

const RUNNING = new Set(['fetching', 'building', 'uploading'])

/**
 * Returns true if the status on the Git host stays the same, which is the case for all steps of a
 * running build.
 */
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
 * Returns the name of the status. Each project and target has its own status, since one commit can
 * be built both as a preview and as the site.
 */
const statusName = ({ slug }: NotifiedProject, target: UnreportedBuild['target']) =>
  target === 'production' ? `octavo/${slug}` : `octavo/${slug}/preview`
