/** Upgrades from every earlier schema, and what may happen while `migrate` runs. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../../../../scripts/child-environment.ts'
import { type RunningPostgres, startPostgres } from '../../../../scripts/start-postgres.ts'
import { compareSchemas } from '../testing/compare-schemas.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
const MIGRATIONS = readdirSync(join(import.meta.dirname, 'migrations'))
  .toSorted()
  .map((name) => ({
    name,
    text: readFileSync(join(import.meta.dirname, 'migrations', name), 'utf8'),
  }))

let postgres: RunningPostgres
let server: Database
let fresh: Database
/** Databases as they were after each migration. */
const earlier: string[] = []

const urlOf = (name: string) => Object.assign(new URL(postgres.url), { pathname: name }).href
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

async function connect(name: string): Promise<pg.Client> {
  const client = new pg.Client(urlOf(name))
  await client.connect()
  return client
}

/** A copy of a database after so many migrations, without a single function of the time. */
async function copyOf(count: number, name: string): Promise<string> {
  await server.query(`create database ${name} template ${earlier[count] ?? 'template1'}`)
  return name
}

async function runMigration(name: string, file: string, text: string): Promise<void> {
  const client = await connect(name)
  await client.query(
    'create table if not exists migration (name text primary key, checksum text not null, ran_at timestamptz not null default now())',
  )
  await client.query(`begin; ${text}; commit`)
  await client.query('insert into migration (name, checksum) values ($1, $2)', [
    `migrations/${file}`,
    hashOf(text),
  ])
  await client.end()
}

async function expectFresh(name: string): Promise<void> {
  const database = openDatabase({ url: urlOf(name), connections: 1 })
  expect(await compareSchemas(database, fresh)).toEqual([])
  await database.end()
  await server.query(`drop database ${name}`)
}

beforeAll(async () => {
  postgres = await startPostgres({ settings: { fsync: 'off' } })
  server = openDatabase({ url: postgres.url, connections: 1 })
  await server.query('create database fresh')
  await migrate(urlOf('fresh'))
  fresh = openDatabase({ url: urlOf('fresh'), connections: 1 })
  for (const [index, { name, text }] of MIGRATIONS.entries()) {
    earlier[index + 1] = await copyOf(index, `after_${index + 1}`)
    await runMigration(`after_${index + 1}`, name, text)
  }
}, 120_000)
afterAll(async () => {
  await fresh?.end()
  await server?.end()
  await postgres?.stop()
})

describe('an upgrade in one step', () => {
  test.each(MIGRATIONS.map(({ name }, index) => ({ name, count: index + 1 })))(
    'from the schema after $name',
    async ({ count }) => {
      const name = await copyOf(count, `from_${count}`)
      const ran = await migrate(urlOf(name))
      expect(ran.filter((file) => file.startsWith('migrations/'))).toHaveLength(
        MIGRATIONS.length - count,
      )
      await expectFresh(name)
    },
  )

  const secrets = /-- Tokens of other services[\s\S]*?(?=-- What was done)/
  const published = /create index deployment_published .*\n/
  const uploading = /create index deployment_uploading .*\n/
  const without = (...patterns: readonly RegExp[]) => {
    return (text: string) => patterns.reduce((cut, pattern) => cut.replace(pattern, ''), text)
  }
  test.each([
    {
      number: 1,
      what: 'secrets',
      before: (text: string) =>
        without(secrets, / 'secret', 'act_count',/, /grant .* on secret .*\n/, /act_count, /)(text),
    },
    { number: 2, what: 'both indexes', before: without(published, uploading) },
    { number: 2, what: 'an index of uploads', before: without(uploading) },
    { number: 10, what: 'an index', before: without(published) },
    {
      number: 16,
      what: 'ids of tokens',
      before: (text: string) =>
        without(
          / {2}id {9}text collate "C" check \(length\(id\) <= 20\),\n/,
          / {2}check \(\(way = 'token'\) = \(id is not null .*\n/,
        )(text)
          .replace('What the owner knows a token by.', 'For the owner to know a token by.')
          .replace(
            /create unique (index reader_session_tokens .*\(project_id,) id/,
            'create $1 created_at',
          ),
    },
  ])('from migration $number as it was without $what', async ({ number, before }) => {
    const { name: file, text } = MIGRATIONS[number - 1] ?? { name: '', text: '' }
    const old = before(text)
    const name = await copyOf(number - 1, `corrected_${number}`)
    await runMigration(name, file, old)
    const correction = `corrections/${file.slice(0, -4)}.${hashOf(old).slice(0, 8)}.sql`
    expect(await migrate(urlOf(name), { dryRun: true })).toContain(correction)
    expect((await migrate(urlOf(name)))[0]).toBe(correction)
    expect(await migrate(urlOf(name))).toEqual([])
    await expectFresh(name)
  })

  test('not from a migration with a text that no version had', async () => {
    const name = await copyOf(0, 'unknown_text')
    await runMigration(name, '0001-tables.sql', `${MIGRATIONS[0]?.text}-- Changed.\n`)
    await expect(migrate(urlOf(name))).rejects.toThrow('changed after it was run')
  })
})

describe('migrate', () => {
  test('two at the same time: each file is run once', async () => {
    const name = await copyOf(5, 'twice')
    const both = await Promise.all([migrate(urlOf(name)), migrate(urlOf(name))])
    expect(both.map((files) => files.length > 0).toSorted()).toEqual([false, true])
    await expectFresh(name)
  })

  test('killed in the middle of a file, it leaves nothing of that file and can be run again', async () => {
    const name = await copyOf(8, 'killed')
    const holder = await connect(name)
    await holder.query('begin; lock table conversation in row exclusive mode')
    const running = spawn(process.execPath, ['--no-warnings', MAIN, 'migrate'], {
      env: {
        ...CHILD_ENVIRONMENT,
        DATABASE_URL: urlOf(name),
        OCTAVO_KEY_PEPPER: 'a pepper for tests, 32 characters or more',
      },
      stdio: 'ignore',
    })
    // It has changed api_key, and now waits for the index of conversations.
    await expect.poll(() => waitingIn(name), { timeout: 120_000 }).toBe(1)
    running.kill('SIGKILL')
    await once(running, 'exit')
    await holder.query('rollback')
    await expect.poll(() => connectionsTo(name)).toBe(1)
    const { rows } = await holder.query(
      `select (select max(name) from migration) as last,
              (select count(*)::integer from information_schema.columns
                where table_name = 'api_key' and column_name = 'replaces') as columns`,
    )
    expect(rows).toEqual([{ last: 'migrations/0009-assistant-proof.sql', columns: 0 }])
    await holder.end()
    expect((await migrate(urlOf(name)))[0]).toBe('migrations/0010-dashboard.sql')
    await expectFresh(name)
  })

  test('a table that is in use for longer: requests go on, and the migration comes after', async () => {
    const name = await copyOf(2, 'in_use')
    const [holder, reader] = [await connect(name), await connect(name)]
    await holder.query('begin; lock table project in access share mode')
    let isOver = false
    const migrating = migrate(urlOf(name)).finally(() => (isOver = true))
    await expect.poll(() => waitingIn(name)).toBeGreaterThan(0)
    // The service has this limit too.
    await reader.query(`set lock_timeout = '2s'`)
    let reads = 0
    for (const end = performance.now() + 5_000; performance.now() < end; reads += 1) {
      await reader.query('select from project')
      await sleep(20)
    }
    expect(isOver).toBe(false)
    expect(reads).toBeGreaterThan(2)
    await holder.query('commit')
    expect((await migrating)[0]).toBe('migrations/0003-collection.sql')
    await Promise.all([holder.end(), reader.end()])
    await expectFresh(name)
  })

  test('a table that stays in use: it says which file was not run, and who may be the cause', async () => {
    const name = await copyOf(2, 'stays_in_use')
    const holder = await connect(name)
    await holder.query('begin; lock table project in access share mode')
    await expect(migrate(urlOf(name), { lockPatienceMs: 1 })).rejects.toThrow(
      /^migrations\/0003-collection\.sql was not run: a table .* is of postgres: process \d+, idle in transaction, open for .*run `octavo-service migrate` again/,
    )
    await holder.end()
    await migrate(urlOf(name))
    await expectFresh(name)
  })
})

/** Asked from outside: within a transaction the answer stays what it was at first. */
async function connectionsTo(name: string, state = 'true'): Promise<number> {
  const [row] = await server.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity where datname = $1 and ${state}`,
    [name],
  )
  return row?.count ?? 0
}
const waitingIn = (name: string) => connectionsTo(name, `wait_event_type = 'Lock'`)
