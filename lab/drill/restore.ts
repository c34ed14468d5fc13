/**
 * Destroys a service that was in use and restores it from its backup.
 * Exits with 1 if anything differs.
 *
 *   npm run lab drill/restore -- [--projects 5] [--deployments 4] [--conversations 500] [--store folder|bluestore]
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { POSTGRES_PROGRAMS } from '../../packages/service/testing/service-command.ts'
import { runDrill } from './restore/run-drill.ts'

const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '5' },
    deployments: { type: 'string', default: '4' },
    conversations: { type: 'string', default: '500' },
    store: { type: 'string', default: 'folder' },
  },
})
if (!existsSync(`${POSTGRES_PROGRAMS}/pg_dump`)) {
  console.log('PostgreSQL 15 is missing: apt-get install postgresql-15.')
  process.exit(2)
}
const NAME_WIDTH = 17
const { wrong } = await runDrill({
  store: values.store === 'bluestore' ? 'bluestore' : 'folder',
  projects: Number(values.projects),
  deployments: Number(values.deployments),
  conversations: Number(values.conversations),
  onStep: ({ name, seconds, found }) =>
    console.log(`${name.padEnd(NAME_WIDTH)}  ${seconds.toFixed(1).padStart(6)} s  ${found}`),
})
for (const line of wrong) console.log(`WRONG ${line}`)
console.log(
  wrong.length === 0 ? 'Everything is as it was.' : `${wrong.length} things are not as they were.`,
)
process.exitCode = wrong.length === 0 ? 0 : 1
