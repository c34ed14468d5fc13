/**
 * Updates the schema. Numbered migrations change tables and run exactly once; function files run
 * again whenever their text changes. Every version of the service works on the schema of the next
 * version: columns are added first and removed one version later.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { installJobs, JOBS_SCHEMA } from '../jobs/job-queue.ts'
import { QUEUES } from '../jobs/queues.ts'
import type { Query } from './database.ts'
import {
  assignFunctions,
  type CreationRights,
  prepareRoles,
  revokeCreation,
} from './definer-role.ts'
import { FUNCTIONS, MIGRATIONS, type SchemaFile } from './schema-files.ts'

/**
 * How long a migration waits for a table lock before it retries. Meanwhile, requests that need the
 * table wait behind the migration and fail after 2 seconds (see DEADLINES), so the migration gives
 * up earlier. It waits for more than a second, because PostgreSQL then cancels an autovacuum that
 * blocks the table.
 */
const LOCK_TIMEOUT = '1500ms'
/** The number of the lock class `migrate` in functions/locks.sql. */
const LOCK_CLASS = 1
const LOCK_PATIENCE_MS = 120_000
const LOCK_PAUSE_MS = 500
/** The PostgreSQL error codes for a lock timeout and a deadlock. */
const LOCK_CODES = ['55P03', '40P01']
/**
 * The time limits of the service's role. With them, a database that hangs causes errors instead of
 * a growing queue of requests.
 */
const DEADLINES = {
  statement_timeout: '15s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '5s',
}

/** The name of the first migration in databases from before the first release. */
const EARLY_MIGRATION = 'migrations/0001-tables.sql'
/** The maximum number of files that an error message lists. */
const NAMED_MAX = 3

/** The difference between this version's files and the files that have run on a database. */
export type SchemaState = {
  /** Files that still have to run, in order. */
  readonly missing: readonly string[]
  /** Migrations whose text was different from this version's when they ran. */
  readonly changed: readonly string[]
  /** Files that ran but that this version does not have, because the database is newer. */
  readonly unknown: readonly string[]
}

export type MigrateOptions = {
  readonly dryRun?: boolean
  /** The URL that the service connects with. `migrate` creates the role in it. */
  readonly serviceUrl?: string | undefined
  /** How long to retry a file while a table that it changes is in use. */
  readonly lockPatienceMs?: number
  /** Called with instructions for a database administrator. */
  readonly warn?: (line: string) => void
}

export async function migrate(
  ownerUrl: string,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const query: Query = async (text, values = []) => (await client.query(text, [...values])).rows
  try {
    // Prevents two processes that start at the same time from both running the migrations.
    await client.query('select pg_advisory_lock($1, 0)', [LOCK_CLASS])
    const state = await readSchemaState(client)
    refuseOtherVersion(state)
    if (options.dryRun) return state.missing
    await prepareRoles(query)
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
    await assignFunctions(query)
    warnOfRights(await revokeCreation(query), options)
    if (options.serviceUrl !== undefined) await ensureServiceRole(client, options.serviceUrl)
    return state.missing
  } finally {
    await client.end()
  }
}

function warnOfRights({ temporary, inSchema }: CreationRights, { warn }: MigrateOptions): void {
  for (const statement of [temporary, inSchema])
    if (statement !== undefined)
      warn?.(
        `The service has a privilege that it does not need, and this role cannot revoke it. Run as the owner of the database: ${statement}`,
      )
}

/**
 * Grants the service the privileges to queue and run jobs. The tables of the queue still belong to
 * the owner.
 */
async function grantJobs(client: pg.Client): Promise<void> {
  await client.query(`grant usage on schema ${JOBS_SCHEMA} to octavo_app, octavo_definer`)
  await client.query(
    `grant select, update (data, group_id) on ${JOBS_SCHEMA}.job to octavo_definer`,
  )
  await client.query(
    `grant select, insert, update, delete on all tables in schema ${JOBS_SCHEMA} to octavo_app`,
  )
}

/**
 * Runs a file. While a table that it needs is in use, the file is retried, so that requests can
 * continue between the attempts.
 */
async function runFile(
  client: pg.Client,
  name: string,
  { lockPatienceMs = LOCK_PATIENCE_MS }: MigrateOptions,
): Promise<void> {
  const file = [...MIGRATIONS, ...FUNCTIONS].find((one) => one.name === name)
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
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await client.query(file.text)
    await client.query(
      `insert into migration (name, checksum) values ($1, $2)
       on conflict (name) do update set checksum = excluded.checksum, ran_at = now()`,
      [file.name, file.checksum],
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
    ? ` The oldest open transaction belongs to ${oldest.role}: process ${oldest.pid}, ${oldest.state}, open for ${oldest.open}.`
    : ''
  return new Error(
    `${name} was not run: a table that it changes is in use.${who} End long transactions and run \`octavo-service migrate\` again.`,
    { cause: error },
  )
}

/**
 * Compares this version's files with those that have run on the database, without changing the
 * database.
 */
export async function readSchemaState(client: {
  readonly query: (text: string) => Promise<{ readonly rows: readonly object[] }>
}): Promise<SchemaState> {
  const { rows: found } = await client.query(`select to_regclass('migration') is not null as "is"`)
  const tableExists = (found[0] as { readonly is: boolean } | undefined)?.is === true
  const { rows } = tableExists
    ? await client.query('select name, checksum from migration')
    : { rows: [] }
  const done = new Map(
    (rows as readonly { name: string; checksum: string }[]).map((row) => [row.name, row.checksum]),
  )
  const known = [...MIGRATIONS, ...FUNCTIONS]
  const isDone = ({ name, checksum }: SchemaFile) => done.get(name) === checksum
  return {
    missing: [
      ...MIGRATIONS.filter(({ name }) => !done.has(name)),
      ...FUNCTIONS.filter((file) => !isDone(file)),
    ].map(({ name }) => name),
    changed: MIGRATIONS.filter((file) => done.has(file.name) && !isDone(file)).map(
      ({ name }) => name,
    ),
    unknown: [...done.keys()].filter((name) => !known.some((file) => file.name === name)),
  }
}

function refuseOtherVersion(state: SchemaState): void {
  const fault = findSchemaFault(state)
  if (fault !== undefined && fault.code !== 'schema-missing')
    throw new Error(`${fault.found} ${fault.hint}`)
}

export type SchemaFault = {
  readonly code: 'schema-missing' | 'schema-changed' | 'schema-newer' | 'schema-early'
  readonly found: string
  readonly hint: string
}

/** Returns why the service cannot use this schema; undefined if it can. */
export function findSchemaFault({
  missing,
  changed,
  unknown,
}: SchemaState): SchemaFault | undefined {
  if (unknown.includes(EARLY_MIGRATION))
    return {
      code: 'schema-early',
      found: 'The database was created by a version before 0.1, which cannot be upgraded.',
      hint: 'Export the conversations of each project with that version (`octavo-service conversations export`), run `migrate` on an empty database, create the projects there, and import the files (`octavo-service conversations import`).',
    }
  if (unknown.length > 0)
    return {
      code: 'schema-newer',
      found: `The database was migrated by a newer version: it has ${list(unknown)}.`,
      hint: 'Use that version of octavo-service, or restore a backup from before its migration.',
    }
  if (changed.length > 0)
    return {
      code: 'schema-changed',
      found: `The database ran migrations that differ from the ones in this version: ${list(changed)}.`,
      hint: 'Install octavo-service again to get the original files.',
    }
  if (missing.length > 0)
    return {
      code: 'schema-missing',
      found: `The database is not up to date. Missing migrations: ${list(missing)}.`,
      hint: 'Run `octavo-service migrate`.',
    }
  return undefined
}

function list(names: readonly string[]): string {
  const named = names.slice(0, NAMED_MAX).join(', ')
  return names.length > NAMED_MAX ? `${named} and ${names.length - NAMED_MAX} more` : named
}

/**
 * Creates the role that the service logs in as, with the password from its URL, as a member of
 * octavo_app. The time limits are set on the role, because a pooler does not forward time limits
 * that a connection sets.
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
