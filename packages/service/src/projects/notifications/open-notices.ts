/** Assembles notifications: the round that finds them and the job that sends them. */

import type { Database } from '../../platform/database/database.ts'
import type { JobQueue, JobSender } from '../../platform/jobs/job-queue.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import type { SecretSettings } from '../../platform/secrets/settings.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { ServiceBudget } from './notice-type.ts'
import { NOTICES_QUEUE, queueNotices } from './queue-notices.ts'
import { createNoticeSender } from './send-notices.ts'
import { DELIVERIES_AT_ONCE } from './webhooks/deliver-webhook.ts'

export type NoticesDeps = {
  readonly settings: Pick<SecretSettings, 'secretKeys'> & {
    readonly url: string | undefined
    readonly assistant: ServiceBudget
    readonly allowPrivateHosts: readonly string[]
  }
  readonly database: Database
  readonly jobSender: JobSender
  readonly mailer: Mailer | undefined
  readonly now: () => number
  readonly log: Log
}

export function openNotices({ settings, database, jobSender, mailer, now, log }: NoticesDeps) {
  const { secretKeys, allowPrivateHosts, url, assistant: budget } = settings
  return {
    /** Queues due notifications, and returns the number of projects that have any. */
    queue: (): Promise<number> => queueNotices({ database, jobSender, budget, log }),

    startWorker: (jobs: JobQueue): Promise<void> =>
      jobs.work(
        NOTICES_QUEUE,
        createNoticeSender({ database, mailer, url, secretKeys, allowPrivateHosts, now, log }),
        { atOnce: DELIVERIES_AT_ONCE },
      ),
  }
}
