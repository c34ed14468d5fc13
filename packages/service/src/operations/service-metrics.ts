import type { Database } from '../database/database.ts'
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
    }),
  })
}
