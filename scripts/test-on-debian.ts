/**
 * Runs the tests of the service once more on Debian's PostgreSQL 15, the oldest that we support.
 * CI does; elsewhere it says so when there is none.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { startPostgres } from './start-postgres.ts'

const binaries = '/usr/lib/postgresql/15/bin'
if (!existsSync(`${binaries}/initdb`)) {
  console.log('There is no PostgreSQL 15 here: apt-get install postgresql-15.')
  process.exit(process.env.CI === undefined ? 0 : 1)
}
const postgres = await startPostgres({ binaries, settings: { fsync: 'off' } })
const { status } = spawnSync('vitest', ['run', 'packages/service'], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: postgres.url },
})
await postgres.stop()
process.exitCode = status ?? 1
