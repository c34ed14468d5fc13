import type { Database } from '../../platform/database/database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { GAPS_QUEUE } from './run-gaps.ts'

const PROJECTS_MAX = 1_000

/**
 * Queues the job for projects with new unanswered questions or new deployments. Returns the number
 * of projects.
 */
export async function queueGapWork(
  database: Database,
  jobs: Pick<JobQueue, 'send'>,
): Promise<number> {
  const rows = await database.query<{ organization_id: string; project_id: string }>(
    'select * from find_gap_work($1)',
    [PROJECTS_MAX],
  )
  for (const { organization_id: organizationId, project_id: projectId } of rows)
    await jobs.send(GAPS_QUEUE, { organizationId, projectId })
  return rows.length
}
