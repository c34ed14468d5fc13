/** Tests an upgrade to the next version, and problems that can occur while `migrate` runs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../../../../builder/testing/child-environment.ts'
import { compareCatalogs, readCatalog } from '../../../testing/compare-catalogs.ts'
import {
  createNextVersion,
  NEXT_MIGRATION,
  type NextVersion,
} from '../../../testing/next-version.ts'
import { type RunningPostgres, startPostgres } from '../../../testing/start-postgres.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const RAN = `Ran ${NEXT_MIGRATION}, functions/partitions.sql.\n`
const UP_TO_DATE = 'The database is up to date.\n'

let next: NextVersion
let postgres: RunningPostgres
let server: Database
/** A database created by the next version. */
let fresh: Database

const urlOf = (name: string) => Object.assign(new URL(postgres.url), { pathname: name }).href

async function connect(name: string): Promise<pg.Client> {
  const client = new pg.Client(urlOf(name))
  await client.connect()
  return client
}

/** Creates a database of the current version. */
async function create(name: string): Promise<string> {
  await server.query(`create database ${name} template present`)
  return name
}

function startNext(name: string): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', next.main, 'migrate'], {
    env: {
      ...CHILD_ENVIRONMENT,
      DATABASE_URL: urlOf(name),
      OCTAVO_KEY_PEPPER: 'a pepper for tests, 32 characters or more',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Returns the output of the next version's `migrate`. */
async function migrateToNext(name: string): Promise<string> {
  const { stdout } = startNext(name)
  return stdout === null ? '' : text(stdout)
}

async function expectFresh(name: string): Promise<void> {
  const database = openDatabase({ url: urlOf(name), connections: 1 })
  expect(compareCatalogs(await readCatalog(database), await readCatalog(fresh))).toEqual([])
  await database.end()
  await server.query(`drop database ${name}`)
}

beforeAll(async () => {
  next = createNextVersion()
  postgres = await startPostgres({ settings: { fsync: 'off' } })
  server = openDatabase({ url: postgres.url, connections: 1 })
  await server.query('create database present')
  await migrate(urlOf('present'))
  await server.query('create database fresh')
  await migrateToNext('fresh')
  fresh = openDatabase({ url: urlOf('fresh'), connections: 1 })
}, 120_000)
afterAll(async () => {
  await fresh?.end()
  await server?.end()
  await postgres?.stop()
  next?.remove()
})

describe('migrate', () => {
  test('an upgraded database has the same schema as a new one', async () => {
    const name = await create('upgraded')
    expect(await migrateToNext(name)).toBe(RAN)
    expect(await migrateToNext(name)).toBe(UP_TO_DATE)
    await expect(migrate(urlOf(name))).rejects.toThrow(`newer version: it has ${NEXT_MIGRATION}`)
    await expectFresh(name)
  })

  test('migrate fails if the database ran a migration with a different text', async () => {
    const name = await create('unknown_text')
    const client = await connect(name)
    await client.query(`update migration set checksum = 'x' where name like 'migrations/%'`)
    await client.end()
    await expect(migrate(urlOf(name))).rejects.toThrow(
      'The database ran migrations that differ from the ones in this version',
    )
  })

  test('two concurrent runs of migrate run each file only once', async () => {
    const name = await create('twice')
    const both = await Promise.all([migrateToNext(name), migrateToNext(name)])
    expect(both.toSorted()).toEqual([RAN, UP_TO_DATE])
    await expectFresh(name)
  })

  test('if migrate is killed in the middle of a file, the file is rolled back and can run again', async () => {
    const name = await create('killed')
    const holder = await connect(name)
    await holder.query('begin; lock table conversation in row exclusive mode')
    const running = startNext(name)
    // The migration has already changed the table api_key and is waiting for the table
    // conversation.
    await expect.poll(() => waitingIn(name), { timeout: 120_000 }).toBe(1)
    running.kill('SIGKILL')
    await once(running, 'exit')
    await holder.query('rollback')
    await expect.poll(() => connectionsTo(name)).toBe(1)
    const { rows } = await holder.query(
      `select (select max(name) from migration where name like 'migrations/%') as last,
              (select count(*)::integer from information_schema.columns
                where table_name = 'api_key' and column_name = 'note') as columns`,
    )
    expect(rows).toEqual([{ last: 'migrations/0001-schema.sql', columns: 0 }])
    await holder.end()
    expect(await migrateToNext(name)).toBe(RAN)
    await expectFresh(name)
  })

  test('requests continue while a migration waits for a table that is in use', async () => {
    const name = await create('in_use')
    const [holder, reader] = [await connect(name), await connect(name)]
    await holder.query('begin; lock table conversation in access share mode')
    let isOver = false
    const migrating = migrateToNext(name).finally(() => (isOver = true))
    await expect.poll(() => waitingIn(name), { timeout: 120_000 }).toBeGreaterThan(0)
    // The service's role has the same limit.
    await reader.query(`set lock_timeout = '2s'`)
    let reads = 0
    for (const end = performance.now() + 5_000; performance.now() < end; reads += 1) {
      await reader.query('select from conversation')
      await sleep(20)
    }
    expect(isOver).toBe(false)
    expect(reads).toBeGreaterThan(2)
    await holder.query('commit')
    expect(await migrating).toBe(RAN)
    await Promise.all([holder.end(), reader.end()])
    await expectFresh(name)
  })

  test('migrate reports which transaction blocks which file', async () => {
    const name = await create('stays_in_use')
    const holder = await connect(name)
    await holder.query(`update migration set checksum = 'x' where name = 'functions/domains.sql'`)
    await holder.query('begin; lock table domain_claim in access exclusive mode')
    await expect(migrate(urlOf(name), { lockPatienceMs: 1 })).rejects.toThrow(
      /^functions\/domains\.sql was not run: a table that it changes is in use\. The oldest open transaction belongs to postgres: process \d+, idle in transaction, open for .*End long transactions and run `octavo-service migrate` again/,
    )
    await holder.end()
    expect(await migrate(urlOf(name))).toEqual(['functions/domains.sql'])
  })
})

/**
 * Returns the number of connections to a database. Uses a separate connection, because
 * pg_stat_activity does not change within a transaction.
 */
async function connectionsTo(name: string, state = 'true'): Promise<number> {
  const [row] = await server.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity where datname = $1 and ${state}`,
    [name],
  )
  return row?.count ?? 0
}
const waitingIn = (name: string) => connectionsTo(name, `wait_event_type = 'Lock'`)
