/**
 * Brings the schema up to date. Numbered files change tables, each once and never again after it
 * has run; function files are applied anew whenever their text changes. Every version of the service
 * works on the schema of the next one: columns are added first and removed a version later.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { installJobs, JOBS_SCHEMA } from '../jobs/job-queue.ts'
import { QUEUES } from '../jobs/queues.ts'

/**
 * Requests that need a table queue up behind a migration that waits for it, and fail after the 2
 * seconds of DEADLINES. So a migration gives way earlier and tries again; but not before a second, when
 * PostgreSQL takes the table from its own autovacuum.
 */
const LOCK_TIMEOUT = '1500ms'
const LOCK_PATIENCE_MS = 120_000
const LOCK_PAUSE_MS = 500
/** Of PostgreSQL: the lock was not to be had in time; two transactions waited for each other. */
const LOCK_CODES = ['55P03', '40P01']
/** Of the role of the service: a database that hangs becomes an error, not a queue. */
const DEADLINES = {
  statement_timeout: '15s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '5s',
}

type SchemaFile = { readonly name: string; readonly text: string; readonly checksum: string }

/** What a database has of the files that this version brings. */
export type SchemaState = {
  /** Files that have to be run, in order. */
  readonly missing: readonly string[]
  /** Files that ran with a text that no version had. */
  readonly changed: readonly string[]
  /** Files that ran and that this version does not know: the database is of a newer one. */
  readonly unknown: readonly string[]
}

const MIGRATIONS = readFiles('migrations')
/**
 * A few migrations were changed after they were written. A correction brings a database that ran an
 * earlier text, whose SHA-256 begins as its name says, to what the present text makes.
 */
const CORRECTIONS = readFiles('corrections')
const FUNCTIONS = readFiles('functions')

export type MigrateOptions = {
  readonly dryRun?: boolean
  /** The role that the service logs in as; it is created. */
  readonly serviceUrl?: string | undefined
  /** How long a file is tried again while a table that it changes is in use. */
  readonly lockPatienceMs?: number
}
/** Names of all files that a database of this version has run. */
export const SCHEMA_FILES: readonly string[] = [...MIGRATIONS, ...FUNCTIONS].map(({ name }) => name)

export async function migrate(
  ownerUrl: string,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    // Two processes that start together must not both migrate.
    await client.query(`select pg_advisory_lock(hashtext('octavo migrate'))`)
    const state = await readSchemaState(client)
    refuseOtherVersion(state)
    if (options.dryRun) return state.missing
    await client.query(
      'create table if not exists migration (name text primary key, checksum text not null, ran_at timestamptz not null default now())',
    )
    for (const name of state.missing) await runFile(client, name, options)
    if (state.missing.length > 0) {
      await client.query('select ensure_partitions()')
      await client.query('grant select on migration to octavo_app')
    }
    await installJobs((text, values) => client.query(text, values), QUEUES)
    await grantJobs(client)
    if (options.serviceUrl !== undefined) await ensureServiceRole(client, options.serviceUrl)
    return state.missing
  } finally {
    await client.end()
  }
}

/** The service sends and runs jobs; the tables of the queue stay the owner's. */
async function grantJobs(client: pg.Client): Promise<void> {
  await client.query(`grant usage on schema ${JOBS_SCHEMA} to octavo_app`)
  await client.query(
    `grant select, insert, update, delete on all tables in schema ${JOBS_SCHEMA} to octavo_app`,
  )
}

/** Runs a file; while a table is in use, it gives way to requests and tries again. */
async function runFile(
  client: pg.Client,
  name: string,
  { lockPatienceMs = LOCK_PATIENCE_MS }: MigrateOptions,
): Promise<void> {
  const file = [...CORRECTIONS, ...MIGRATIONS, ...FUNCTIONS].find((one) => one.name === name)
  if (file === undefined) throw new Error(`the file ${name} does not exist`)
  const giveUpAt = performance.now() + lockPatienceMs
  for (;;) {
    try {
      return await runOnce(client, file)
    } catch (error) {
      if (!LOCK_CODES.includes((error as { readonly code?: string }).code ?? '')) throw error
      if (performance.now() > giveUpAt) throw await lockProblem(client, name, error)
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

async function runOnce(client: pg.Client, file: SchemaFile): Promise<void> {
  // A correction makes of what was run what its migration is now.
  const done = MIGRATIONS.find((one) => isCorrectionOf(file, one)) ?? file
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await client.query(file.text)
    await client.query(
      `insert into migration (name, checksum) values ($1, $2)
       on conflict (name) do update set checksum = excluded.checksum, ran_at = now()`,
      [done.name, done.checksum],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function lockProblem(client: pg.Client, name: string, error: unknown): Promise<Error> {
  const { rows } = await client.query<{ pid: number; role: string; state: string; open: string }>(
    `select pid, usename as role, state, date_trunc('second', now() - xact_start)::text as open
       from pg_stat_activity
      where xact_start is not null and pid <> pg_backend_pid() and datname = current_database()
      order by xact_start limit 1`,
  )
  const [oldest] = rows
  const who = oldest
    ? ` The oldest open transaction is of ${oldest.role}: process ${oldest.pid}, ${oldest.state}, open for ${oldest.open}.`
    : ''
  return new Error(
    `${name} was not run: a table that it changes is in use.${who} End long transactions and run \`octavo-service migrate\` again.`,
    { cause: error },
  )
}

/** Reads it without changing anything. */
export async function readSchemaState(client: {
  readonly query: (text: string) => Promise<{ readonly rows: readonly object[] }>
}): Promise<SchemaState> {
  const { rows: found } = await client.query(`select to_regclass('migration') is not null as "is"`)
  const isThere = (found[0] as { readonly is: boolean } | undefined)?.is === true
  const { rows } = isThere
    ? await client.query('select name, checksum from migration')
    : { rows: [] }
  const done = new Map(
    (rows as readonly { name: string; checksum: string }[]).map((row) => [row.name, row.checksum]),
  )
  const known = [...MIGRATIONS, ...FUNCTIONS]
  const isDone = ({ name, checksum }: SchemaFile) => done.get(name) === checksum
  const others = MIGRATIONS.filter((file) => done.has(file.name) && !isDone(file))
  const corrections = others.flatMap((file) =>
    CORRECTIONS.filter((one) => isCorrectionOf(one, file, done.get(file.name))),
  )
  return {
    missing: [
      ...corrections,
      ...MIGRATIONS.filter(({ name }) => !done.has(name)),
      ...FUNCTIONS.filter((file) => !isDone(file)),
    ].map(({ name }) => name),
    changed: others
      .filter((file) => !corrections.some((one) => isCorrectionOf(one, file)))
      .map(({ name }) => name),
    unknown: [...done.keys()].filter((name) => !known.some((file) => file.name === name)),
  }
}

/** `corrections/0001-tables.1a2b3c4d.sql` is for the text of `0001-tables.sql` with that checksum. */
function isCorrectionOf(correction: SchemaFile, migration: SchemaFile, ranChecksum = ''): boolean {
  const [, name, start] = /^corrections\/(.+)\.([\da-f]{8})\.sql$/.exec(correction.name) ?? []
  return (
    migration.name === `migrations/${name}.sql` &&
    (ranChecksum === '' || ranChecksum.startsWith(`${start}`))
  )
}

function refuseOtherVersion({ changed, unknown }: SchemaState): void {
  if (unknown.length > 0)
    throw new Error(
      `The database was migrated by a newer version: it has ${unknown.join(', ')}. Use that version.`,
    )
  if (changed.length > 0)
    throw new Error(`${changed.join(', ')} changed after it was run. Restore the original file.`)
}

/** Why the service cannot work on this schema; nothing when it can. */
export function schemaProblem({ missing, changed, unknown }: SchemaState): string | undefined {
  if (unknown.length > 0)
    return `The database was migrated by a newer version (it has ${unknown.join(', ')}): use that version of octavo-service.`
  if (missing.length > 0 || changed.length > 0)
    return 'The database is not up to date: run `octavo-service migrate`.'
  return undefined
}

/**
 * The role that the service logs in as, with the password of its address. It can do what octavo_app
 * can, and its time limits are its own, since a pooler does not pass on those of a connection.
 */
async function ensureServiceRole(client: pg.Client, serviceUrl: string): Promise<void> {
  const { username, password } = new URL(serviceUrl)
  const name = decodeURIComponent(username)
  const { rows } = await client.query<{ is_self: boolean; is_there: boolean }>(
    `select $1 = current_user as is_self,
            exists (select from pg_roles where rolname = $1) as is_there`,
    [name],
  )
  if (name === '' || rows[0]?.is_self === true) return
  const role = pg.escapeIdentifier(name)
  if (rows[0]?.is_there !== true) await client.query(`create role ${role} login`)
  if (password !== '')
    await client.query(
      `alter role ${role} login password ${pg.escapeLiteral(decodeURIComponent(password))}`,
    )
  await client.query(`grant octavo_app to ${role}`)
  for (const [setting, value] of Object.entries(DEADLINES))
    await client.query(`alter role ${role} set ${setting} = '${value}'`)
}

function readFiles(folder: string): readonly SchemaFile[] {
  const path = join(import.meta.dirname, folder)
  return readdirSync(path)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(path, name), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { name: `${folder}/${name}`, text, checksum }
    })
}
