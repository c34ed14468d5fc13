/**
 * The environment of a run: a private PostgreSQL, optionally with a replica, the product's schema,
 * projects, and the real service.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate, openDatabase, type Tenant } from '@octavo/service'
import {
  type RunningPostgres,
  startPostgres,
} from '../../../packages/service/testing/start-postgres.ts'
import { serviceUrlOf } from '../../../packages/service/testing/test-database.ts'
import { BENCH_PEPPER, createBenchProject } from '../../parts/export/bench-service.ts'
import { addWork, NO_WORK, readExportWork, type SharedWork } from './export-work.ts'

const NOISE_PROJECTS = 3
const RESTART_TRIES_MAX = 4
/** The time limit for a start, which can be slow on a busy machine. */
const LISTEN_MS_MAX = 120_000
const LOGGED_ERRORS_MAX = 5

const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  // PostgreSQL counts the calls and time of functions, which shows which server does the work.
  track_functions: 'pl',
}
const REPLICA_SETTINGS = {
  // The delay simulates a busy replica. Otherwise the replica would catch up while the fence waits
  // for queued writers, and code that does not wait for the replica would pass by luck.
  recovery_min_apply_delay: '400ms',
  // The replica can resume quickly after a crash of its primary, without a gap in the log.
  wal_keep_size: '1GB',
  wal_retrieve_retry_interval: '200ms',
}

export type StageOptions = {
  /** SQL that replaces functions of the product. */
  readonly sql: string
  /** True if the service reads exports from a streaming replica. */
  readonly hasReplica: boolean
}

export type Stage = Awaited<ReturnType<typeof startStage>>

export async function startStage({ sql, hasReplica }: StageOptions) {
  const settings = hasReplica ? { ...SETTINGS, ...REPLICA_SETTINGS } : SETTINGS
  const postgres = await startPostgres({ settings })
  const owner = openDatabase({ url: postgres.url, connections: 4 })
  const service = { child: undefined as ChildProcess | undefined, errors: [] as string[] }
  let replica: RunningPostgres | undefined
  let workBeforeCrash = NO_WORK

  async function stop(): Promise<void> {
    service.child?.kill('SIGKILL')
    await owner.end()
    await replica?.stop()
    await postgres.stop()
  }

  try {
    const serviceUrl = serviceUrlOf(postgres.url)
    await migrate(postgres.url, { serviceUrl })
    if (sql !== '') await owner.pool.query(sql)
    const project = await createBenchProject(postgres.url)
    const noiseTenants: Tenant[] = []
    for (let count = 0; count < NOISE_PROJECTS; count += 1) {
      noiseTenants.push((await createBenchProject(postgres.url)).tenant)
    }
    if (hasReplica) replica = await postgres.startReplica()
    const replicaUrl = replica && serviceUrlOf(replica.url)
    const { child, url } = await startService({ serviceUrl, replicaUrl }, service.errors)
    service.child = child
    return {
      databaseUrl: postgres.url,
      owner,
      serviceUrl,
      tenant: project.tenant,
      noiseTenants: noiseTenants as readonly Tenant[],
      exportUrl: `${url}/v1/analytics/${project.publicId}/assistant`,
      token: project.token,
      /** Unexpected errors in the log of the service. */
      serviceErrors: service.errors as readonly string[],
      isServiceUp: () => child.exitCode === null && child.signalCode === null,
      /** Kills the postmaster, waits, and restarts it on the same data. */
      async crashDatabase(downMs: number): Promise<void> {
        if (replica) workBeforeCrash = addWork(workBeforeCrash, await readExportWork(owner))
        await postgres.kill()
        await sleep(downMs)
        for (let tried = 1; ; tried += 1) {
          try {
            return await postgres.restart()
          } catch (error) {
            // PostgreSQL does not start while an old process still holds the shared memory.
            if (tried === RESTART_TRIES_MAX) throw error
          }
        }
      },
      /** Pauses a server process that is publishing and may hold the lock. */
      async pauseBackend(ms: number): Promise<boolean> {
        const [row] = await owner.query<{ pid: number }>(
          `select pid from pg_stat_activity
            where query like '%publish_question%' and state = 'active' and pid <> pg_backend_pid()
            order by random() limit 1`,
          [],
        )
        if (row === undefined || !isPostgres(row.pid)) return false
        process.kill(row.pid, 'SIGSTOP')
        await sleep(ms)
        if (isPostgres(row.pid)) process.kill(row.pid, 'SIGCONT')
        return true
      },
      /**
       * Returns the export work of each server so far. Connections report about once a second, so a
       * crash loses the primary's last second.
       */
      async readSharedWork(): Promise<SharedWork | undefined> {
        if (replica === undefined) return undefined
        const onReplica = openDatabase({ url: replica.url, connections: 1 })
        try {
          const primary = addWork(workBeforeCrash, await readExportWork(owner))
          return { primary, replica: await readExportWork(onReplica) }
        } finally {
          await onReplica.end()
        }
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
  } catch {
    return false
  }
}

async function startService(
  { serviceUrl, replicaUrl }: { serviceUrl: string; replicaUrl: string | undefined },
  errors: string[],
): Promise<{ child: ChildProcess; url: string }> {
  const main = join(import.meta.dirname, '../../../packages/service/src/main.ts')
  const child = spawn(process.execPath, [main, '--role', 'api'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      DATABASE_URL: serviceUrl,
      ...(replicaUrl === undefined ? {} : { DATABASE_REPLICA_URL: replicaUrl }),
      OCTAVO_KEY_PEPPER: BENCH_PEPPER,
      OCTAVO_ADMIN_PORT: '0',
      HOST: '127.0.0.1',
      PORT: '0',
      OCTAVO_REQUESTS_PER_HOUR: '1000000000',
    },
  })
  const lines = createInterface({ input: child.stdout })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error('the service did not start'))
    }, LISTEN_MS_MAX)
    lines.on('line', (line) => {
      if (line.includes('"listening"')) {
        clearTimeout(timer)
        resolve({ child, url: (JSON.parse(line) as { url: string }).url })
      } else if (line.includes('"unexpected error"') && errors.length < LOGGED_ERRORS_MAX) {
        errors.push(line)
      }
    })
  })
}
