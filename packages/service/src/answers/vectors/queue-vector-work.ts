import type { Database } from '../../platform/database/database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { VECTORS_QUEUE } from './embed-deployments.ts'

const PROJECTS_MAX = 1_000

/**
 * Queues the job for projects with visible deployments that have no vectors of this model. Returns
 * the number of projects.
 */
export async function queueVectorWork(
  database: Database,
  jobs: Pick<JobQueue, 'send'>,
  model: string,
): Promise<number> {
  const rows = await database.query<{ organization_id: string; project_id: string }>(
    'select * from find_vector_work($1, $2)',
    [model, PROJECTS_MAX],
  )
  for (const { organization_id: organizationId, project_id: projectId } of rows)
    await jobs.send(VECTORS_QUEUE, { organizationId, projectId })
  return rows.length
}
