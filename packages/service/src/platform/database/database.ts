/**
 * The connection to PostgreSQL. Rows of a tenant are read and written through a database that is
 * bound to that tenant: each transaction begins by naming it, and row-level security sees to the
 * rest. Nothing here needs a session, so PgBouncer may stand in between.
 */
import pg from 'pg'
import { inTime } from '../in-time.ts'
import { type Argument, type RowBytes, readRow } from './call-function.ts'
import { SharedReads } from './shared-reads.ts'

const CONNECT_MS = 2_000
/** The role of the service has a shorter limit of its own (see `migrate`); this is the last resort. */
const QUERY_MS = 20_000
/** A server that hangs does not answer a rollback either; the caller has waited long enough by then. */
const ROLLBACK_MS = 1_000

/** The project that a transaction works for, and the organization it belongs to. */
export type Tenant = { readonly organizationId: string; readonly projectId: string }

export type Query = <Row extends object>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>

/** A database that shows one project and nothing of others. */
export type ProjectDatabase = {
  readonly tenant: Tenant
  /** Runs several statements in one transaction. */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>
  /** One statement in a transaction of its own. */
  readonly query: Query
  /** Calls a function that gives one row, whose columns come as bytes, in one round trip. */
  readonly call: (name: string, args: readonly Argument[]) => Promise<RowBytes>
}

/** A database that shows one organization, or what belongs to one person. */
export type BoundDatabase = Pick<ProjectDatabase, 'transaction' | 'query'>

export type Database = {
  /** Runs one statement for no tenant. */
  readonly query: Query
  readonly forProject: (tenant: Tenant) => ProjectDatabase
  readonly forOrganization: (organizationId: string) => BoundDatabase
  readonly forPerson: (userId: string) => BoundDatabase
  /** Runs several statements in one transaction, for no tenant. */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>
  readonly pool: pg.Pool
  readonly end: () => Promise<void>
}

export type DatabaseOptions = {
  readonly url: string
  readonly connections: number
  /** The longest that a query is waited for. */
  readonly queryMs?: number
}

export function openDatabase({ url, connections, queryMs = QUERY_MS }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: queryMs,
    // For `runAlone`, which sends statements without waiting for each reply.
    pipeline: true,
    // The other side of an idle connection may be gone without a word, such as after a power cut.
    keepAlive: true,
  })
  // A connection that breaks fails the query that it has, and the pool replaces it; without a
  // listener on both it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    query: async (text, values = []) => (await pool.query({ text, values: [...values] })).rows,
    forProject: (tenant) => bindTo(pool, tenant),
    forOrganization: (id) => bindBy(pool, `select ${set('organization_id', id)}`),
    forPerson: (id) => bindBy(pool, `select ${set('user_id', id)}`),
    transaction: (work) => inTransaction(pool, 'begin', work),
    pool,
    end: () => pool.end(),
  }
}

function bindTo(pool: pg.Pool, tenant: Tenant): ProjectDatabase {
  const bind = bindingOf(tenant)
  return {
    ...bindBy(pool, bind),
    tenant,
    call: (name, args) => readRow(pool, bind, name, args),
  }
}

function bindBy(pool: pg.Pool, bind: string): BoundDatabase {
  const begin = `begin; ${bind}`
  const run = <Result>(work: (query: Query) => Promise<Result>) => inTransaction(pool, begin, work)
  const join = <Result>(reads: SharedReads, work: (query: Query) => Promise<Result>) =>
    reads.join(`${pool.options.connectionString} ${begin}`, run, work)
  return {
    transaction: (work) => {
      const reads = SharedReads.current()
      return reads === undefined ? run(work) : join(reads, work)
    },
    query: (text, values) => {
      const reads = SharedReads.current()
      if (reads !== undefined) return join(reads, (query) => query(text, values))
      return runAlone(pool, begin, { text, values })
    },
  }
}

/** Returns the same database, whose statements run in a transaction that has begun already. */
export const joinTransaction = <Some extends BoundDatabase>(
  database: Some,
  query: Query,
): Some => ({
  ...database,
  query,
  transaction: <Result>(work: (query: Query) => Promise<Result>) => work(query),
})

/**
 * The statement that names the tenant, for one transaction only: the next one on the same connection
 * begins without a tenant.
 */
export function bindingOf({ organizationId, projectId }: Tenant): string {
  return `select ${set('project_id', projectId)}, ${set('organization_id', organizationId)}`
}

function set(name: 'project_id' | 'organization_id' | 'user_id', value: string): string {
  return `set_config('octavo.${name}', ${pg.escapeLiteral(value)}, true)`
}

type Statement = { readonly text: string; readonly values: readonly unknown[] | undefined }

/** Runs one statement in a transaction of its own, in one round trip. */
async function runAlone<Row extends object>(
  pool: pg.Pool,
  begin: string,
  { text, values = [] }: Statement,
): Promise<readonly Row[]> {
  const client = await pool.connect()
  // After an error PostgreSQL refuses what follows, and the commit ends the transaction without changes.
  const [begun, run, committed] = await Promise.allSettled([
    client.query(begin),
    client.query<Row>({ text, values: [...values] }),
    client.query('commit'),
  ])
  client.release(committed.status === 'rejected')
  if (begun.status === 'rejected') throw begun.reason
  if (run.status === 'rejected') throw run.reason
  if (committed.status === 'rejected') throw committed.reason
  return run.value.rows
}

async function inTransaction<Result>(
  pool: pg.Pool,
  begin: string,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query(begin)
    const result = await work(
      async (text, values = []) => (await client.query({ text, values: [...values] })).rows,
    )
    await client.query('commit')
    return result
  } catch (error) {
    await inTime(client.query('rollback'), ROLLBACK_MS).catch(() => {
      // The connection is gone or hangs, and the transaction ends with it.
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}
