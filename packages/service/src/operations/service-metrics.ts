import type { Database } from '../database/database.ts'
import { JOBS_SCHEMA } from '../jobs/job-queue.ts'
import { createMetrics, type Metrics } from './metrics.ts'

/** What `/metrics` says of this process beside its requests. */
export function createServiceMetrics({
  database,
  isWorker,
  countAnswers,
}: {
  readonly database: Database
  readonly isWorker: boolean
  readonly countAnswers: () => number
}): Metrics {
  return createMetrics({
    octavo_database_connections: {
      help: 'Open connections to the database.',
      read: () => database.pool.totalCount,
    },
    octavo_database_waiting: {
      help: 'Requests waiting for a database connection.',
      read: () => database.pool.waitingCount,
    },
    octavo_assistant_answers: {
      help: 'Answers of the assistant that are being made.',
      read: countAnswers,
    },
    ...(isWorker && {
      octavo_clock_ahead_seconds: {
        help: 'How far the newest id is ahead of the clock of the database.',
        read: async () => {
          const [row] = await database.query<{ ms: string }>('select clock_ahead_ms() as ms')
          return Number(row?.ms ?? 0) / 1_000
        },
      },
      octavo_jobs_wait_seconds: {
        help: 'How long the oldest background job that could start has waited, in all processes.',
        read: async () => {
          const [row] = await database.query<{ seconds: number }>(
            `select coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as seconds
               from ${JOBS_SCHEMA}.job
              where state < 'active' and not blocked and start_after <= now()`,
          )
          return row?.seconds ?? 0
        },
      },
      octavo_jobs_failed: {
        help: 'Background jobs that failed for good in the last day, in all processes.',
        read: async () => {
          const [row] = await database.query<{ count: number }>(
            `select count(*)::integer as count from ${JOBS_SCHEMA}.job
              where state = 'failed' and completed_on > now() - interval '1 day'`,
          )
          return row?.count ?? 0
        },
      },
    }),
  })
}
