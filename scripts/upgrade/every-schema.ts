/** Migrates every earlier schema to the present one in one step, and compares it with a fresh one. */
import pg from 'pg'
import { type Database, openDatabase } from '../../packages/service/src/database/database.ts'
import { migrate } from '../../packages/service/src/database/migrate.ts'
import { compareSchemas } from '../../packages/service/src/testing/compare-schemas.ts'
import { startPostgres } from '../start-postgres.ts'
import { type EarlierSchema, readEarlierSchemas, type SchemaSource } from './read-history.ts'

const CONVERSATIONS = 1_000
const FRESH = 'fresh'

/** Gives how many of them do not become what a fresh one is. */
export async function upgradeEverySchema(print: (line: string) => void): Promise<number> {
  const schemas = readEarlierSchemas()
  print(`${schemas.length} schemas since the foundation, each migrated in one step`)
  const postgres = await startPostgres({ settings: { fsync: 'off' } })
  const inDatabase = (name: string) => Object.assign(new URL(postgres.url), { pathname: name }).href
  const server = openDatabase({ url: postgres.url, connections: 1 })
  let wrong = 0
  try {
    await server.query(`create database ${FRESH}`)
    await migrate(inDatabase(FRESH))
    const fresh = openDatabase({ url: inDatabase(FRESH), connections: 1 })
    for (const schema of schemas) {
      const name = `schema_${schema.commit.slice(0, 8)}`
      await server.query(`create database ${name}`)
      const problems = await upgradeOne(schema, { url: inDatabase(name), fresh, print })
      if (problems.length > 0) wrong += 1
      for (const problem of problems) print(`  ✗ ${problem}`)
      await server.query(`drop database ${name}`)
    }
    await fresh.end()
  } finally {
    await server.end()
    await postgres.stop()
  }
  print(`${schemas.length - wrong} of ${schemas.length} equal a fresh schema and kept their rows`)
  return wrong
}

type Target = {
  readonly url: string
  readonly fresh: Database
  readonly print: (line: string) => void
}

async function upgradeOne(
  { commit, subject, files }: EarlierSchema,
  { url, fresh, print }: Target,
): Promise<readonly string[]> {
  await runFiles(url, files)
  const database = openDatabase({ url, connections: 1 })
  try {
    await database.query(FILL, [CONVERSATIONS])
    const started = performance.now()
    const ran = await migrate(url)
    const ms = Math.round(performance.now() - started)
    const migrations = files.filter((file) => file.name.startsWith('migrations/')).length
    print(
      `${commit.slice(0, 8)} ${migrations} migrations, ${ran.length} files, ${ms} ms  ${subject}`,
    )
    const older = await dropOlderFunctions(database, fresh)
    if (older.length > 0) print(`  keeps ${older.join(', ')}, which processes of that version call`)
    return [...(await findLostRows(database)), ...(await compareSchemas(database, fresh))]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    await database.end()
  }
}

/** Functions that only older versions call are left in the database; nothing else may be. */
async function dropOlderFunctions(database: Database, fresh: Database): Promise<readonly string[]> {
  const list = `select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace`
  const names = new Set((await fresh.query<{ name: string }>(list)).map(({ name }) => name))
  const all = await database.query<{ name: string }>(list)
  const older = all.map(({ name }) => name).filter((name) => !names.has(name))
  for (const name of older) await database.query(`drop function ${name}`)
  return older
}

/** As `migrate` of that time did. */
async function runFiles(url: string, files: readonly SchemaSource[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(
    'create table migration (name text primary key, checksum text not null, ran_at timestamptz not null default now())',
  )
  for (const { name, text, checksum } of files) {
    await client.query(`begin; ${text}`)
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  }
  await client.query('select ensure_partitions(); grant select on migration to octavo_app')
  await client.end()
}

/** One project with conversations of now and of years before, written with what all schemas have. */
const FILL = `
  with o as (insert into organisation (public_id, name) values ('org_0000000000000001', 'Old') returning id),
       p as (insert into project (organisation_id, public_id, slug, name)
             select id, 'prj_0000000000000001', 'old', 'Old' from o returning id)
  insert into conversation (project_id, id, recorded_at, query, response, sources, resolution_status)
    select p.id, make_ulid(t.ms, n), to_timestamp(t.ms / 1000.0), 'Question ' || n, 'Answer ' || n, '[]',
           case when n % 3 = 0 then 'unanswered' else 'answered' end
      from p, generate_series(1, $1::integer) n,
           lateral (select now_ms() - n * 86400000::bigint as ms) t`

async function findLostRows(database: Database): Promise<readonly string[]> {
  const [rows] = await database.query<Record<string, number>>(
    `select (select count(*) from conversation)::integer as conversations,
            (select sum(answered + unanswered) from conversation_day)::integer as "counted by day",
            (select count(*) from project_slug)::integer as "short names"`,
  )
  const expected: Readonly<Record<string, number>> = {
    conversations: CONVERSATIONS,
    'counted by day': CONVERSATIONS,
    'short names': 1,
  }
  return Object.entries(expected)
    .filter(([name, count]) => rows?.[name] !== count)
    .map(([name, count]) => `${name}: ${rows?.[name]} instead of ${count}`)
}
