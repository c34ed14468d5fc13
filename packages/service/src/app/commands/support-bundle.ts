/**
 * `support-bundle`: writes the state of an installation to one JSON file, to send to support. The
 * file contains names, counts and sizes, but no tenant data. It contains the values of allowed
 * variables only.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { VERSION } from '@octavo/model'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { readSchemaState } from '../../platform/database/migrate.ts'
import { JOBS_SCHEMA } from '../../platform/jobs/job-queue.ts'
import type { ReadSettings } from '../settings/env.ts'
import { UsageError } from './arguments.ts'
import { runDoctor } from './doctor/run-doctor.ts'

type BundleDeps = {
  readonly read: ReadSettings
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly print: (line: string) => void
  readonly now: () => number
}

const FILE = 'octavo-support.json'
const METRICS_MS_MAX = 5_000
const TABLES_MAX = 200
/**
 * The minimum length of a masked value. Shorter values are not secrets and may be ordinary words.
 */
const SECRET_LENGTH_MIN = 6
/**
 * Variables whose values are useful and not sensitive. Other variables are only reported as set.
 */
const SHOWN_VALUES: ReadonlySet<string> = new Set([
  ...['PORT', 'HOST', 'NODE_ENV', 'OCTAVO_URL', 'OCTAVO_SITES_DOMAIN', 'OCTAVO_PREVIEWS_DOMAIN'],
  ...['OCTAVO_ADMIN_HOST', 'OCTAVO_ADMIN_PORT', 'OCTAVO_DATABASE_CONNECTIONS'],
  ...['OCTAVO_HOST_CACHE_MB', 'OCTAVO_REQUESTS_PER_HOUR', 'OCTAVO_WORK_FOLDER'],
])
const OWN_NAME = /^(?:OCTAVO_|DATABASE_|AWS_|NODE_|OTEL_|PORT$|HOST$)/

export async function writeSupportBundle(
  args: readonly string[],
  { read, environment, print, now }: BundleDeps,
): Promise<number> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true })
  const [file = FILE, unexpected] = positionals
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument "${unexpected}".`)
  const doctor: string[] = []
  await runDoctor(['--json'], { read, environment, now, print: (line) => doctor.push(line) })
  const bundle = {
    at: new Date(now()).toISOString(),
    version: VERSION,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    environment: describeEnvironment(environment),
    doctor: JSON.parse(doctor.join('\n')),
    ...(read.kind === 'read' && {
      metrics: await readMetrics(read.settings),
      database: await readDatabase(read.settings.databaseUrl),
    }),
  }
  const text = hideValues(`${JSON.stringify(bundle, undefined, 2)}\n`, environment)
  writeFileSync(file, text, { mode: 0o600 })
  print(
    `Wrote ${file}. It contains no secrets, but it contains host names and paths. Read the file before you send it.`,
  )
  return 0
}

function describeEnvironment(environment: BundleDeps['environment']): object {
  return Object.fromEntries(
    Object.entries(environment)
      .filter(([name, value]) => OWN_NAME.test(name) && value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value = '']) => [name, showValue(name, value)]),
  )
}

function showValue(name: string, value: string): string {
  if (value === '') return '(empty)'
  if (!SHOWN_VALUES.has(name)) return '(set)'
  // The URL may contain a password by mistake.
  return value.replace(/\/\/[^/@]*@/, '//(hidden)@')
}

/** Reads the metrics of a running process with the same settings, if there is one. */
async function readMetrics(settings: {
  readonly adminHost: string
  readonly adminPort: number
}): Promise<unknown> {
  try {
    const reply = await fetch(`http://${settings.adminHost}:${settings.adminPort}/metrics`, {
      signal: AbortSignal.timeout(METRICS_MS_MAX),
    })
    return (await reply.text()).split('\n').filter((line) => !line.startsWith('#'))
  } catch (error) {
    return describeFailure(error)
  }
}

async function readDatabase(url: string): Promise<object> {
  const database = openDatabase({ url, connections: 1 })
  try {
    return {
      schema: await attempt(() =>
        readSchemaState({ query: async (text) => ({ rows: await database.query(text) }) }),
      ),
      jobs: await attempt(() => countJobs(database)),
      tables: await attempt(() => measureTables(database)),
    }
  } finally {
    await database.end()
  }
}

const countJobs = (database: Database) =>
  database.query(
    `select name as queue, state::text, count(*)::integer as count from ${JOBS_SCHEMA}.job
      group by 1, 2 order by 1, 2`,
  )

const measureTables = (database: Database) =>
  database.query(
    `select n.nspname as schema, c.relname as table, pg_total_relation_size(c.oid)::float8 as bytes,
            greatest(c.reltuples, 0)::float8 as rows
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
      order by 3 desc, 1, 2 limit ${TABLES_MAX}`,
  )

async function attempt(read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read()
  } catch (error) {
    return describeFailure(error)
  }
}

/** Returns only the error's name and code, since its message may contain request data. */
function describeFailure(error: unknown): object {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return { failed: error instanceof Error ? error.name : typeof error, code }
}

/**
 * Masks the values of all variables that are not in SHOWN_VALUES, and all passwords in URLs, as the
 * last line of defense.
 */
function hideValues(text: string, environment: BundleDeps['environment']): string {
  const secrets = Object.entries(environment)
    .filter(([name]) => OWN_NAME.test(name) && !SHOWN_VALUES.has(name))
    .flatMap(([, value = '']) => [value, /\/\/[^/@:]*:([^/@]+)@/.exec(value)?.[1] ?? ''])
    .filter((value) => value.length >= SECRET_LENGTH_MIN)
    .toSorted((a, b) => b.length - a.length)
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '(hidden)'), text)
}
