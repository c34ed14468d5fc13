/**
 * Counts millions of views on several hosts, even while hosts are killed, and recounts them.
 * The counts must equal a plain recount. Then hosts are killed in the middle of the flood: they may
 * lose at most the views since their last flush, and no view may be counted twice.
 *
 *   npm run lab soak/event-flood -- [--views 10000000] [--projects 1000] [--kills 10]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../packages/service/src/platform/database/database.ts'
import { migrate } from '../../packages/service/src/platform/database/migrate.ts'
import { FLUSH_MS } from '../../packages/service/src/reading/analytics/event-recorder.ts'
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { serviceUrlOf } from '../../packages/service/testing/test-database.ts'
import { fillProjects } from '../parts/export/fill-projects.ts'
import type { CountOrder, CountReport } from './events/count-until-killed.ts'
import { AUDIENCES, PAGES, syntheticViews } from './events/synthetic-views.ts'

const { values } = parseArgs({
  options: {
    views: { type: 'string', default: '10000000' },
    projects: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '10' },
  },
})
const VIEWS = Number(values.views)
const PROJECTS = Number(values.projects)
const KILLS = Number(values.kills)
const HOSTS = 4
const KILLED_VIEWS_MAX = 50_000_000

type Counted = { readonly begun: number; readonly stored: number; readonly seconds: number }

const postgres = await startPostgres()
const url = serviceUrlOf(postgres.url)
await migrate(postgres.url, { serviceUrl: url })
// The last projects belong to the hosts that are killed.
await fillProjects(postgres.url, PROJECTS + KILLS)
const owner = openDatabase({ url: postgres.url, connections: 2 })
const problems: string[] = []
try {
  await flood()
  await killHosts()
} finally {
  await owner.end()
  await postgres.stop()
}
for (const problem of problems) console.log(`✗ ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0

async function flood(): Promise<void> {
  const share = { first: 1, count: PROJECTS, views: VIEWS / HOSTS }
  const started = Date.now()
  const hosts = Array.from({ length: HOSTS }, (_, index) => count({ ...share, seed: index + 1 }))
  await Promise.all(hosts)
  const seconds = (Date.now() - started) / 1_000
  const expected = new Map<string, number>()
  for (let seed = 1; seed <= HOSTS; seed += 1) recount(expected, { ...share, seed })
  await compare('event_hour', expected)
  await compare('event_day', expected)
  const [rows] = await owner.query<Record<'hours' | 'days' | 'sets' | 'bytes', number>>(
    `select (select count(*) from event_hour)::integer as hours, (select count(*) from event_day)::integer as days,
            (select count(*) from visitor_set)::integer as sets,
            (select sum(pg_total_relation_size(relid)) from pg_partition_tree('event_hour'))::float8
            + (select sum(pg_total_relation_size(relid)) from pg_partition_tree('event_day'))::float8
            + pg_total_relation_size('visitor_set') as bytes`,
  )
  const { hours = 0, days = 0, sets = 0, bytes = 0 } = rows ?? {}
  const perMillion = ((hours + days) / (VIEWS / 1_000_000)).toFixed(0)
  console.log(
    `${VIEWS.toLocaleString('en')} views of ${PROJECTS} projects by ${HOSTS} hosts in ${seconds.toFixed(0)} s: ${expected.size.toLocaleString('en')} counts are equal to the recount, by the hour and by the day.`,
  )
  console.log(
    `${hours} rows of hours, ${days} of days (${perMillion} for a million views), ${sets} sets of visitors until midnight, ${(bytes / 1_048_576).toFixed(0)} MB.`,
  )
  await checkVisitors(share)
}

/**
 * Checks how much the estimated number of visitors of each project differs from the real number.
 */
async function checkVisitors(share: Omit<CountOrder, 'url' | 'seed'>): Promise<void> {
  const seen = new Map<number, Set<number>>()
  for (let seed = 1; seed <= HOSTS; seed += 1)
    for (const view of viewsOf({ ...share, seed })) {
      if (view.audience !== 0) continue
      const own = seen.get(view.project) ?? new Set()
      seen.set(view.project, own.add(view.visitor))
    }
  const rows = await owner.query<{ project_id: string; count: number }>(
    `select project_id, sum(count)::float8 as count from event_day
      where event = 'visitor' and subject = '' and detail = 'people' group by 1`,
  )
  const errors = rows.map(({ project_id, count: estimate }) => {
    const truth = seen.get(Number(project_id))?.size ?? 0
    return Math.abs(estimate - truth) / truth
  })
  const mean = errors.reduce((sum, one) => sum + one, 0) / errors.length
  console.log(
    `Visitors of ${rows.length} projects: ${(mean * 100).toFixed(1)} % off on average, ${(Math.max(...errors) * 100).toFixed(1)} % at most.`,
  )
}

async function killHosts(): Promise<void> {
  let lostMax = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const project = PROJECTS + 1 + kill
    const order = { first: project, count: 1, seed: 1_000 + kill, views: KILLED_VIEWS_MAX }
    const { begun, stored, seconds } = await count(order, FLUSH_MS * (1 + Math.random()))
    // Statements may still be running in the database when the process ends.
    await sleep(1_000)
    const [row] = await owner.query<{ count: number }>(
      `select coalesce(sum(count), 0)::float8 as count from event_hour where project_id = $1 and event = 'view'`,
      [project],
    )
    const kept = row?.count ?? 0
    const perInterval = (begun / seconds) * (FLUSH_MS / 1_000)
    lostMax = Math.max(lostMax, (begun - kept) / perInterval)
    const expected = new Map<string, number>()
    recount(expected, { ...order, views: begun })
    for (const [key, found] of await countsOf('event_hour', project))
      if (found > (expected.get(key) ?? 0)) problems.push(`${key} is counted twice`)
    if (kept < stored) problems.push(`host ${kill}: ${stored - kept} stored views are gone`)
    // The tolerance is necessary because a flush takes some time.
    if (begun - kept > perInterval * 1.5)
      problems.push(`host ${kill} lost ${begun - kept} views, more than of one interval`)
    // Another host continues with the same project.
    const more = { ...order, seed: 2_000 + kill, views: 20_000 }
    await count(more)
    const [after] = await owner.query<{ count: number }>(
      `select sum(count)::float8 as count from event_hour where project_id = $1 and event = 'view'`,
      [project],
    )
    if (after?.count !== kept + more.views) problems.push(`host ${kill}: wrong after its restart`)
  }
  console.log(
    `${KILLS} hosts killed: at most ${lostMax.toFixed(2)} of an interval of ${FLUSH_MS / 1_000} s was lost, ${problems.length} wrong counts.`,
  )
}

/** Runs a host until it has counted all views, or until it is killed after some time. */
async function count(order: Omit<CountOrder, 'url'>, killAfterMs?: number): Promise<Counted> {
  const child = fork(
    new URL('./events/count-until-killed.ts', import.meta.url),
    [JSON.stringify({ ...order, url })],
    { execArgv: ['--no-warnings'] },
  )
  let begun = 0
  let stored = 0
  let started = 0
  let hasEnded = false
  child.on('message', (report: CountReport) => {
    if (started === 0) {
      started = Date.now()
      if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    }
    begun = report.begun ?? begun
    stored += report.stored ?? 0
    hasEnded ||= report.isEnd === true
  })
  await once(child, 'exit')
  if (killAfterMs === undefined && !hasEnded) problems.push('a host ended early')
  return { begun, stored, seconds: (Date.now() - started) / 1_000 }
}

function* viewsOf(order: Omit<CountOrder, 'url'>) {
  const views = syntheticViews(order.seed, order)
  for (let number = 0; number < order.views; number += 1) yield views.next().value
}

function recount(into: Map<string, number>, order: Omit<CountOrder, 'url'>): void {
  const counts = new Uint32Array((order.count + 1) * PAGES * AUDIENCES.length)
  for (const { project, page, audience } of viewsOf(order)) {
    const at = ((project - order.first) * PAGES + page) * AUDIENCES.length + audience
    counts[at] = (counts[at] ?? 0) + 1
  }
  for (const [at, found] of counts.entries()) {
    if (found === 0) continue
    const page = Math.floor(at / AUDIENCES.length) % PAGES
    const project = order.first + Math.floor(at / AUDIENCES.length / PAGES)
    const key = `${project} /page-${page} ${AUDIENCES[at % AUDIENCES.length]}`
    into.set(key, (into.get(key) ?? 0) + found)
  }
}

async function countsOf(
  table: 'event_hour' | 'event_day',
  project?: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await owner.query<{ key: string; count: number }>(
    `select project_id || ' ' || subject || ' ' || detail as key, sum(count)::float8 as count from ${table}
      where event = 'view' and ($1::bigint is null or project_id = $1) group by 1`,
    [project ?? null],
  )
  return new Map(rows.map(({ key, count: found }) => [key, found]))
}

async function compare(
  table: 'event_hour' | 'event_day',
  expected: ReadonlyMap<string, number>,
): Promise<void> {
  const found = await countsOf(table)
  const wrong = [...expected].filter(([key, views]) => found.get(key) !== views)
  if (found.size !== expected.size || wrong.length > 0)
    problems.push(`${table}: ${wrong.length} wrong counts, ${found.size} of ${expected.size} rows`)
}
