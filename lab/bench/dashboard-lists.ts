/**
 * Checks that lists and the overview of the dashboard stay fast as their tables grow.
 * Compares a project with 1,000 conversations with one of a million, 100 deployments with 10,000,
 * and 100 members with 1,000: CPU time of the service and its database connection for the same
 * requests, in alternating pairs.
 *
 *   npm run lab bench/dashboard-lists -- [conversations of the large project, 1000000] [only paths with this text]
 *
 * Linux only. Takes about 1 GB in the temporary folder and some minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSessions } from '../../packages/service/src/people/sessions/sessions.ts'
import { openDatabase } from '../../packages/service/src/platform/database/database.ts'
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import {
  BENCH_RING,
  type BenchProject,
  createBenchProject,
  migrateBench,
  runSql,
  startBenchService,
} from '../parts/export/bench-service.ts'
import { preciseCpuMs } from '../parts/export/cpu-time.ts'
import { median } from '../parts/export/print-table.ts'

const SMALL = { conversations: 1_000, deployments: 100, members: 100 }
const LARGE = {
  conversations: Number(process.argv[2] ?? 1_000_000),
  deployments: 10_000,
  members: 1_000,
}
const PAIRS = 10
const REQUESTS = 10
const RATIO_MAX = 1.3
/** The time after which a search without a match must end, or report how far it searched. */
const SEARCH_MS_MAX = 500
const DAYS = 90

/** Paths below the project; `hasGoal` is true if the goal applies. */
const LISTS: readonly {
  readonly name: string
  readonly path: string
  readonly hasGoal: boolean
}[] = [
  { name: 'conversations, first page', path: '/conversations', hasGoal: true },
  { name: 'unanswered', path: '/conversations?resolutionStatus=unanswered', hasGoal: true },
  { name: 'a category', path: '/conversations?queryCategory=rare', hasGoal: true },
  { name: 'unhelpful', path: '/conversations?feedback=unhelpful', hasGoal: true },
  { name: 'frequent text', path: '/conversations?text=plant', hasGoal: true },
  { name: 'categories', path: '/conversations/categories', hasGoal: true },
  // This search has no index: each request stops after a quarter of a second, or 10,000
  // conversations.
  { name: 'text that nobody wrote', path: '/conversations?text=zebra', hasGoal: false },
  { name: 'overview of 90 days', path: '/overview?days=90', hasGoal: true },
  { name: 'deployments', path: '/deployments', hasGoal: true },
  { name: 'deployments of a branch', path: '/deployments?branch=next', hasGoal: true },
  { name: 'audit log', path: '/audit', hasGoal: true },
  { name: 'keys', path: '/keys', hasGoal: true },
  { name: 'members', path: '/members', hasGoal: true },
  { name: 'members, a later page', path: '/members?cursor=m', hasGoal: true },
]

const postgres = await startPostgres({
  settings: { shared_buffers: '1GB', fsync: 'off', synchronous_commit: 'off', autovacuum: 'off' },
})
const blobs = mkdtempSync(join(tmpdir(), 'octavo-bench-blobs-'))
// Only a service that stores sites lists deployments.
process.env.OCTAVO_BLOBS = blobs
const ends = [postgres.stop, async () => rmSync(blobs, { recursive: true })]
try {
  process.exitCode = (await run()) ? 0 : 1
} finally {
  for (const end of ends.toReversed()) await end()
}

type Side = {
  readonly project: BenchProject
  readonly port: number
  readonly servicePid: number
  readonly databaseUrl: string
  /** The session of a signed-in user, because API keys cannot list members. */
  readonly session: string
}

async function run(): Promise<boolean> {
  const small = await prepare('small', SMALL)
  const large = await prepare('large', LARGE)
  print('', `${SMALL.conversations}`, `${LARGE.conversations}`, 'ratio')
  let isMet = true
  const wanted = process.argv[3] ?? ''
  for (const { name, path, hasGoal } of LISTS.filter((list) => list.path.includes(wanted))) {
    const pairs: { readonly small: number; readonly large: number }[] = []
    // The first pair fills the caches and is not counted.
    for (let pair = 0; pair <= PAIRS; pair += 1)
      pairs.push({ small: await measure(small, path), large: await measure(large, path) })
    const counted = pairs.slice(1)
    const ratio = median(counted.map((pair) => pair.large / pair.small))
    isMet &&= !hasGoal || ratio <= RATIO_MAX
    const ms = (side: 'small' | 'large') => median(counted.map((pair) => pair[side])).toFixed(2)
    const mark = hasGoal ? (ratio <= RATIO_MAX ? '✓' : '✗ missed') : '(bounded, no goal)'
    print(name, ms('small'), ms('large'), ratio.toFixed(2), mark)
  }
  if ('/conversations?text=zebra'.includes(wanted)) isMet = (await measureSearch(large)) && isMet
  console.log(`\nms of CPU for a request, service and database; goal: at most ${RATIO_MAX} ×`)
  return isMet
}

/**
 * Measures the time of a search without a match, and checks that it reports how far it searched.
 */
async function measureSearch({ project, port }: Side): Promise<boolean> {
  const url = `http://127.0.0.1:${port}/v1/projects/${project.publicId}/conversations?text=zebra`
  const times: number[] = []
  let searchedTo: string | null = null
  for (let count = 0; count < REQUESTS; count += 1) {
    const began = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${project.token}` } })
    searchedTo = ((await response.json()) as { searchedTo: string | null }).searchedTo
    times.push(performance.now() - began)
  }
  const slowest = Math.max(...times)
  const reach = searchedTo === null ? 'looked at everything' : `searched back to ${searchedTo}`
  const isMet = searchedTo !== null || slowest <= SEARCH_MS_MAX
  console.log(
    `\nSearch without a match: ${median(times).toFixed(0)} ms, at most ${slowest.toFixed(0)} ms; ${reach} ${isMet ? '✓' : '✗ missed'}`,
  )
  return isMet
}

function print(name: string, ...cells: readonly string[]): void {
  console.log(name.padEnd(28) + cells.map((cell) => cell.padStart(10)).join('  '))
}

/** Returns the CPU time that one request costs the service and its database connection. */
async function measure(side: Side, path: string): Promise<number> {
  // The pool closes idle connections, so this request opens the connection that is measured.
  await send(side, path)
  const { rows } = await runSql(
    side.databaseUrl,
    `select pid from pg_stat_activity where datname = current_database() and usename <> current_user`,
  )
  const pids = [side.servicePid, ...rows.map(({ pid }: { readonly pid: number }) => pid)]
  const cpu = () => pids.reduce((sum, pid) => sum + preciseCpuMs(pid), 0)
  const before = cpu()
  for (let count = 0; count < REQUESTS; count += 1) await send(side, path)
  return (cpu() - before) / REQUESTS
}

async function send({ project, port, session }: Side, path: string): Promise<void> {
  const token = path.startsWith('/members') ? session : project.token
  const response = await fetch(`http://127.0.0.1:${port}/v1/projects/${project.publicId}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
}

async function prepare(name: string, size: typeof SMALL): Promise<Side> {
  await runSql(postgres.url, `create database ${name}`)
  const databaseUrl = postgres.url.replace(/[^/]*$/, name)
  await migrateBench(databaseUrl)
  const project = await createBenchProject(databaseUrl)
  const began = performance.now()
  await fill(databaseUrl, project, size)
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  console.log(
    `${size.conversations} conversations and ${size.deployments} deployments in ${seconds} s`,
  )
  const service = await startBenchService({ databaseUrl, connections: 1 })
  ends.push(service.stop)
  const session = await signIn(databaseUrl)
  return { project, port: service.port, servicePid: service.pid, databaseUrl, session }
}

/** Signs in as the first member, with a command-line session. */
async function signIn(databaseUrl: string): Promise<string> {
  const database = openDatabase({ url: databaseUrl, connections: 1 })
  try {
    const [row] = await database.query<{ userId: string; isVerified: boolean }>(
      `select id::text as "userId", verified_at is not null as "isVerified" from app_user order by id limit 1`,
    )
    if (row === undefined) throw new Error('no member was made')
    const device = { userAgent: 'bench', clientAddress: undefined }
    const sessions = createSessions(database, BENCH_RING)
    return (
      (await sessions.begin(row, { ...device, method: 'command-line', kind: 'command-line' })) ?? ''
    )
  } finally {
    await database.end()
  }
}

/**
 * Inserts rows that are spread evenly over the last days: 1 in 10 is unanswered, 1 in 20 is rated,
 * and 1 in 50 has a rare category.
 */
async function fill(databaseUrl: string, project: BenchProject, size: typeof SMALL): Promise<void> {
  const { conversations, deployments, members } = size
  const id = project.id
  const stepMs = Math.floor((DAYS * 86_400_000) / conversations)
  const firstMs = Date.now() - conversations * stepMs
  await runSql(
    databaseUrl,
    `update api_key set scopes = '{analytics:read,keys:write,audit:read,project:write,deploy:read}'`,
    // There is no partition for ratings before this month.
    `select attach_partition('conversation_feedback', 'conversation_feedback_bench', '',
       ulid_floor(date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'))`,
    `insert into conversation (project_id, id, recorded_at, query, response, sources, resolution_status, query_category)
     select ${id}, base32(ms, 10) || '0000' || upper(substr(md5(n::text), 1, 12)), to_timestamp(ms / 1000.0),
            'How often do I water plant ' || n % 5000 || '?', repeat('Once a day in the morning, with some water. ', 10),
            '[{"title":"Watering","url":"/watering"}]',
            case when n % 10 = 0 then 'unanswered' else 'answered' end, case when n % 50 = 0 then 'rare' end
       from generate_series(1, ${conversations}) as n, lateral (select ${firstMs} + n * ${stepMs}::bigint - 1 as ms) t`,
    `insert into conversation_feedback (project_id, id, is_helpful)
     select project_id, id, right(id, 1) < '8' from conversation where right(id, 2) < '0D'`,
    `insert into deployment (project_id, id, number, root, created_by, state, branch, message, published_at)
     select ${id}, make_ulid(${firstMs} + n, 1), n, sha256('x'), 'bench', 'ready',
            case when n % 10 = 0 then 'next' else 'main' end, 'Message ' || n,
            now() - (n % ${DAYS}) * interval '1 day'
       from generate_series(1, ${deployments}) as n`,
    `insert into audit_event (organization_id, project_id, actor, action, object)
     select ${project.tenant.organizationId}, ${id}, 'operator', 'deployment.create', 'deployment ' || n
       from generate_series(1, ${deployments}) as n`,
    `insert into app_user (public_id, email, name)
     select 'usr_' || substr(md5(n::text), 1, 16), chr(97 + n % 26) || n || '@example.com', 'Member ' || n
       from generate_series(1, ${members}) as n`,
    `insert into membership (organization_id, user_id, role)
     select ${project.tenant.organizationId}, id, 'admin' from app_user`,
    'vacuum analyze',
  )
}
