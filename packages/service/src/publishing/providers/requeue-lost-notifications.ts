import type { Database } from '../../platform/database/database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { NOTIFY_BUILD } from './notify-build.ts'

const PROJECTS_MAX = 1_000

/**
 * Queues the job again for projects whose job was lost, for example after its last retry. Returns
 * the number of these projects.
 */
export async function requeueLostNotifications(
  database: Database,
  jobs: Pick<JobQueue, 'send'>,
): Promise<number> {
  const rows = await database.query<{ organization_id: string; project_id: string }>(
    'select * from find_unreported_projects($1)',
    [PROJECTS_MAX],
  )
  for (const { organization_id: organizationId, project_id: projectId } of rows)
    await jobs.send(NOTIFY_BUILD, { organizationId, projectId })
  return rows.length
}
