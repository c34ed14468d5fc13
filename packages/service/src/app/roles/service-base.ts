/** The base that all parts of a process use: connections, log, addresses and the job sender. */
import { type Database, openDatabase, type Tenant } from '../../platform/database/database.ts'
import { createReplicaReader, type ReplicaReader } from '../../platform/database/replica.ts'
import {
  createFindClientAddress,
  type FindClientAddress,
} from '../../platform/http/client-address.ts'
import { createJobSender, type JobSender } from '../../platform/jobs/job-queue.ts'
import { createMailer, type Mailer } from '../../platform/mail/mailer.ts'
import { createLog, type Log } from '../../platform/telemetry/log.ts'
import { Traces } from '../../platform/telemetry/traces.ts'
import { createSiteUrls, type SiteUrls } from '../../reading/hosting/site-urls.ts'
import type { Settings } from '../settings/env.ts'
import type { ServiceDeps } from './service.ts'

export type ServiceBase = SiteUrls & {
  readonly settings: Settings
  readonly database: Database
  /** Reads exports from the replica, if there is one. */
  readonly readReplica: ((tenant: Tenant) => ReplicaReader) | undefined
  readonly jobSender: JobSender
  readonly mailer: Mailer | undefined
  readonly findClientAddress: FindClientAddress
  readonly traces: Traces | undefined
  readonly log: Log
  readonly now: () => number
  readonly endConnections: () => Promise<void>
}

export function openServiceBase({
  settings,
  role = 'all',
  writeLog,
  now,
}: ServiceDeps): ServiceBase {
  const { databaseUrl, replicaUrl, databaseConnections: connections } = settings
  const database = openDatabase({ url: databaseUrl, connections })
  const replica =
    replicaUrl === undefined ? undefined : openDatabase({ url: replicaUrl, connections })
  const log = createLog(writeLog, now)
  const { mail } = settings.signIn
  return {
    ...createSiteUrls(settings),
    settings,
    database,
    readReplica:
      replica &&
      createReplicaReader(replica, now, (error) => log.error('replica failed', { error })),
    jobSender: createJobSender({ database, log }),
    mailer: mail && createMailer(mail, (error) => log.error('a mail was not sent', { error })),
    findClientAddress: createFindClientAddress(settings.trustedProxies),
    traces: settings.traces && new Traces({ settings: settings.traces, role, log, now }),
    log,
    now,
    endConnections: async () => {
      await Promise.all([database.end(), replica?.end()])
    },
  }
}
