/**
 * Measures how much space a conversation takes in PostgreSQL, with its indexes.
 * It inserts 100,000 conversations of about 1 KB, like the other benches.
 *
 *   npm run lab bench/row-sizes
 */
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { createBenchProject, migrateBench, runSql } from '../parts/export/bench-service.ts'
import { fillProject } from '../parts/export/fill-project.ts'

const ROWS = 100_000

const postgres = await startPostgres({ settings: { fsync: 'off' } })
try {
  await migrateBench(postgres.url)
  const project = await createBenchProject(postgres.url)
  const before = await databaseBytes()
  await fillProject({ databaseUrl: postgres.url, project, count: ROWS, cursors: 0 })
  const bytes = (await databaseBytes()) - before
  console.log(
    `${ROWS} conversations: ${(bytes / 1e6).toFixed(0)} MB, ${(bytes / ROWS).toFixed(0)} bytes each`,
  )
} finally {
  await postgres.stop()
}

async function databaseBytes(): Promise<number> {
  const { rows } = await runSql(
    postgres.url,
    'select pg_database_size(current_database())::float8 as bytes',
  )
  return rows[0].bytes
}
