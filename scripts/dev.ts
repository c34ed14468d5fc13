/**
 * `npm run dev`: runs the service's demo and our own documentation from the sources of this
 * checkout. Saving a file in packages/ restarts them. PostgreSQL keeps running, and its data stays
 * in .cache/dev for the next start.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs, promisify } from 'node:util'
import { CHILD_ENVIRONMENT } from '../packages/builder/testing/child-environment.ts'
import {
  claimFolder,
  releaseFolder,
} from '../packages/service/src/app/commands/demo/demo-folder.ts'
import {
  createDemoSecrets,
  DEMO_PORT,
  type DemoSecrets,
  demoVariables,
} from '../packages/service/src/app/commands/demo/demo-settings.ts'
import { findFreePort } from '../packages/service/src/app/commands/demo/free-port.ts'
import {
  type StartedPart,
  startDatabase,
} from '../packages/service/src/app/commands/demo/start-database.ts'
import { createPrograms } from './dev/programs.ts'
import { watchPackages } from './dev/watch-packages.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, '.cache/dev')
/** The file that is written last. If it is missing, the data is incomplete. */
const SECRETS = join(FOLDER, 'secrets.json')
const DOCS_PORT = 3_000
/**
 * Signals within this time count as one, because npm forwards a Ctrl-C that this process has
 * already received.
 */
const SAME_SIGNAL_MS = 1_000

// If the terminal is closed, output fails, but everything must still be stopped.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
process.exit(await main())

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { fresh: { type: 'boolean' } } })
  const pid = await claimFolder(FOLDER)
  if (pid !== undefined) {
    complain(
      `The development server is already running in this checkout, as process ${pid}. Stop it with Ctrl-C first.`,
    )
    return 1
  }
  const parts: StartedPart[] = []
  const signal = listenForSignals(parts)
  try {
    if (values.fresh || !existsSync(SECRETS)) {
      rmSync(FOLDER, { recursive: true })
      await claimFolder(FOLDER)
    }
    await run(parts, signal)
    return 0
  } catch (error) {
    if (signal.aborted) return 0
    complain(`${error instanceof Error ? error.message : String(error)}`)
    return 1
  } finally {
    for (const part of parts.toReversed()) await part.stop()
    releaseFolder(FOLDER)
  }
}

async function run(parts: StartedPart[], signal: AbortSignal): Promise<void> {
  const isNew = !existsSync(SECRETS)
  print(isNew ? 'Starting with new sample data.' : 'Starting with the data of the last run.')
  const secrets: DemoSecrets = isNew
    ? createDemoSecrets()
    : JSON.parse(readFileSync(SECRETS, 'utf8'))
  const [port, docsPort] = [await findFreePort(DEMO_PORT), await findFreePort(DOCS_PORT)]
  if (port === undefined || docsPort === undefined)
    throw new Error(`All ports from ${DEMO_PORT} or from ${DOCS_PORT} upward are in use.`)
  const { url } = await startDatabase({
    folder: FOLDER,
    password: secrets.superuser,
    environment: process.env,
    announce: print,
    onStarted: (part) => parts.push(part),
    signal,
  })
  const variables = demoVariables({ folder: FOLDER, port, databaseUrl: url, secrets })
  const environment = { ...CHILD_ENVIRONMENT, ...variables }
  if (isNew) {
    const program = join(ROOT, 'scripts/dev/fill.ts')
    await promisify(execFile)(process.execPath, [program], { env: environment, signal })
    writeFileSync(SECRETS, JSON.stringify(secrets), { mode: 0o600 })
  }
  const programs = createPrograms({
    root: ROOT,
    folder: FOLDER,
    port,
    docsPort,
    environment,
    print,
  })
  parts.push(programs)
  const watch = watchPackages(join(ROOT, 'packages'), programs.restart)
  parts.push({ stop: async () => watch.close(), kill: () => {} })
  await programs.start()
  await once(signal, 'abort')
}

/** Returns the signal to stop. A second Ctrl-C kills everything immediately. */
function listenForSignals(parts: readonly StartedPart[]): AbortSignal {
  const stopping = new AbortController()
  let sinceMs = 0
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => {
      if (!stopping.signal.aborted) {
        sinceMs = performance.now()
        stopping.abort()
      } else if (performance.now() > sinceMs + SAME_SIGNAL_MS) {
        for (const part of parts) part.kill()
        process.exit(1)
      }
    })
  return stopping.signal
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function complain(line: string): void {
  process.stderr.write(`npm run dev: ${line}\n`)
}
