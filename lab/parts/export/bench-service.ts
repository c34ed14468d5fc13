/**
 * Starts a private PostgreSQL with the schema, and the real service as a separate process, for the
 * export benches.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createApiKey,
  insertOrganization,
  migrate,
  openDatabase,
  ProjectStore,
  type Tenant,
  tenantOf,
} from '@octavo/service'
import pg from 'pg'
import { createPepperRing } from '../../../packages/service/src/platform/secrets/pepper-ring.ts'
import { serviceUrlOf } from '../../../packages/service/testing/test-database.ts'

export type BenchProject = {
  readonly id: string
  readonly tenant: Tenant
  readonly publicId: string
  readonly token: string
}

export type BenchService = {
  readonly port: number
  readonly pid: number
  readonly stop: () => Promise<void>
}

export const BENCH_PEPPER = 'a pepper for benches, 32 characters or more'
export const BENCH_RING = createPepperRing({ current: BENCH_PEPPER })
const MAIN = join(import.meta.dirname, '../../../packages/service/src/main.ts')
/**
 * The maximum number of checks whether the service has started, over one minute in total, because a
 * start can be slow on a busy machine.
 */
const START_ATTEMPTS_MAX = 1_200
const START_PAUSE_MS = 50

/** Creates the schema and the service's role. */
export async function migrateBench(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl, { serviceUrl: serviceUrlOf(databaseUrl) })
}

/** Creates a project with its row in conversation_sequence and a key that can read. */
export async function createBenchProject(databaseUrl: string): Promise<BenchProject> {
  const database = openDatabase({ url: databaseUrl, connections: 1 })
  try {
    const { id: organizationId } = await insertOrganization(database, 'Bench')
    const slug = `bench-${randomUUID().slice(0, 8)}`
    const project = await new ProjectStore(database).insert({
      organizationId,
      name: 'Bench',
      slug,
    })
    const tenant = tenantOf(project)
    const { token } = await createApiKey(
      { database: database.forProject(tenant), pepper: BENCH_RING },
      {
        kind: 'admin',
        name: 'bench',
        scopes: ['analytics:read'],
        allowedFrom: null,
        expiresAt: null,
      },
    )
    return { id: project.id, tenant, publicId: project.public_id, token }
  } finally {
    await database.end()
  }
}

export type ServiceOptions = {
  /** The database URL for the owner of the tables. The service connects with its own role. */
  readonly databaseUrl: string
  readonly connections: number
}

/**
 * Starts the service. It logs to a file, because reading a pipe would cost CPU time in this
 * process.
 */
export async function startBenchService(options: ServiceOptions): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'))
  const logFile = join(folder, 'service.log')
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, [MAIN, '--role', 'api'], {
    stdio: ['ignore', log, 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: serviceUrlOf(options.databaseUrl),
      OCTAVO_KEY_PEPPER: BENCH_PEPPER,
      OCTAVO_ADMIN_PORT: '0',
      PORT: '0',
      OCTAVO_REQUESTS_PER_HOUR: '1000000000',
      OCTAVO_DATABASE_CONNECTIONS: String(options.connections),
    },
  })
  const port = await readPort(child, logFile)
  return {
    port,
    pid: child.pid ?? 0,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function readPort(child: ChildProcess, logFile: string): Promise<number> {
  for (let tried = 0; tried < START_ATTEMPTS_MAX && child.exitCode === null; tried += 1) {
    const port = /"message":"listening","url":"http:\/\/[^"]*:(\d+)"/.exec(
      readFileSync(logFile, 'utf8'),
    )?.[1]
    if (port !== undefined) return Number(port)
    await new Promise((resolve) => setTimeout(resolve, START_PAUSE_MS))
  }
  throw new Error('the service did not start')
}

/** Runs statements as the owner of the tables, without a timeout. */
export async function runSql(
  databaseUrl: string,
  ...statements: string[]
): Promise<pg.QueryResult> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    let result: pg.QueryResult | undefined
    for (const statement of statements) result = await client.query(statement)
    if (result === undefined) throw new Error('no statement')
    return result
  } finally {
    await client.end()
  }
}
