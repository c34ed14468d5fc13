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
  /** Every hour: removes the rows of projects that were deleted 7 days ago. */
  deletion: { timeoutSeconds: 6 * HOUR, retries: 0, keepSeconds: 7 * DAY },
  /** Every five minutes: checks own domains that are due, each once a day. */
  domains: { timeoutSeconds: HOUR, retries: 0, keepSeconds: HOUR },
  /** After an accepted push: one build of the project. */
  build: { timeoutSeconds: HOUR, retries: 5, keepSeconds: 7 * DAY, isFair: true },
  /** After a publish: tells the webhook of the project. Attempts go on for more than an hour. */
  webhook: { timeoutSeconds: 60, retries: 20, keepSeconds: 7 * DAY },
  /** Every few minutes for each connected repository, and after a webhook: compares it with what was built. */
  check: { timeoutSeconds: 2 * 60, retries: 2, keepSeconds: HOUR },
  /** After a build changed its state: tells the Git host. A host that is down is asked again by a later job. */
  'notify-build': { timeoutSeconds: 5 * 60, retries: 20, keepSeconds: HOUR },
  /** After a build failed or was superseded: tells the webhook of the project. */
  'build-notice': { timeoutSeconds: 5 * 60, retries: 20, keepSeconds: 7 * DAY },
  /** After something that owners want to know: mails and the webhook of the project. */
  notices: { timeoutSeconds: 5 * 60, retries: 20, keepSeconds: 7 * DAY },
  /** After unanswered questions and deployments: sorts questions into gaps, and asks gaps again. */
  gaps: { timeoutSeconds: 5 * 60, retries: 2, keepSeconds: HOUR },
  /** After a deployment is shown: computes vectors of its sections, some minutes at a time. */
  vectors: { timeoutSeconds: 10 * 60, retries: 2, keepSeconds: HOUR },
} as const satisfies Readonly<Record<string, QueueSettings>>
