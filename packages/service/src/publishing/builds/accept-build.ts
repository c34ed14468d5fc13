import type { Database, Tenant } from '../../platform/database/database.ts'
import type { JobSender } from '../../platform/jobs/job-queue.ts'
import type { AcceptBuild, OnBuildChanged } from './build.ts'
import { BuildStore } from './store.ts'

export const BUILD_QUEUE = 'build'

/** `JobSender.start` must be called before the caller's transaction begins. */
export function createAcceptBuild(deps: {
  readonly database: Database
  readonly jobSender: Pick<JobSender, 'send'>
  readonly onBuildChanged: OnBuildChanged
}): AcceptBuild {
  const { database, jobSender, onBuildChanged } = deps
  return async (query, tenant: Tenant, build) => {
    const store = new BuildStore(database.forProject(tenant), onBuildChanged)
    const { id, isNew } = await store.accept(query, build)
    // The job carries only the project's ids, not a build's: it runs whichever build is next.
    const { organizationId, projectId } = tenant
    if (isNew) await jobSender.send(BUILD_QUEUE, { organizationId, projectId }, query)
    return id
  }
}
