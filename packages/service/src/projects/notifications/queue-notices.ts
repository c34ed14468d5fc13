/** Stores due notifications and queues the job that sends them, in one transaction. */
import { type Database, joinTransaction, type Tenant } from '../../platform/database/database.ts'
import type { JobSender } from '../../platform/jobs/job-queue.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { ServiceBudget } from './notice-type.ts'
import { NOTICE_TYPES } from './notice-types.ts'
import { findNoticeWork, NoticeStore } from './store.ts'

export const NOTICES_QUEUE = 'notices'

export type QueueNoticesDeps = {
  readonly database: Database
  readonly jobSender: Pick<JobSender, 'start' | 'send'>
  readonly budget: ServiceBudget
  readonly log: Log
}

/**
 * Queues jobs for all projects with due notifications, and returns the number of these projects.
 */
export async function queueNotices(deps: QueueNoticesDeps): Promise<number> {
  const tenants = await findNoticeWork(deps.database)
  if (tenants.length === 0) return 0
  await deps.jobSender.start()
  let queued = 0
  for (const tenant of tenants) {
    try {
      if (await queueFor(tenant, deps)) queued += 1
    } catch (error) {
      // The next round retries this project. The other projects continue.
      deps.log.error('notices of a project were not queued', { project: tenant.projectId, error })
    }
  }
  return queued
}

async function queueFor(
  tenant: Tenant,
  { database, jobSender, budget }: QueueNoticesDeps,
): Promise<boolean> {
  const bound = database.forProject(tenant)
  return bound.transaction(async (query) => {
    const store = new NoticeStore(joinTransaction(bound, query))
    for (const { kind, find } of Object.values(NOTICE_TYPES))
      for (const due of await find(store, budget)) await store.insert(kind, due)
    await store.forgetOld()
    if ((await store.undelivered()).length === 0) return false
    await jobSender.send(NOTICES_QUEUE, tenant, query)
    return true
  })
}
