/**
 * Runs the service's tests on Debian's PostgreSQL 15, the oldest supported version, through
 * PgBouncer. CI runs it. Elsewhere, it reports if they are not installed.
 *
 *   npm run test:debian -- [part of a path …]    all tests without an argument
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { startPgBouncer } from '../packages/service/testing/start-pgbouncer.ts'
import { startPostgres } from '../packages/service/testing/start-postgres.ts'

const binaries = '/usr/lib/postgresql/15/bin'
if (!existsSync(`${binaries}/initdb`) || !existsSync('/usr/sbin/pgbouncer')) {
  console.log('PostgreSQL 15 or PgBouncer is missing: apt-get install postgresql-15 pgbouncer.')
  process.exit(process.env.CI === undefined ? 0 : 1)
}
const postgres = await startPostgres({ binaries, settings: { fsync: 'off' } })
const pooler = await startPgBouncer(postgres.port)
const { status } = spawnSync('vitest', ['run', '--project', 'service', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: postgres.url, TEST_POOLER_PORT: String(pooler.port) },
})
await pooler.stop()
await postgres.stop()
process.exitCode = status ?? 1
