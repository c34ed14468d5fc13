/**
 * Starts a complete service for scripts: PostgreSQL, a blob store, the service's roles as processes
 * that can be killed and restarted, and the command line that deploys to it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHILD_ENVIRONMENT } from '../../builder/testing/child-environment.ts'
import { systemClock } from '../../cli/src/context/system-clock.ts'
import { run } from '../../cli/src/run.ts'
import type { BlobStore } from '../src/platform/blobs/blob-store.ts'
import { openBlobStore } from '../src/platform/blobs/open-blob-store.ts'
import { createBucket } from './create-bucket.ts'
import { type CephDisk, type RunningCeph, startCeph } from './start-ceph.ts'
import { freePort, type RunningPostgres, startPostgres } from './start-postgres.ts'

/**
 * The database operations that are used here. Both a single PostgreSQL and a cluster provide them.
 */
type HostingDatabase = Pick<
  RunningPostgres,
  'url' | 'kill' | 'restart' | 'pause' | 'resume' | 'stop'
>

export type HostingOptions = {
  /** A running database, which the caller stops. If omitted, a PostgreSQL is started. */
  readonly database?: HostingDatabase
  /** Where blobs are stored: in a folder, or in Ceph with one of its two kinds of disk. */
  readonly store?: 'folder' | CephDisk
  readonly settings?: Readonly<Record<string, string>>
  /** The folder with the programs of another PostgreSQL, such as Debian's. */
  readonly binaries?: string
  /** Additional environment variables for the service and its commands. */
  readonly environment?: Readonly<Record<string, string>>
  /** Receives every line that a service process writes. */
  readonly onLine?: (line: string) => void
}

export type HostedProject = {
  readonly slug: string
  readonly projectId: string
  readonly adminKey: string
  /** The `Host` header of the project's site. */
  readonly host: string
}

export type ServiceProcess = {
  readonly port: number
  readonly pid: () => number
  /** The lines that the process logged as errors. */
  readonly errors: readonly string[]
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
}

type CommandResult = { readonly code: number; readonly out: string; readonly err: string }

export type Hosting = {
  readonly url: string
  readonly folder: string
  readonly postgres: HostingDatabase
  readonly ceph: RunningCeph | undefined
  readonly environment: Readonly<Record<string, string>>
  readonly openStore: () => Promise<BlobStore>
  /** Runs an operator command. */
  readonly command: (...args: readonly string[]) => string
  /** Runs an operator command with `input` as its standard input. */
  readonly commandWith: (input: string, ...args: readonly string[]) => string
  readonly createProject: (slug: string) => HostedProject
  /**
   * Starts a process with a role. `all` and `api` use the port in `url`; the others use a free
   * port.
   */
  readonly start: (
    role: 'all' | 'api' | 'host' | 'worker',
    more?: Readonly<Record<string, string>>,
  ) => Promise<ServiceProcess>
  /** Runs `octavo` in the current process. */
  readonly octavo: (project: HostedProject, ...args: readonly string[]) => Promise<CommandResult>
  /** Kills PostgreSQL, waits for `downMs`, and starts it again with the same data. */
  readonly crashDatabase: (downMs: number) => Promise<void>
  readonly stop: () => Promise<void>
}

const SERVICE = join(import.meta.dirname, '../src/main.ts')
const DOMAIN = 'sites.localhost'
const START_ATTEMPTS_MAX = 5
/** The maximum duration of a start, which is slow on a busy machine. */
const START_MS_MAX = 120_000
const ERRORS_MAX = 1_000

export async function startHosting(options: HostingOptions = {}): Promise<Hosting> {
  const { store = 'folder' } = options
  const folder = mkdtempSync(join(tmpdir(), 'octavo-hosting-'))
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    let postgres = options.database
    if (postgres === undefined) {
      postgres = await startPostgres({
        settings: options.settings ?? {},
        ...(options.binaries !== undefined && { binaries: options.binaries }),
      })
      ends.push(postgres.stop)
    }
    const ceph = store === 'folder' ? undefined : await startCeph(store)
    if (ceph !== undefined) {
      ends.push(ceph.stop)
      await createBucket({ ...ceph, bucket: 'octavo' })
    }
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const environment = {
      ...CHILD_ENVIRONMENT,
      DATABASE_OWNER_URL: postgres.url,
      DATABASE_URL: Object.assign(new URL(postgres.url), { username: 'octavo_service' }).href,
      OCTAVO_KEY_PEPPER: 'a pepper for scripts, 32 characters or more',
      OCTAVO_BLOBS: ceph === undefined ? join(folder, 'blobs') : 's3://octavo/blobs',
      ...(ceph && {
        OCTAVO_S3_ENDPOINT: ceph.endpoint,
        AWS_ACCESS_KEY_ID: ceph.accessKeyId,
        AWS_SECRET_ACCESS_KEY: ceph.secretAccessKey,
      }),
      OCTAVO_URL: url,
      OCTAVO_SITES_DOMAIN: DOMAIN,
      OCTAVO_ADMIN_PORT: '0',
      OCTAVO_REQUESTS_PER_HOUR: '1000000000',
      OCTAVO_WORK_FOLDER: join(folder, 'work'),
      ...options.environment,
    }
    const commandWith = (input: string, ...args: readonly string[]) => {
      const result = spawnSync(process.execPath, ['--no-warnings', SERVICE, ...args], {
        env: environment,
        encoding: 'utf8',
        input,
      })
      if (result.status !== 0) throw new Error(result.stderr)
      return result.stdout
    }
    const command = (...args: readonly string[]) => commandWith('', ...args)
    command('migrate')
    return {
      url,
      folder,
      postgres,
      ceph,
      environment,
      openStore: () =>
        openBlobStore({
          blobs: environment.OCTAVO_BLOBS,
          s3Endpoint: ceph?.endpoint,
          awsAccessKeyId: ceph?.accessKeyId,
          awsSecretAccessKey: ceph?.secretAccessKey,
        }),
      command,
      commandWith,
      createProject(slug) {
        const made = command('init', '--organization', slug, '--project', slug, '--json')
        const { projectId, adminKey } = JSON.parse(made)
        return { slug, projectId, adminKey, host: `${slug}.${DOMAIN}` }
      },
      async start(role, more = {}) {
        const own = role === 'host' || role === 'worker' ? await freePort() : port
        const started = createProcess({
          role,
          env: { ...environment, PORT: String(own), ...more },
          onLine: options.onLine ?? (() => {}),
        })
        ends.push(started.end)
        await started.restart()
        return { ...started, port: own }
      },
      octavo: (project, ...args) =>
        runCommandLine([...args, '--project', project.projectId, '--service', url], project),
      crashDatabase: (downMs) => crashDatabase(postgres, downMs),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function crashDatabase(postgres: HostingDatabase, downMs: number): Promise<void> {
  await postgres.kill()
  await sleep(downMs)
  for (let tried = 1; ; tried += 1) {
    try {
      return await postgres.restart()
    } catch (error) {
      // PostgreSQL does not start while a process of the killed server uses the shared memory.
      if (tried === START_ATTEMPTS_MAX) throw error
    }
  }
}

type ProcessOptions = {
  readonly role: string
  readonly env: Readonly<Record<string, string>>
  readonly onLine: (line: string) => void
}

function createProcess({ role, env, onLine }: ProcessOptions) {
  let child: ChildProcess | undefined
  let isOver = false
  const errors: string[] = []

  function launch(): Promise<void> {
    const started = spawn(process.execPath, ['--no-warnings', SERVICE, '--role', role], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    const keep = (line: string) => errors.length < ERRORS_MAX && errors.push(line)
    createInterface({ input: started.stderr }).on('line', (line) => {
      onLine(line)
      keep(line)
    })
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => started.kill('SIGKILL'), START_MS_MAX)
      createInterface({ input: started.stdout }).on('line', (line) => {
        onLine(line)
        if (line.includes('"error"')) keep(line)
        if (!/"message":"(?:listening|working)"/.test(line)) return
        clearTimeout(timer)
        resolve()
      })
      started.once('exit', () => {
        clearTimeout(timer)
        reject(new Error(`${role} did not start: ${errors.at(-1)}`))
      })
    })
  }

  async function kill(): Promise<void> {
    const running = child
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await ended
  }

  return {
    errors: errors as readonly string[],
    pid: () => child?.pid ?? 0,
    kill,
    /** Ends the process permanently, even during a restart. */
    end(): Promise<void> {
      isOver = true
      return kill()
    },
    /**
     * Starts the process again. Retries a few times, because it does not start while the database
     * is down.
     */
    async restart(): Promise<void> {
      for (let tried = 1; ; tried += 1) {
        try {
          if (isOver) throw new Error(`${role} is not started any more`)
          return await launch()
        } catch (error) {
          if (tried === START_ATTEMPTS_MAX || isOver) throw error
          await sleep(500)
        }
      }
    },
  }
}

async function runCommandLine(
  args: readonly string[],
  project: HostedProject,
): Promise<CommandResult> {
  let out = ''
  let err = ''
  const code = await run({
    args,
    cwd: process.cwd(),
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, OCTAVO_API_KEY: project.adminKey },
    clock: systemClock,
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  })
  return { code, out, err }
}
