/**
 * Measures what the export costs on top of the database, compared with pgbench and COPY.
 * It measures pages over HTTP relative to the same query by pgbench, the stream of a whole range
 * relative to COPY, the memory of the stream, and how fast a key with a wrong checksum is rejected.
 * Both sides take turns in one run, so that other load slows them equally.
 *
 *   npm run lab bench/export-load
 *
 * Needs pgbench (Debian: postgresql-15) and Linux. Takes about two minutes.
 */
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import {
  createBenchProject,
  migrateBench,
  startBenchService,
} from '../parts/export/bench-service.ts'
import { createExportJobs, type ExportJobs } from '../parts/export/export-jobs.ts'
import { fillProject } from '../parts/export/fill-project.ts'
import type { JobResult } from '../parts/export/load-client.ts'
import type { PgbenchResult } from '../parts/export/pgbench.ts'
import { median, printTable, type TableRow } from '../parts/export/print-table.ts'
import { residentMb, watchMemory } from '../parts/export/watch-memory.ts'

const CONVERSATIONS = 200_000
const CONNECTIONS = 16
const CURSORS = 100
const LIMITS = [100, 1_000]
const ROUNDS = 3
const SECONDS = 4
/**
 * The time for which a client stops reading, to check that the service does not buffer the stream.
 */
const STALL_MS = 2_000
const GOALS = { pageShare: 0.25, streamShare: 0.5, streamMb: 100, refusedPerSecond: 5_000 } as const

type Pair = { readonly bare: PgbenchResult; readonly http: JobResult }
type Round = {
  readonly pages: readonly Pair[]
  readonly copy: JobResult
  readonly stream: JobResult
  readonly refusals: JobResult
}

const postgres = await startPostgres({
  settings: {
    shared_buffers: '1GB',
    effective_cache_size: '4GB',
    max_wal_size: '4GB',
    maintenance_work_mem: '256MB',
    work_mem: '16MB',
    autovacuum: 'off',
  },
})
const ends = [postgres.stop]
try {
  const rows = await measure()
  console.log(printTable(rows))
  process.exitCode = rows.some(({ isMet }) => isMet === false) ? 1 : 0
} finally {
  for (const end of ends.toReversed()) await end()
}

async function measure(): Promise<readonly TableRow[]> {
  const databaseUrl = postgres.url
  await migrateBench(databaseUrl)
  const project = await createBenchProject(databaseUrl)
  const filling = { databaseUrl, project, count: CONVERSATIONS, cursors: CURSORS }
  const cursors = await fillProject(filling)
  const start = async () => {
    const service = await startBenchService({ databaseUrl, connections: CONNECTIONS })
    ends.push(service.stop)
    const ports = { servicePort: service.port, postgresPort: postgres.port }
    const load = { connections: CONNECTIONS, seconds: SECONDS }
    return { pid: service.pid, jobs: createExportJobs({ project, cursors, ...ports, ...load }) }
  }

  const { jobs } = await start()
  // The first run is slower on both sides and is not counted.
  await jobs.loadBarePages(100)
  await jobs.loadPages(100)
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await runRound(jobs))
  console.log(
    `${CONVERSATIONS.toLocaleString('en')} conversations of 1 KB, ${CONNECTIONS} connections, median of ${ROUNDS} rounds\n`,
  )
  // The stream gets a new process, because the memory that the pages used is not released.
  const fresh = await start()
  return [
    ...LIMITS.flatMap((limit, index) =>
      comparePages(
        limit,
        rounds.flatMap(({ pages }) => pages[index] ?? []),
      ),
    ),
    ...compareStreams(rounds),
    await measureMemory(fresh.pid, () => fresh.jobs.readStream(0), 'NDJSON'),
    await measureMemory(fresh.pid, () => fresh.jobs.readStream(STALL_MS), 'client pauses'),
    countRefusals(rounds),
    countErrors(rounds),
  ]
}

async function runRound(jobs: ExportJobs): Promise<Round> {
  const pages: Pair[] = []
  for (const limit of LIMITS) {
    pages.push({ bare: await jobs.loadBarePages(limit), http: await jobs.loadPages(limit) })
  }
  const copy = await jobs.readCopy()
  return { pages, copy, stream: await jobs.readStream(0), refusals: await jobs.loadRefusals() }
}

function comparePages(limit: number, pairs: readonly Pair[]): readonly TableRow[] {
  const pageMb = median(pairs.map(({ http }) => http.bytes / http.count / 1e6))
  const side = (name: 'bare' | 'http') => {
    const perSecond = median(pairs.map((pair) => pair[name].perSecond))
    return { ...medianTimes(pairs.map((pair) => pair[name])), mbPerSecond: perSecond * pageMb }
  }
  const share = median(pairs.map(({ bare, http }) => http.perSecond / bare.perSecond))
  return [
    { name: `pages of ${limit}`, side: 'pgbench', ...side('bare') },
    { name: '', side: 'HTTP', ...side('http'), ...printShare(share, GOALS.pageShare) },
  ]
}

function compareStreams(rounds: readonly Round[]): readonly TableRow[] {
  const speed = ({ bytes, seconds }: JobResult) => bytes / 1e6 / seconds
  const share = median(rounds.map(({ stream, copy }) => speed(stream) / speed(copy)))
  const copy = median(rounds.map((round) => speed(round.copy)))
  const stream = median(rounds.map((round) => speed(round.stream)))
  return [
    { name: 'whole range', side: 'COPY', mbPerSecond: copy },
    { name: '', side: 'NDJSON', mbPerSecond: stream, ...printShare(share, GOALS.streamShare) },
  ]
}

/** Measures how much the memory of a process grows during the work. */
async function measureMemory(
  pid: number,
  work: () => Promise<unknown>,
  side: string,
): Promise<TableRow> {
  const beforeMb = residentMb(pid)
  const watch = watchMemory(pid)
  await work()
  const grownMb = watch.stop() - beforeMb
  const result = `${beforeMb.toFixed(0)} + ${grownMb.toFixed(0)} MB`
  const goal = `+ ${GOALS.streamMb} MB`
  return { name: 'peak memory', side, result, goal, isMet: grownMb <= GOALS.streamMb }
}

function countRefusals(rounds: readonly Round[]): TableRow {
  const times = medianTimes(rounds.map(({ refusals }) => refusals))
  const goal = `≥ ${GOALS.refusedPerSecond.toLocaleString('en')}/s`
  const isMet = times.perSecond >= GOALS.refusedPerSecond
  return { name: 'refused keys', side: 'HTTP', ...times, goal, isMet }
}

function countErrors(rounds: readonly Round[]): TableRow {
  const counts = rounds.flatMap(({ pages, refusals }) => [
    refusals.errors,
    ...pages.map(({ http }) => http.errors),
  ])
  const count = counts.reduce((sum, one) => sum + one, 0)
  return { name: 'wrong replies', side: 'HTTP', result: `${count}`, goal: '0', isMet: count === 0 }
}

function medianTimes(results: readonly PgbenchResult[]) {
  return {
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(results.map(({ p99Ms }) => p99Ms)),
  }
}

function printShare(share: number, goal: number): Pick<TableRow, 'result' | 'goal' | 'isMet'> {
  const percent = (value: number) => `${(value * 100).toFixed(0)} %`
  return { result: percent(share), goal: `≥ ${percent(goal)}`, isMet: share >= goal }
}
