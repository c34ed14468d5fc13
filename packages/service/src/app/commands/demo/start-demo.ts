/** Starts everything of a demo in one temporary folder: PostgreSQL, sample data, and the service in this process. */
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GAPS_QUEUE } from '../../../answers/gaps/run-gaps.ts'
import { openBlobStore } from '../../../platform/blobs/open-blob-store.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { migrate } from '../../../platform/database/migrate.ts'
import { createJobSender } from '../../../platform/jobs/job-queue.ts'
import { createLog, type Log } from '../../../platform/telemetry/log.ts'
import { type ProjectRow, tenantOf } from '../../../projects/projects/store.ts'
import { adminAddress, listen, mainAddress } from '../../roles/listen.ts'
import { openWorkerGit } from '../../roles/serve.ts'
import { createService } from '../../roles/service.ts'
import type { Settings } from '../../settings/env.ts'
import { buildDemoSite } from './build-demo-site.ts'
import { createDemoSettings, demoUrl } from './demo-settings.ts'
import { DEMO_SLUG, fillDemo } from './fill-demo.ts'
import { findPostgres } from './postgres/find-postgres.ts'
import { createPostgresServer, type PostgresServer } from './postgres/postgres-server.ts'
import { SampleStore } from './store-samples.ts'

export type DemoOptions = {
  /** Undefined for the default port, or the next free one. */
  readonly port: number | undefined
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Says that something takes long. */
  readonly announce: (line: string) => void
  /** Gets what has to be ended, as soon as it is there. */
  readonly onStarted: (part: StartedPart) => void
  readonly signal: AbortSignal
}

export type StartedPart = {
  readonly stop: () => Promise<unknown>
  /** Ends it without waiting. */
  readonly kill: () => void
}

export type RunningDemo = {
  readonly url: string
  readonly signInUrl: string
  readonly siteUrl: string
}

const DEFAULT_PORT = 4_880
const PORTS_TRIED_MAX = 20
const GAPS_MS_MAX = 10_000
const GAPS_LOOK_MS = 100
/** The data are thrown away, so nothing has to survive a crash. */
const DATABASE_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '60',
  shared_buffers: '64MB',
}

export async function startDemo(options: DemoOptions): Promise<RunningDemo> {
  const { folder, signal, onStarted } = options
  const port = await choosePort(options.port)
  const siteUrl = `http://${DEMO_SLUG}.sites.localhost:${port}`
  mkdirSync(join(folder, 'builds'))
  // Each keeps one processor busy.
  const [postgres, builds] = await allSettled([
    startDatabase(options),
    buildDemoSite(join(folder, 'builds'), siteUrl),
  ])
  signal.throwIfAborted()
  const settings = createDemoSettings({ folder, port, databaseUrl: postgres.url })
  const { ownerUrl, databaseUrl, blobs: store } = settings
  await migrate(ownerUrl, { serviceUrl: databaseUrl, warn: () => {} })
  if (store === undefined) throw new Error('a demo has no folder for its sites')
  const blobs = await openBlobStore(store)
  signal.throwIfAborted()
  const { project, signInUrl } = await fillDemo({ settings, blobs, builds, now: Date.now })
  signal.throwIfAborted()
  const writeLog = (line: string) => appendFileSync(join(folder, 'service.log'), line)
  const git = await openWorkerGit(settings)
  const service = createService({ settings, blobs, builds: { git }, writeLog, now: Date.now })
  onStarted({ stop: service.stop, kill: () => {} })
  const problem = await service.findStartProblem()
  if (problem !== undefined) throw new Error(problem)
  await listen(service.server, mainAddress(settings))
  await listen(service.adminServer, adminAddress(settings))
  await service.startWorker()
  await sortGaps(settings, project, createLog(writeLog, Date.now))
  signal.throwIfAborted()
  return { url: demoUrl(port), signInUrl, siteUrl }
}

/** Waits for both also when one fails: nothing may be started after the demo was stopped. */
async function allSettled<One, Other>(
  works: readonly [Promise<One>, Promise<Other>],
): Promise<[One, Other]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}

async function startDatabase(options: DemoOptions): Promise<PostgresServer> {
  const { folder, environment, announce, signal, onStarted } = options
  const binaries = await findPostgres({ environment, folder, announce, signal })
  const own = join(folder, 'database')
  mkdirSync(own, { mode: 0o700 })
  const { PATH, HOME, TMPDIR } = environment
  const server = await createPostgresServer({
    binaries,
    folder: own,
    password: randomBytes(24).toString('hex'),
    settings: DATABASE_SETTINGS,
    environment: { PATH, HOME, TMPDIR, LC_ALL: 'C' },
    isDetached: true,
    signal,
  })
  signal.throwIfAborted()
  onStarted({ stop: () => server.end('SIGINT'), kill: () => void server.end('SIGQUIT') })
  await server.start()
  return server
}

/** The worker would do it within a minute; here the screen has to be filled when it is first seen. */
async function sortGaps(settings: Settings, project: ProjectRow, log: Log): Promise<void> {
  const tenant = tenantOf(project)
  const database = openDatabase({ url: settings.databaseUrl, connections: 1 })
  const sender = createJobSender({ database, log })
  try {
    await sender.start()
    const bound = database.forProject(tenant)
    await bound.transaction((query) => sender.send(GAPS_QUEUE, tenant, query))
    const store = new SampleStore(bound)
    const end = Date.now() + GAPS_MS_MAX
    while (!(await store.hasGaps()) && Date.now() < end) await sleep(GAPS_LOOK_MS)
  } finally {
    await sender.stop()
    await database.end()
  }
}

async function choosePort(wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    if (await isFree(wanted)) return wanted
    throw new Error(`Port ${wanted} is in use. Choose another one with --port.`)
  }
  for (let port = DEFAULT_PORT; port < DEFAULT_PORT + PORTS_TRIED_MAX; port += 1)
    if (await isFree(port)) return port
  throw new Error(`The ports from ${DEFAULT_PORT} on are in use. Choose one with --port.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
