/**
 * Runs a service under load for two hours, and checks that memory and connections do not grow.
 * The processes are api, worker and two hosts on one PostgreSQL. The load consists of readers,
 * questions, conversations, an owner, deployments and exports at the same time. Memory, open files
 * and connections are sampled every half minute, and the last quarter is compared with the second.
 *
 *   npm run lab soak/soak -- [--minutes 120] [--pace 10]
 *
 * A pace of 1 is the load of `npm run lab soak/failover`, 10 a tenth of it. Exits with 1 if memory
 * grew by more than a tenth, open files or connections by more than a few, or if anything was lost,
 * refused or wrong. Linux only.
 */
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { answer, startModelServer } from '../../packages/assistant/testing/model-server.ts'
import { type Hosting, startHosting } from '../../packages/service/testing/start-hosting.ts'
import { modelEnvironment } from '../parts/assistant/model-environment.ts'
import { percentiles } from '../parts/assistant/percentiles.ts'
import { median } from '../parts/export/print-table.ts'
import { residentMb } from '../parts/export/watch-memory.ts'
import { printResult, startMixedLoad } from './failover/mixed-load.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    pace: { type: 'string', default: '10' },
  },
})
const overMs = Number(values.minutes) * 60_000
const LOOK_MS = 30_000
const PRINT_EVERY = 20
/**
 * A small host cache, which fills up quickly. A cache that grows with each deployment for hours
 * would look like a leak.
 */
const SMALL_CACHE = { OCTAVO_HOST_CACHE_MB: '16' }
/**
 * The limits by which the last quarter may exceed the second: a ratio for memory, a number for
 * files and connections.
 */
const GROWTH_MAX = 1.1
const MORE_MAX = 5
const DATABASE_SQL = `
  select (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as connections,
         (select coalesce(sum(n_dead_tup), 0) from pg_stat_user_tables)::float8 as dead,
         pg_database_size(current_database())::float8 / 1e6 as mb,
         (select coalesce(sum(size), 0) from pg_ls_waldir())::float8 / 1e6 as wal,
         (select temp_bytes from pg_stat_database where datname = current_database())::float8 / 1e6 as temporary`

/** One sample of the measured numbers, by name. */
type Look = Readonly<Record<string, number>>

const model = await startModelServer()
model.behave(answer('Use `hose on` [1].\n{"answered": true, "sources": [1]}', 900))
let hosting: Hosting | undefined
async function end(): Promise<void> {
  await hosting?.stop()
  model.stop()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().then(() => process.exit(1)))
try {
  hosting = await startHosting({ environment: { ...modelEnvironment(model.url), ...SMALL_CACHE } })
  process.exitCode = (await soak(hosting)) ? 0 : 1
} finally {
  await end()
}

async function soak(hosting: Hosting): Promise<boolean> {
  let pageMs: number[] = []
  const load = await startMixedLoad(hosting, {
    pace: Number(values.pace),
    onPage: (ms) => pageMs.push(ms),
  })
  const client = new pg.Client(hosting.postgres.url)
  await client.connect()
  const looks: Look[] = []
  const begun = performance.now()
  while (performance.now() - begun < overMs) {
    await sleep(LOOK_MS)
    const { rows } = await client.query<Look>(DATABASE_SQL)
    const look: Record<string, number> = { ...rows[0], 'p99 of pages ms': percentiles(pageMs).p99 }
    for (const [name, { pid }] of Object.entries(load.processes)) {
      look[`${name} MB`] = residentMb(pid())
      look[`${name} files`] = readdirSync(`/proc/${pid()}/fd`).length
    }
    pageMs = []
    looks.push(look)
    if (looks.length % PRINT_EVERY === 0)
      console.log(
        `${((performance.now() - begun) / 60_000).toFixed(0)} minutes: ${load.progress()}`,
      )
  }
  await client.end()
  const result = await load.finish()
  // Any failure is a problem here, because nothing was killed.
  const refused = result.reports.flatMap(({ name, failures }) =>
    [...failures].map(([kind, count]) => `${name}: ${count} × ${kind}`),
  )
  const grown = compareQuarters(looks)
  return printResult({ ...result, wrong: [...result.wrong, ...refused, ...grown] })
}

/**
 * Prints the medians of the second and the last quarter, and returns the values that grew too much.
 */
function compareQuarters(looks: readonly Look[]): readonly string[] {
  const quarter = Math.floor(looks.length / 4)
  const wrong: string[] = []
  console.log('\n| | second quarter | last quarter |\n|---|---|---|')
  for (const name of Object.keys(looks[0] ?? {})) {
    const medianOf = (from: number) =>
      median(looks.slice(from, from + quarter).map((look) => look[name] ?? 0))
    const before = medianOf(quarter)
    const after = medianOf(looks.length - quarter)
    console.log(`| ${name} | ${before.toFixed(1)} | ${after.toFixed(1)} |`)
    const isMemory = / MB$/.test(name)
    const isCount = / files$|^connections$/.test(name)
    if ((isMemory && after > before * GROWTH_MAX) || (isCount && after > before + MORE_MAX))
      wrong.push(`${name} grew from ${before.toFixed(1)} to ${after.toFixed(1)}`)
  }
  console.log('')
  return wrong
}
