/**
 * A PostgreSQL of our own in a private folder: for the demo, and for tests and benches, which never touch a server
 * that the machine runs already.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chownSync, closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

export type ServerOptions = {
  /** The folder of initdb and postgres. */
  readonly binaries: string
  /** An empty folder of ours; the data go below it. */
  readonly folder: string
  readonly settings?: Readonly<Record<string, string>>
  /** All variables of the server, such as a library that changes its clock. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The superuser's password. Without it, every user of this machine can log in. */
  readonly password?: string | undefined
  /** An empty folder for the log of changes (pg_wal), such as a volume of its own. */
  readonly walFolder?: string | undefined
  /** Fills the folder of the data instead of making an empty one. */
  readonly copy?: ((data: string) => Promise<void>) | undefined
  /** Ctrl-C in a terminal reaches all of its processes; a detached server is stopped by its owner alone. */
  readonly isDetached?: boolean
  readonly signal?: AbortSignal | undefined
}

export type PostgresServer = {
  /** Connects as the superuser. */
  readonly url: string
  readonly port: number
  /** The folder of the data. */
  readonly data: string
  /** The process id of the postmaster, which is the parent of all its processes; undefined before the first start. */
  readonly pid: () => number | undefined
  /** False after it has stopped itself. */
  readonly isRunning: () => boolean
  readonly start: () => Promise<void>
  /** SIGINT stops it in order, SIGQUIT at once, SIGKILL like a crash. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>
}

const LOG = 'postgres.log'
const LOG_LINES_SHOWN = 5
const SUPERUSER = 'postgres'
const READY_TRIES_MAX = 300
const READY_PAUSE_MS = 50
const run = promisify(execFile)

/** PostgreSQL refuses to run as root, so root lends it the user `nobody`. */
const NOBODY = 65_534
const isRoot = () => process.getuid?.() === 0

/** Lets PostgreSQL use a file or folder of ours. */
function lendToPostgres(path: string): void {
  if (isRoot()) chownSync(path, NOBODY, NOBODY)
}

/** Prepares the data; `start` runs the server. */
export async function createPostgresServer(options: ServerOptions): Promise<PostgresServer> {
  const { binaries, folder, password, signal } = options
  const as = isRoot() ? { uid: NOBODY, gid: NOBODY } : {}
  const env = { ...options.environment }
  const data = join(folder, 'data')
  lendToPostgres(folder)
  await fillData(data, options, { ...as, env, cwd: folder, signal })
  const port = await freePort()
  const flags = Object.entries({
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    ...options.settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const user = password === undefined ? SUPERUSER : `${SUPERUSER}:${password}`
  const url = `postgres://${user}@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  const isRunning = () =>
    server?.pid !== undefined && server.exitCode === null && server.signalCode === null

  return {
    url,
    port,
    data,
    pid: () => server?.pid,
    isRunning,
    async start() {
      const log = openSync(join(folder, LOG), 'a')
      server = spawn(join(binaries, 'postgres'), ['-D', data, ...flags], {
        ...as,
        env,
        cwd: folder,
        stdio: ['ignore', log, log],
        detached: options.isDetached === true,
      })
      closeSync(log)
      // Reported by `waitUntilReady`, which finds that it does not run.
      server.once('error', () => {})
      await waitUntilReady(url, isRunning).catch((error: unknown) => {
        throw new Error(`${(error as Error).message}${lastLines(join(folder, LOG))}`)
      })
    },
    async end(kind) {
      const running = server
      if (running === undefined || !isRunning()) return
      const ended = new Promise((resolve) => running.once('exit', resolve))
      running.kill(kind)
      await ended
    },
  }
}

type InitOptions = {
  readonly uid?: number
  readonly gid?: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly signal: AbortSignal | undefined
}

async function fillData(data: string, options: ServerOptions, as: InitOptions): Promise<void> {
  const { binaries, folder, password, walFolder, copy } = options
  if (walFolder !== undefined) lendToPostgres(walFolder)
  if (copy !== undefined) {
    await copy(data)
    if (isRoot()) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, data])
    return
  }
  const passwordFile = join(folder, 'password')
  if (password !== undefined) {
    writeFileSync(passwordFile, password, { mode: 0o600 })
    lendToPostgres(passwordFile)
  }
  try {
    await run(
      join(binaries, 'initdb'),
      [
        ...['-D', data, '-U', SUPERUSER, '--encoding=UTF8', '--locale=C', '--no-sync'],
        ...(password === undefined
          ? ['-A', 'trust']
          : ['-A', 'scram-sha-256', '--pwfile', passwordFile]),
        ...(walFolder === undefined ? [] : ['--waldir', walFolder]),
      ],
      as,
    ).catch((cause: { readonly stderr?: string }) => {
      const reason = cause.stderr?.trim() || String(cause)
      throw new Error(`The data folder of PostgreSQL was not created. ${reason}`, { cause })
    })
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** The port is free now. Another program may take it before we do, which is unlikely. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

export async function waitUntilReady(url: string, isRunning = () => true): Promise<void> {
  for (let tried = 0; tried < READY_TRIES_MAX && isRunning(); tried += 1) {
    const client = new pg.Client(url)
    client.on('error', () => {
      // A connection that dies while the server starts is tried again below.
    })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await sleep(READY_PAUSE_MS)
    }
  }
  throw new Error('PostgreSQL did not start.')
}

function lastLines(file: string): string {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(-LOG_LINES_SHOWN)
  return lines.map((line) => `\n  ${line}`).join('')
}
