import pg from 'pg'

export type QueryDatabase = <Row extends object>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>

const QUERY_MS_MAX = 10_000

/**
 * Returns a function that queries as the owner of the tables. Each query gets a new connection,
 * because the database is killed now and then.
 */
export function createQueryDatabase(url: string, queryMsMax = QUERY_MS_MAX): QueryDatabase {
  return async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: QUERY_MS_MAX,
      query_timeout: queryMsMax,
    })
    client.on('error', () => {
      // The error is ignored here, because the query fails with the connection.
    })
    try {
      await client.connect()
      return (await client.query<Row>(text, [...values])).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
}
