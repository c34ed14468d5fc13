import type { QueueSettings } from './job-queue.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** All job queues, which `octavo-service migrate` creates. */
export const QUEUES = {
  /**
   * Every minute: publishes abandoned questions as unanswered, and creates and drops partitions.
   */
  maintenance: { timeoutSeconds: 5 * 60, retries: 0, keepSeconds: HOUR },
  /** Every day: deletes conversations that are older than their project's retention period. */
  retention: { timeoutSeconds: 6 * HOUR, retries: 3, keepSeconds: 7 * DAY },
  /** Every hour: deletes files that no deployment needs. */
  collection: { timeoutSeconds: 6 * HOUR, retries: 0, keepSeconds: 7 * DAY },
  /** Every hour: removes the rows of projects that were deleted 7 days ago. */
  deletion: { timeoutSeconds: 6 * HOUR, retries: 0, keepSeconds: 7 * DAY },
  /** Every five minutes: checks custom domains that are due, each once a day. */
  domains: { timeoutSeconds: HOUR, retries: 0, keepSeconds: HOUR },
  /** After an accepted push: runs one build of the project. */
  build: { timeoutSeconds: HOUR, retries: 5, keepSeconds: 7 * DAY, isFair: true },
  /** After publishing: calls the project's webhook. Retries go on for more than an hour. */
  webhook: { timeoutSeconds: 60, retries: 20, keepSeconds: 7 * DAY },
  /**
   * Every few minutes for each connected repository, and after a webhook: compares the repository
   * with the last build.
   */
  check: { timeoutSeconds: 2 * 60, retries: 2, keepSeconds: HOUR },
  /**
   * After a build changes its state: notifies the Git host. If the host is down, a later job
   * retries.
   */
  'notify-build': { timeoutSeconds: 5 * 60, retries: 20, keepSeconds: HOUR },
  /** After a build fails or is superseded: calls the project's webhook. */
  'build-notice': { timeoutSeconds: 5 * 60, retries: 20, keepSeconds: 7 * DAY },
  /** After events that owners want to know about: sends emails and calls the project's webhook. */
  notices: { timeoutSeconds: 5 * 60, retries: 20, keepSeconds: 7 * DAY },
  /**
   * After unanswered questions and deployments: sorts questions into gaps, asks the assistant the
   * questions in the gaps again, and compares the answers of previews with the live site.
   */
  gaps: { timeoutSeconds: 5 * 60, retries: 2, keepSeconds: HOUR },
  /** After a deployment is finished: compares its specifications with those of the live one. */
  'api-changes': { timeoutSeconds: 10 * 60, retries: 2, keepSeconds: HOUR },
  /**
   * After a deployment becomes visible: computes the vectors of its sections, a few minutes at a
   * time.
   */
  vectors: { timeoutSeconds: 10 * 60, retries: 2, keepSeconds: HOUR },
} as const satisfies Readonly<Record<string, QueueSettings>>
