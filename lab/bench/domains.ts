/**
 * Measures what many custom domains cost a host process.
 * In one database with that many projects, each with a domain, it measures the heap of the
 * directory, the time of a lookup, and the time and CPU of a poll, which runs every 3 s.
 *
 *   npm run lab bench/domains -- [--domains 10000] [--polls 20]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openDatabase } from '../../packages/service/src/platform/database/database.ts'
import { createDomainDirectory } from '../../packages/service/src/publishing/domains/domain-directory.ts'
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { migrateBench } from '../parts/export/bench-service.ts'
import { median } from '../parts/export/print-table.ts'

const LOOKUPS = 1_000_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const { values } = parseArgs({
  options: {
    domains: { type: 'string', default: '10000' },
    polls: { type: 'string', default: '20' },
  },
})
const [domainCount, pollCount] = [Number(values.domains), Number(values.polls)]
const postgres = await startPostgres({ settings: { fsync: 'off' } })
try {
  await measure()
} finally {
  await postgres.stop()
}

async function measure(): Promise<void> {
  await migrateBench(postgres.url)
  const database = openDatabase({ url: postgres.url, connections: 1 })
  await database.query(
    `with o as (insert into organization (public_id, name) values ('org_' || repeat('0', 16), 'Bench') returning id),
          p as (insert into project (organization_id, public_id, name, slug)
                select o.id, 'prj_' || lpad(n::text, 16, '0'), 'Site', 'site-' || n from o, generate_series(1, $1) n returning id, slug)
     insert into domain_claim (project_id, name, token, state, seen_at)
     select p.id, 'docs.' || p.slug || '.example.com', lpad(p.id::text, 32, '0'), 'active', now() from p`,
    [domainCount],
  )
  const directory = createDomainDirectory(database, (error) => {
    throw error
  })
  await database.query('select 1')
  const before = heapMb()
  await directory.refresh()
  const heap = heapMb() - before

  const polls: { readonly ms: number; readonly cpuMs: number }[] = []
  for (let poll = 0; poll < pollCount; poll += 1) {
    const [begun, cpu] = [performance.now(), process.cpuUsage()]
    await directory.refresh()
    const { user, system } = process.cpuUsage(cpu)
    polls.push({ ms: performance.now() - begun, cpuMs: (user + system) / 1_000 })
    await sleep(50)
  }

  const names = Array.from({ length: 1_000 }, (_, index) => `docs.site-${index * 7}.example.com`)
  let found = 0
  const begun = performance.now()
  for (let index = 0; index < LOOKUPS; index += 1)
    if (directory.find(names[index % names.length] ?? '') !== undefined) found += 1
  const lookupNs = ((performance.now() - begun) * 1e6) / LOOKUPS
  await database.end()
  console.log(
    `${domainCount} domains: ${heap.toFixed(1)} MB of heap; look-up ${lookupNs.toFixed(0)} ns (${Math.round((100 * found) / LOOKUPS)} % found); poll ${median(polls.map(({ ms }) => ms)).toFixed(1)} ms, ${median(polls.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms of CPU in this process (median of ${pollCount})`,
  )
}

function heapMb(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1024 / 1024
}
