/**
 * Starts a demo in one temporary folder: PostgreSQL, sample data, and the service in this process.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBlobStore } from '../../../platform/blobs/open-blob-store.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { type ProjectRow, tenantOf } from '../../../projects/projects/store.ts'
import { adminAddress, listen, mainAddress } from '../../roles/listen.ts'
import { openWorkerGit } from '../../roles/serve.ts'
import { createService } from '../../roles/service.ts'
import type { Settings } from '../../settings/env.ts'
import { buildDemoSite } from './build-demo-site.ts'
import {
  createDemoSecrets,
  DEMO_PORT,
  demoSiteUrl,
  demoUrl,
  demoVariables,
  readDemoSettings,
} from './demo-settings.ts'
import { createDemoLink, fillDemo } from './fill-demo.ts'
import { findFreePort, isPortFree } from './free-port.ts'
import { type DatabaseOptions, startDatabase } from './start-database.ts'
import { SampleStore } from './store-samples.ts'

export type DemoOptions = Omit<DatabaseOptions, 'password'> & {
  /** Undefined to use the default port or the next free one. */
  readonly port: number | undefined
}

export type RunningDemo = {
  readonly url: string
  readonly signInUrl: string
  readonly siteUrl: string
}

const GAPS_MS_MAX = 10_000
const GAPS_LOOK_MS = 100

export async function startDemo(options: DemoOptions): Promise<RunningDemo> {
  const { folder, signal, onStarted } = options
  const port = await choosePort(options.port)
  const siteUrl = demoSiteUrl(port)
  const secrets = createDemoSecrets()
  mkdirSync(join(folder, 'builds'))
  // Run both in parallel, since each keeps one processor busy.
  const [postgres, builds] = await allSettled([
    startDatabase({ ...options, password: secrets.superuser }),
    buildDemoSite(join(folder, 'builds'), siteUrl),
  ])
  signal.throwIfAborted()
  const variables = demoVariables({ folder, port, databaseUrl: postgres.url, secrets })
  const settings = readDemoSettings(variables)
  const project = await fillDemo({ settings, builds, now: Date.now })
  signal.throwIfAborted()
  const blobs = settings.blobs && (await openBlobStore(settings.blobs))
  const writeLog = (line: string) => appendFileSync(join(folder, 'service.log'), line)
  const git = await openWorkerGit(settings)
  const service = createService({ settings, blobs, builds: { git }, writeLog, now: Date.now })
  onStarted({ stop: service.stop, kill: () => {} })
  const problem = await service.findStartProblem()
  if (problem !== undefined) throw new Error(problem)
  await listen(service.server, mainAddress(settings))
  await listen(service.adminServer, adminAddress(settings))
  await service.startWorker()
  await waitForGaps(settings, project)
  signal.throwIfAborted()
  const signInUrl = await createDemoLink(settings)
  return { url: demoUrl(port), signInUrl, siteUrl }
}

/**
 * Waits for both promises even if one is rejected, so that no process starts after the demo has
 * stopped.
 */
async function allSettled<One, Other>(
  works: readonly [Promise<One>, Promise<Other>],
): Promise<[One, Other]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}

/** Waits until the worker has grouped the sample questions into gaps. */
async function waitForGaps(settings: Settings, project: ProjectRow): Promise<void> {
  const database = openDatabase({ url: settings.databaseUrl, connections: 1 })
  const store = new SampleStore(database.forProject(tenantOf(project)))
  const end = Date.now() + GAPS_MS_MAX
  try {
    while (!(await store.hasGaps()) && Date.now() < end) await sleep(GAPS_LOOK_MS)
  } finally {
    await database.end()
  }
}

async function choosePort(wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    if (await isPortFree(wanted)) return wanted
    throw new Error(`Port ${wanted} is in use. Choose another one with --port.`)
  }
  const free = await findFreePort(DEMO_PORT)
  if (free !== undefined) return free
  throw new Error(`The ports from ${DEMO_PORT} upward are in use. Choose one with --port.`)
}
