/**
 * Runs the service in one role: open, check, listen, start the worker; then serve until a signal or
 * a failure.
 */
import type { Server } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { explainStoreError } from '../../platform/blobs/explain-store-error.ts'
import { type BlobSettings, openBlobStore } from '../../platform/blobs/open-blob-store.ts'
import { openGit } from '../../platform/git/open-git.ts'
import { reasonOf } from '../../platform/reason-of.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import type { Settings } from '../settings/env.ts'
import { adminAddress, type ListenAddress, listen, mainAddress } from './listen.ts'
import { createService, hasWorker, type Role, type Service } from './service.ts'

/**
 * The maximum time of a shutdown. Requests and jobs each have 10 seconds to end; then buffered data
 * is written.
 */
const STOP_MS_MAX = 25_000
/** The maximum time of a shutdown after a failure, when there is nothing left to wait for. */
const ABANDON_MS_MAX = 3_000

/**
 * Resolves once the service has been asked to stop. Throws an error with a message for the operator
 * if it cannot start or continue.
 */
export async function serve(settings: Settings, role: Role): Promise<void> {
  const signal = untilSignal()
  const closed = Promise.withResolvers<never>()
  const writeLog = (line: string) => process.stdout.write(line)
  const log = createLog(writeLog, Date.now)
  const blobs = settings.blobs && (await openStore(settings.blobs))
  const isWorker = hasWorker(role, settings)
  const builds = isWorker && blobs ? { git: await openWorkerGit(settings) } : undefined
  const service = createService({ settings, blobs, builds, role, writeLog, now: Date.now })
  try {
    await Promise.race([signal, closed.promise, start().then(() => signal)])
  } catch (error) {
    await withTimeout(service.stop(), ABANDON_MS_MAX).catch(() => {})
    throw error
  }
  await withTimeout(service.stop(), STOP_MS_MAX).catch((cause: unknown) => {
    throw new Error(`The service did not stop cleanly: ${reasonOf(cause)}.`, { cause })
  })

  async function start(): Promise<void> {
    const problem = await service.findStartProblem()
    if (problem !== undefined) throw new Error(problem)
    if (role !== 'worker') await open(service.server, mainAddress(settings))
    await open(service.adminServer, adminAddress(settings))
    if (isWorker) await service.startWorker()
    if (role === 'worker') print({ message: 'working' })
    else print({ message: 'listening', url: urlOf(service, settings) })
    if (role === 'api' || role === 'all') void announceSetup(service)
  }

  async function open(server: Server, address: ListenAddress): Promise<void> {
    await listen(server, address)
    const { host, port } = address
    // An error on a listening server affects only a single connection.
    server.on('error', (error) => log.error('a server failed', { error }))
    server.once('close', () =>
      closed.reject(new Error(`The server on port ${port} of ${host} was closed.`)),
    )
  }
}

/** Opens Git for one process, with its own folder for clones. */
export function openWorkerGit(settings: Settings, name = 'clones') {
  const { workFolder, allowPrivateHosts } = settings
  return openGit({ folder: join(workFolder, name), allowPrivateHosts })
}

async function openStore(settings: BlobSettings) {
  try {
    return await openBlobStore(settings)
  } catch (cause) {
    const { found, hint } = explainStoreError(cause, settings)
    throw new Error(`${found} ${hint}`, { cause })
  }
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

function urlOf({ server }: Service, { host, port }: Settings): string {
  const address = server.address()
  return `http://${host}:${typeof address === 'object' && address !== null ? address.port : port}`
}

/**
 * Logs the setup link if there are no users: the person who reads the service's log becomes the
 * first owner.
 */
async function announceSetup(service: Service): Promise<void> {
  const url = await service.createSetupLink().catch(() => undefined)
  if (url === undefined) return
  print({ message: 'no users yet: open this link within an hour to set up the dashboard', url })
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
