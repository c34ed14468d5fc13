/**
 * Runs a separate PostgreSQL in a private folder, so that the demo, tests and benchmarks never
 * touch a server that already runs on the machine.
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
  /** The folder that contains initdb and postgres. */
  readonly binaries: string
  /** An empty folder for the server; the data directory is created in it. */
  readonly folder: string
  readonly settings?: Readonly<Record<string, string>>
  /** The server's complete environment, for example to preload a library that changes its clock. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The superuser's password. Without it, every user of this machine can log in. */
  readonly password?: string | undefined
  /** An empty folder for the write-ahead log (pg_wal), for example on another volume. */
  readonly walFolder?: string | undefined
  /** Fills the data directory. If undefined, an empty database is created. */
  readonly copy?: ((data: string) => Promise<void>) | undefined
  /** Detaches the server from the terminal, so that Ctrl-C does not stop it and only `end` does. */
  readonly isDetached?: boolean
  readonly signal?: AbortSignal | undefined
}

export type PostgresServer = {
  /** The connection URL of the superuser. */
  readonly url: string
  readonly port: number
  /** The data directory. */
  readonly data: string
  /**
   * The process id of the postmaster, the parent of all server processes; undefined before the
   * first start.
   */
  readonly pid: () => number | undefined
  /** Returns false once the server has stopped on its own. */
  readonly isRunning: () => boolean
  readonly start: () => Promise<void>
  /** SIGINT shuts down cleanly, SIGQUIT immediately, SIGKILL simulates a crash. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>
}

const LOG = 'postgres.log'
const LOG_LINES_SHOWN = 5
const SUPERUSER = 'postgres'
const READY_TRIES_MAX = 300
const READY_PAUSE_MS = 50
const run = promisify(execFile)

/** The user id of `nobody`: PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const isRoot = () => process.getuid?.() === 0

/** Makes a file or folder accessible to PostgreSQL. */
function chownToPostgres(path: string): void {
  if (isRoot()) chownSync(path, NOBODY, NOBODY)
}

/** Prepares the data directory; `start` runs the server. */
export async function createPostgresServer(options: ServerOptions): Promise<PostgresServer> {
  const { binaries, folder, password, signal } = options
  const as = isRoot() ? { uid: NOBODY, gid: NOBODY } : {}
  const env = { ...options.environment }
  const data = join(folder, 'data')
  chownToPostgres(folder)
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
      // Ignored, because `waitUntilReady` reports that the server is not running.
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
  if (walFolder !== undefined) chownToPostgres(walFolder)
  if (copy !== undefined) {
    await copy(data)
    if (isRoot()) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, data])
    return
  }
  const passwordFile = join(folder, 'password')
  if (password !== undefined) {
    writeFileSync(passwordFile, password, { mode: 0o600 })
    chownToPostgres(passwordFile)
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

/** Returns a free port. In rare cases, another program may take it before it is used. */
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
      // A connection that is lost during the start is retried below.
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
