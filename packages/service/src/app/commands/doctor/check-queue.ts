import type { Database } from '../../../platform/database/database.ts'
import { JOBS_SCHEMA } from '../../../platform/jobs/job-queue.ts'
import { type Finding, fine, warning } from './finding.ts'

/** The longest wait without a warning. If a worker runs, jobs usually start within seconds. */
const WAIT_SECONDS_MAX = 15 * 60

type QueueRow = { readonly name: string; readonly count: number; readonly seconds: number }

/** Finds the oldest waiting job of each queue. */
export async function checkQueue(database: Database): Promise<Finding> {
  const queues = await database.query<QueueRow>(
    `select name, count(*)::integer as count,
            extract(epoch from now() - min(start_after))::float8 as seconds
       from ${JOBS_SCHEMA}.job where state in ('created', 'retry') and start_after <= now()
      group by name order by seconds desc`,
  )
  const [oldest] = queues
  if (oldest === undefined) return fine('queue', 'no job waits')
  const found = queues
    .map(({ name, count, seconds }) => `${name} ${count}, the oldest for ${printAge(seconds)}`)
    .join('; ')
  if (oldest.seconds <= WAIT_SECONDS_MAX) return fine('queue', `waiting: ${found}`)
  return warning('queue', {
    code: 'queue-waits',
    found: `Jobs wait: ${found}.`,
    hint: 'Start one or more workers (`octavo-service --role worker`). `octavo-service jobs list` shows the jobs.',
  })
}

export async function checkFailedJobs(database: Database): Promise<Finding> {
  const queues = await database.query<{ name: string; count: number }>(
    `select name, count(*)::integer as count from ${JOBS_SCHEMA}.job
      where state = 'failed' and completed_on > now() - interval '1 day'
      group by name order by count desc, name`,
  )
  if (queues.length === 0) return fine('failed jobs', 'none in the last day')
  return warning('failed jobs', {
    code: 'jobs-failed',
    found: `In the last day: ${queues.map(({ name, count }) => `${name} ${count}`).join(', ')}.`,
    hint: '`octavo-service jobs list --state failed` shows the reasons, and `octavo-service jobs retry <jobId>` runs a job again.',
  })
}

function printAge(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}
