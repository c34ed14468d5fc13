import type { QueueSettings } from './job-queue.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** All queues there are. `migrate` creates them. */
export const QUEUES = {
  /** Every minute: publishes questions without an answer, creates and drops partitions. */
  maintenance: { timeoutSeconds: 5 * 60, retries: 0, keepSeconds: HOUR },
  /** Every day: deletes conversations that are older than the retention of their project. */
  retention: { timeoutSeconds: 6 * HOUR, retries: 3, keepSeconds: 7 * DAY },
  /** Every hour: deletes files that no deployment needs. */
  collection: { timeoutSeconds: 6 * HOUR, retries: 0, keepSeconds: 7 * DAY },
  /** After a publish: tells the webhook of the project. Attempts go on for more than an hour. */
  webhook: { timeoutSeconds: 60, retries: 20, keepSeconds: 7 * DAY },
} as const satisfies Readonly<Record<string, QueueSettings>>
