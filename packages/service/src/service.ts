import type { Server } from 'node:http'
import { createAuthenticate } from './api-keys/authenticate.ts'
import { createKeyStore } from './api-keys/store.ts'
import { conversationRoutes } from './conversations/routes.ts'
import { createConversationStore } from './conversations/store.ts'
import { type Database, openDatabase } from './database/database.ts'
import type { Settings } from './env.ts'
import { createApp } from './http/app.ts'
import { createRateLimit } from './http/rate-limit.ts'
import type { Route } from './http/route.ts'
import { createHttpServer } from './http/server.ts'
import { createLog } from './operations/log.ts'
import { startMaintenance } from './operations/maintenance.ts'
import { createMetrics } from './operations/metrics.ts'

export type ServiceDeps = {
  readonly settings: Settings
  readonly writeLog: (line: string) => void
  readonly now: () => number
}

export type Service = {
  readonly server: Server
  /** Begins the work of role `worker`; `stop` ends it. */
  readonly startWorker: () => void
  readonly database: Database
  readonly routes: readonly Route[]
  readonly stop: () => Promise<void>
}

/** How long a stop waits for requests under way. */
const STOP_MS = 10_000

/** Puts the parts together: one database, one app, one server. */
export function createService({ settings, writeLog, now }: ServiceDeps): Service {
  const database = openDatabase({
    url: settings.databaseUrl,
    connections: settings.databaseConnections,
    role: 'octavo_app',
  })
  const log = createLog(writeLog, now)
  const metrics = createMetrics({
    octavo_database_connections: () => database.pool.totalCount,
    octavo_database_waiting: () => database.pool.waitingCount,
  })
  const conversations = createConversationStore(database)
  const onBrokenStream = (error: unknown) => log.error('a stream broke off', { error })
  const routes = conversationRoutes({ conversations, now, onBrokenStream })
  const rateLimit = createRateLimit(settings.requestsPerHour, now)
  const authenticate = createAuthenticate({
    keys: createKeyStore(database),
    pepper: settings.pepper,
    now,
    log: (error) => log.error('the last use of a key was not kept', { error }),
  })
  const app = createApp({
    routes,
    frame: { authenticate, countRequest: (caller) => rateLimit(caller.projectId) },
    log,
    metrics,
    isReady: () =>
      database.query('select 1', []).then(
        () => true,
        () => false,
      ),
  })
  const server = createHttpServer(app)
  let stopWorker = () => {}
  return {
    server,
    database,
    routes,
    startWorker: () => {
      stopWorker = startMaintenance({ database, conversations, log })
    },
    stop: () => {
      stopWorker()
      return stop(server, database)
    },
  }
}

/** Takes no new requests, lets those under way finish, then closes the database. */
async function stop(server: Server, database: Database): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), STOP_MS)
  await closed
  clearTimeout(timer)
  await database.end()
}
