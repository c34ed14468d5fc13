/**
 * What the export costs over the database that it stands on: pages over HTTP as a share of the same
 * query by pgbench, the stream of a whole range as a share of COPY, and how fast a key that is none
 * is refused. All in one run, in turns, so that a busy machine slows both sides alike.
 *
 *   node bench/export-load.ts
 *
 * Needs pgbench (Debian: postgresql-contrib). Takes about two minutes.
 */
import { readFileSync } from 'node:fs'
import { migrate } from '@octavo/service'
import { startPostgres } from '../scripts/start-postgres.ts'
import {
  type BenchProject,
  type BenchService,
  createBenchProject,
  runSql,
  startBenchService,
} from './export/bench-service.ts'
import { type JobResult, runJob } from './export/load-client.ts'
import { type PgbenchResult, runPgbench } from './export/pgbench.ts'

const CONVERSATIONS = 200_000
const CONNECTIONS = 16
const CURSORS = 100
const ROUNDS = 3
const SECONDS = 5

const GOALS = {
  pageShare: 0.25,
  streamShare: 0.5,
  /** More memory than before the stream, while 200 MB pass and while the client stands still. */
  streamMb: 100,
  refusedPerSecond: 5_000,
} as const

const postgres = await startPostgres({
  settings: {
    ...{ shared_buffers: '1GB', effective_cache_size: '4GB', max_wal_size: '4GB' },
    ...{ maintenance_work_mem: '256MB', work_mem: '16MB', autovacuum: 'off' },
  },
})
let service: BenchService | undefined
try {
  await migrate(postgres.url)
  const project = await createBenchProject(postgres.url)
  const cursors = await fill(project)
  service = await startBenchService({
    databaseUrl: postgres.url,
    connections: CONNECTIONS,
    nodeFlags: process.argv.slice(2),
  })
  process.exitCode = (await measure(service, project, cursors)) ? 0 : 1
} finally {
  await service?.stop()
  await postgres.stop()
}

/** Conversations of about 1 KB, one a millisecond; gives ids to go on from. */
async function fill(project: BenchProject): Promise<readonly string[]> {
  const firstMs = Date.now() - CONVERSATIONS - 1_000
  const answer = `
    'Set \`limit\` to ' || n || ' and pass **"nextCursor"** until \`hasMore\` is false.' || E'\\n\\n'
    || case when n % 10 = 0 then 'Größe, durée… ' else '' end
    || repeat('A page holds up to 1000 conversations; the cursor is the id of the last one. ', 8)`
  await runSql(
    postgres.url,
    `insert into conversation
     select ${project.id}, make_ulid(${firstMs} + n, 0), to_timestamp((${firstMs} + n) / 1000.0),
            'How do I read page ' || n || ' of the export, and what comes after it?', ${answer},
            json_build_array(json_build_object('title', 'Export ' || n, 'url', '/api/export#' || n)),
            case when n % 7 = 0 then 'unanswered' else 'answered' end, 'api', 'thread-' || n / 3,
            'https://docs.example.com/api/export', null
       from generate_series(1, ${CONVERSATIONS}) as n`,
    `update project_sequence set last_ms = ${firstMs + CONVERSATIONS} where project_id = ${project.id}`,
    'vacuum analyze',
    'checkpoint',
  )
  // Every page is full: the cursors end before the last 1,000 rows.
  const { rows } = await runSql(
    postgres.url,
    `select id from (
       select id, row_number() over (order by id) as place from conversation
     ) as numbered where place <= ${CONVERSATIONS - 1_001} order by random() limit ${CURSORS}`,
  )
  return rows.map((row: { id: string }) => row.id)
}

async function measure(
  { port, pid }: BenchService,
  project: BenchProject,
  cursors: readonly string[],
): Promise<boolean> {
  const path = `/v1/analytics/${project.publicId}/assistant`
  const request = (search: string, ...headers: string[]) =>
    [`GET ${path}${search} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
  const key = `Authorization: Bearer ${project.token}`
  const pages = (limit: number, seconds = SECONDS) =>
    runJob({
      ...{ kind: 'pages', port, connections: CONNECTIONS, seconds, status: 200 },
      requests: cursors.map((cursor) => request(`?limit=${limit}&cursor=${cursor}`, key)),
    })
  const bare = (limit: number) =>
    runPgbench({
      ...{ port: postgres.port, clients: CONNECTIONS, seconds: SECONDS },
      statements: cursors.map(
        (cursor) =>
          `select * from conversations_page(${project.id}, '${cursor}', '', '8', null, ${limit}, ',')`,
      ),
    })
  const copy = () =>
    runJob({
      ...{ kind: 'copy', port: postgres.port },
      statement: `copy (select conversation_json(c) from conversation c where project_id = ${project.id} order by id) to stdout`,
    })
  const stream = (pauseMs: number) => {
    const accept = 'Accept: application/x-ndjson'
    return runJob({ kind: 'stream', port, request: request('', key, accept), pauseMs })
  }
  const refused = () => {
    const bad = `${project.token.slice(0, -1)}${project.token.endsWith('0') ? '1' : '0'}`
    return runJob({
      ...{ kind: 'pages', port, connections: CONNECTIONS, seconds: SECONDS, status: 401 },
      requests: [request('', `Authorization: Bearer ${bad}`)],
    })
  }

  await pages(100, 2)
  await stream(0)
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const memory = watchMemory(pid)
    rounds.push({
      bare100: await bare(100),
      http100: await pages(100),
      bare1000: await bare(1_000),
      http1000: await pages(1_000),
      copy: await copy(),
      stream: await stream(0),
      memory: memory.stop(),
    })
    console.log(JSON.stringify(rounds.at(-1)))
  }
  console.log(await refused())
  return true
}

type Round = {
  readonly bare100: PgbenchResult
  readonly http100: JobResult
  readonly bare1000: PgbenchResult
  readonly http1000: JobResult
  readonly copy: JobResult
  readonly stream: JobResult
  readonly memory: number
}

function watchMemory(pid: number) {
  let peak = 0
  const look = () => {
    const kb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    peak = Math.max(peak, kb / 1024)
  }
  const timer = setInterval(look, 20)
  return {
    stop: () => {
      clearInterval(timer)
      return peak
    },
  }
}
