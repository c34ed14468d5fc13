import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Argument, callFunction, type RowBytes } from './call-function.ts'

/** Every call has a deadline; a database that hangs becomes an error, not a queue. */
const DEADLINES = {
  connectMs: 2_000,
  statementMs: 15_000,
  lockMs: 2_000,
  idleInTransactionMs: 5_000,
} as const

export type Database = {
  /** Runs one statement as the role that row-level security binds. */
  readonly query: <Row extends object>(
    text: string,
    values: readonly unknown[],
  ) => Promise<readonly Row[]>
  /** Calls a function that gives one row, whose columns come as bytes. */
  readonly call: (name: string, args: readonly Argument[]) => Promise<RowBytes>
  /** Runs several statements in one transaction, as the same role. */
  readonly transaction: <Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
  ) => Promise<Result>
  readonly pool: pg.Pool
  readonly end: () => Promise<void>
}

export type DatabaseOptions = {
  readonly url: string
  readonly connections: number
  /** Commands work as the owner of the tables; the service works as octavo_app. */
  readonly role: 'owner' | 'octavo_app'
}

export function openDatabase(options: DatabaseOptions): Database {
  const role = options.role === 'octavo_app' ? ' -c role=octavo_app' : ''
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: DEADLINES.connectMs,
    query_timeout: DEADLINES.statementMs + 1_000,
    options: [
      `-c statement_timeout=${DEADLINES.statementMs} -c lock_timeout=${DEADLINES.lockMs}`,
      `-c idle_in_transaction_session_timeout=${DEADLINES.idleInTransactionMs}${role}`,
    ].join(' '),
  })
  // A connection that breaks fails the query that it has, and the pool replaces it; without a
  // listener on both it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    query: async <Row extends object>(text: string, values: readonly unknown[]) => {
      const { rows } = await pool.query<Row>({ text, values: [...values] })
      return rows
    },
    call: (name, args) => callFunction(pool, name, args),
    transaction: (work) => inTransaction(pool, work),
    pool,
    end: () => pool.end(),
  }
}

async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      // The connection is gone, and with it the transaction.
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}

const MIGRATIONS = join(import.meta.dirname, 'migrations')

/** Brings the schema up to date; tells the names of the migrations that ran. */
export async function migrate(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Two processes that start together must not both migrate.
    await client.query(`select pg_advisory_lock(hashtext('octavo migrate'))`)
    await client.query(
      'create table if not exists migration (name text primary key, ran_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migration')
    const done = new Set(rows.map(({ name }) => name))
    const names = readdirSync(MIGRATIONS)
      .filter((name) => name.endsWith('.sql'))
      .sort()
    const missing = names.filter((name) => !done.has(name))
    for (const name of missing) {
      await client.query('begin')
      await client.query(readFileSync(join(MIGRATIONS, name), 'utf8'))
      await client.query('insert into migration (name) values ($1)', [name])
      await client.query('commit')
    }
    return missing
  } finally {
    await client.end()
  }
}
