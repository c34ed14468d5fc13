/**
 * Checks that a page of the export stays fast as the table grows.
 * One project has 10,000 conversations, interleaved with more and more of other projects, so that
 * its rows are far apart. It measures p50 and p99 of a page of 100 over HTTP on one connection.
 * Each size has its own database and service, and they are measured in turns, so that other load
 * slows all of them equally.
 *
 *   npm run lab bench/export-growth -- [the largest size, 10000000]
 *
 * Takes about 8 GB in the temporary folder and some minutes.
 */
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import {
  type BenchProject,
  createBenchProject,
  migrateBench,
  runSql,
  startBenchService,
} from '../parts/export/bench-service.ts'
import { explainPage } from '../parts/export/explain-page.ts'
import { printRequest } from '../parts/export/export-jobs.ts'
import { runJob } from '../parts/export/load-client.ts'
import { median } from '../parts/export/print-table.ts'

const PROJECT_ROWS = 10_000
const LARGEST = Number(process.argv[2] ?? 10_000_000)
const SIZES = [10_000, 1_000_000, 10_000_000].filter((size) => size <= LARGEST)
const LIMIT = 100
const CURSORS = 500
const ROUNDS = 7
const SECONDS = 3
const RATIO_MAX = 1.5

const postgres = await startPostgres({
  settings: {
    shared_buffers: '2GB',
    effective_cache_size: '8GB',
    maintenance_work_mem: '512MB',
    // The data need not survive a crash: each run creates it again.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_wal_size: '16GB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    autovacuum: 'off',
    work_mem: '64MB',
  },
})
const ends = [postgres.stop]
try {
  process.exitCode = (await run()) ? 0 : 1
} finally {
  for (const end of ends.toReversed()) await end()
}

type Table = {
  readonly size: number
  /** Runs one round and appends its result to `rounds`. */
  readonly measure: () => Promise<void>
  readonly rounds: { readonly p50Ms: number; readonly p99Ms: number }[]
}

async function run(): Promise<boolean> {
  const tables: Table[] = []
  for (const size of SIZES) tables.push(await prepare(size))
  // The first round fills the caches and is not counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { measure } of tables) await measure()
  }
  const results = tables.map(({ size, rounds }) => ({
    size,
    p50Ms: median(rounds.slice(1).map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.slice(1).map(({ p99Ms }) => p99Ms)),
  }))
  console.log(`A page of 100 over HTTP, one connection, median of ${ROUNDS} rounds in turns\n`)
  printLine('conversations', 'p50 ms', 'p99 ms')
  for (const { size, p50Ms, p99Ms } of results) {
    printLine(size.toLocaleString('en'), p50Ms.toFixed(2), p99Ms.toFixed(2))
  }
  const [first, last] = [results[0], results.at(-1)]
  if (first === undefined || last === undefined) throw new Error('nothing was measured')
  const ratios = [last.p50Ms / first.p50Ms, last.p99Ms / first.p99Ms]
  printLine('last ÷ first', ...ratios.map((ratio) => ratio.toFixed(2)))
  const isMet = ratios.every((ratio) => ratio <= RATIO_MAX)
  console.log(`\ngoal: both at most ${RATIO_MAX} ${isMet ? '✓' : '✗ missed'}`)
  return isMet
}

function printLine(...cells: readonly string[]): void {
  console.log(cells.map((cell) => cell.padStart(14)).join(''))
}

/** Creates a database with this many conversations, and a service on it. */
async function prepare(size: number): Promise<Table> {
  const name = `conversations_${size}`
  await runSql(postgres.url, `create database ${name}`)
  const databaseUrl = postgres.url.replace(/[^/]*$/, name)
  await migrateBench(databaseUrl)
  const project = await createBenchProject(databaseUrl)
  const started = performance.now()
  await fill(databaseUrl, size)
  const seconds = ((performance.now() - started) / 1_000).toFixed(0)
  const { rows } = await runSql(
    databaseUrl,
    `select pg_size_pretty(sum(pg_total_relation_size(inhrelid))) as size
       from pg_inherits where inhparent = 'conversation'::regclass`,
  )
  console.log(`${size.toLocaleString('en')} conversations: ${rows[0]?.size}, made in ${seconds} s`)
  const cursors = await readCursors(databaseUrl, project)
  const [cursor = ''] = cursors
  const plan = await explainPage({ databaseUrl, projectId: project.id, cursor, limit: LIMIT })
  console.log(`${plan}\n`)

  const service = await startBenchService({ databaseUrl, connections: 1 })
  ends.push(service.stop)
  const key = `Authorization: Bearer ${project.token}`
  const requests = cursors.map((cursor) =>
    printRequest(project, `?limit=${LIMIT}&cursor=${cursor}`, key),
  )
  const rounds: Table['rounds'] = []
  return {
    size,
    rounds,
    measure: async () => {
      const result = await runJob({
        kind: 'pages',
        port: service.port,
        connections: 1,
        seconds: SECONDS,
        status: 200,
        requests,
      })
      if (result.errors > 0) throw new Error(`${result.errors} replies were not 200`)
      rounds.push(result)
    },
  }
}

/**
 * Inserts conversations of about 200 bytes in chronological order, one of every project per
 * millisecond. Ids are not created with `make_ulid`, which would take longer than everything else.
 * Instead, their last digits are hexadecimal, and the digits of the time are computed once for all
 * projects.
 */
async function fill(databaseUrl: string, size: number): Promise<void> {
  const firstMs = Date.now() - PROJECT_ROWS - 1_000
  await runSql(
    databaseUrl,
    `insert into project (organization_id, public_id, slug, name)
     select (select id from organization limit 1), 'prj_' || lpad(n::text, 16, '0'), 'other-' || n, 'Other'
       from generate_series(2, ${size / PROJECT_ROWS}) as n`,
    `insert into conversation_sequence (project_id)
     select id from project on conflict (project_id) do nothing`,
    `insert into conversation
     select project.id, digits || '0000' || upper(substr(md5(project.id || '-' || ms), 1, 12)),
            to_timestamp(ms / 1000.0), 'How often do I water plant ' || project.id || '?',
            'Once a day in the morning, with ' || ms % 1000 || ' ml.',
            '[{"title":"Watering","url":"/watering"}]', 'answered', null, null, null, null
       from (select ms, base32(ms, 10) as digits
               from generate_series(${firstMs}, ${firstMs + PROJECT_ROWS - 1}) as ms offset 0) as time,
            project
      order by ms, project.id`,
    `update conversation_sequence set last_ms = ${firstMs + PROJECT_ROWS}`,
    'vacuum analyze',
    'checkpoint',
  )
}

/** Returns cursors that are spread over the project, each followed by a full page. */
async function readCursors(databaseUrl: string, project: BenchProject): Promise<readonly string[]> {
  const { rows } = await runSql(
    databaseUrl,
    `select id from (
       select id, row_number() over (order by id) as place from conversation where project_id = ${project.id}
     ) as numbered where place < ${PROJECT_ROWS - LIMIT} order by random() limit ${CURSORS}`,
  )
  return rows.map((row: { id: string }) => row.id)
}
