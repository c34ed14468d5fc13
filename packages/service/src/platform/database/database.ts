/**
 * The connection to PostgreSQL. A tenant's rows are read and written through a database object that
 * is bound to the tenant: each transaction first sets the tenant, and row-level security restricts
 * it to the tenant's rows. The connection keeps no session state, so it may go through PgBouncer.
 */
import pg from 'pg'
import { withTimeout } from '../with-timeout.ts'
import { type Argument, type RowBytes, readRow } from './call-function.ts'
import { SharedReads } from './shared-reads.ts'

const CONNECT_MS = 2_000
/**
 * The timeout of a query in the client. It is a last resort, because the service's role has a
 * shorter statement timeout (see `migrate`).
 */
const QUERY_MS = 20_000
/**
 * The timeout of a rollback. It is short, because a server that hangs does not respond to a
 * rollback either, and the caller has already waited.
 */
const ROLLBACK_MS = 1_000

/** The project that a transaction is bound to, and its organization. */
export type Tenant = { readonly organizationId: string; readonly projectId: string }

export type Query = <Row extends object>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>

/** A database connection that is restricted to one project. */
export type ProjectDatabase = {
  readonly tenant: Tenant
  /** Runs several statements in one transaction. */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>
  /** Runs one statement in a separate transaction. */
  readonly query: Query
  /**
   * Calls a database function that returns one row, in one round trip. Returns the columns as
   * bytes.
   */
  readonly call: (name: string, args: readonly Argument[]) => Promise<RowBytes>
}

/** A database connection that is restricted to one organization or one person. */
export type BoundDatabase = Pick<ProjectDatabase, 'transaction' | 'query'>

export type Database = {
  /** Runs one statement without a tenant. */
  readonly query: Query
  readonly forProject: (tenant: Tenant) => ProjectDatabase
  readonly forOrganization: (organizationId: string) => BoundDatabase
  readonly forPerson: (userId: string) => BoundDatabase
  /** Runs several statements in one transaction, without a tenant. */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>
  readonly pool: pg.Pool
  readonly end: () => Promise<void>
}

export type DatabaseOptions = {
  readonly url: string
  readonly connections: number
  /** The timeout of a query in milliseconds. */
  readonly queryMs?: number
}

export function openDatabase({ url, connections, queryMs = QUERY_MS }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: queryMs,
    // Required by `runAlone`, which sends statements without waiting for each response.
    pipeline: true,
    // Detects that the server of an idle connection is gone, for example after a power failure.
    keepAlive: true,
  })
  // Without both listeners, an error of a connection would end the process. They can ignore it,
  // because the query fails anyway and the pool replaces the connection.
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

/** Returns a copy of the database object that uses a transaction that has already begun. */
export const joinTransaction = <Some extends BoundDatabase>(
  database: Some,
  query: Query,
): Some => ({
  ...database,
  query,
  transaction: <Result>(work: (query: Query) => Promise<Result>) => work(query),
})

/**
 * Returns the statement that sets the tenant for the current transaction only. The next transaction
 * on the same connection begins without a tenant.
 */
export function bindingOf({ organizationId, projectId }: Tenant): string {
  return `select ${set('project_id', projectId)}, ${set('organization_id', organizationId)}`
}

function set(name: 'project_id' | 'organization_id' | 'user_id', value: string): string {
  return `set_config('octavo.${name}', ${pg.escapeLiteral(value)}, true)`
}

type Statement = { readonly text: string; readonly values: readonly unknown[] | undefined }

/** Runs one statement in a separate transaction, in one round trip. */
async function runAlone<Row extends object>(
  pool: pg.Pool,
  begin: string,
  { text, values = [] }: Statement,
): Promise<readonly Row[]> {
  const client = await pool.connect()
  // After an error, PostgreSQL rejects the statements that follow, and the commit ends the
  // transaction without changes.
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
    await withTimeout(client.query('rollback'), ROLLBACK_MS).catch(() => {
      // The connection is lost or hangs. Discarding it ends the transaction.
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}
