/**
 * Measures how fast conversations are published, compared with plain inserts.
 * 16 writers publish like the assistant, first into one project, whose lock they share, and then
 * into 100 projects. The same writers insert equal rows into a plain table with the same columns,
 * constraints and indexes. The variants take turns in one run, so that other load slows all of them
 * equally.
 *
 *   npm run lab bench/publish-load -- [--rows 3000] [--rounds 5]
 *
 * The CPU time of the service and PostgreSQL for each row is printed too: on a busy machine it is
 * the better measure.
 *
 * Exits with 1 on any error, or if 100 projects reach less than 60 % of the plain inserts. The rate
 * and the time of one project are goals for an idle machine, so they are only printed. Questions
 * are accepted before the measurement, whose transactions assign the ids. They also settle tokens
 * and update the daily counts, which plain inserts do not.
 */
import { parseArgs } from 'node:util'
import { openDatabase, type Tenant } from '@octavo/service'
import { JoinedTurns } from '../../packages/service/src/answers/assistant/joined-turns.ts'
import type { PublishedAnswer } from '../../packages/service/src/answers/assistant/turn-store.ts'
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { serviceUrlOf } from '../../packages/service/testing/test-database.ts'
import { createBenchProject, migrateBench, runSql } from '../parts/export/bench-service.ts'
import { median, printTable, type TableRow } from '../parts/export/print-table.ts'
import { readProcessUse } from '../parts/process-use.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '5' },
  },
})
const ROWS = Number(values.rows)
const ROUNDS = Number(values.rounds)
const WRITERS = 16
const PROJECTS = 100
/**
 * The number of questions to accept in one transaction. All of them update the same counter rows,
 * whose old versions would slow down a longer transaction.
 */
const ACCEPTED_AT_ONCE = 100
const GOALS = { perSecond: 1_000, p99Ms: 50, share: 0.6 } as const
const QUERY = 'How do I water my plants?'
const ANSWER: PublishedAnswer = {
  response: 'Rhododendrons need water most. '.repeat(20),
  sources: [{ title: 'Water', url: '/guides/water' }],
  status: 'answered',
  nearest: [],
  usedTokens: 0,
  savedTokens: 0,
  isCached: false,
}
const LEASE = 'bench'
const NEW_TURN = {
  query: QUERY,
  lease: LEASE,
  ticket: 'bench',
  ticketMax: 1_000_000_000,
  projectMax: 1_000_000_000,
  tokens: 0,
}
/** Inserts the same row as `publish`, but without its rules: the caller provides the id. */
const INSERT = `insert into bench_plain
  (project_id, id, recorded_at, query, response, sources, resolution_status)
  values ($1, $2, clock_timestamp(), $3, $4, $5, $6)`

type Turn = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly serviceMicros: number
  readonly postgresMicros: number
}
type Side = 'plain' | 'hot' | 'spread'

const postgres = await startPostgres({ settings: { max_wal_size: '4GB' } })
try {
  const rows = await measure()
  console.log(printTable(rows))
  const [, one, many] = rows
  console.log(
    `\n${2 * ROWS * ROUNDS} conversations, one project ${Math.round(one?.perSecond ?? 0)}/s, 100 projects ${Math.round(many?.perSecond ?? 0)}/s, ${many?.result} of plain inserts`,
  )
  process.exitCode = rows.some(({ name, isMet }) => name === '100 projects' && !isMet) ? 1 : 0
} finally {
  await postgres.stop()
}

async function measure(): Promise<readonly TableRow[]> {
  await migrateBench(postgres.url)
  await runSql(
    postgres.url,
    'create table bench_plain (like conversation including all)',
    'grant insert on bench_plain to octavo_app',
  )
  const tenants: Tenant[] = []
  while (tenants.length < PROJECTS) tenants.push((await createBenchProject(postgres.url)).tenant)
  const [hot] = tenants
  if (hot === undefined) throw new Error('there is no project')
  const database = openDatabase({ url: serviceUrlOf(postgres.url), connections: WRITERS })
  let inserted = 0

  /** Accepts the questions for one round of publishing, each with its project. */
  async function accept(among: readonly Tenant[]) {
    const ids: { readonly tenant: Tenant; readonly id: string }[][] = []
    const wanted = Math.ceil(ROWS / among.length)
    for (const tenant of among) {
      const own: { readonly tenant: Tenant; readonly id: string }[] = []
      while (own.length < wanted) {
        const rows = await database
          .forProject(tenant)
          .query<{ id: string }>(
            'select (begin_question($2)).question_id as id from generate_series(1, $1)',
            [Math.min(ACCEPTED_AT_ONCE, wanted - own.length), JSON.stringify(NEW_TURN)],
          )
        own.push(...rows.map(({ id }) => ({ tenant, id })))
      }
      ids.push(own)
    }
    // Cycles through the projects.
    return Array.from({ length: ROWS }, (_, place) => {
      const one = ids[place % ids.length]?.[Math.floor(place / ids.length)]
      if (one === undefined) throw new Error('too few questions')
      return one
    })
  }

  async function publish(among: readonly Tenant[]): Promise<Turn> {
    const turns = await accept(among)
    // Half of these connections are used, so all writers can publish at the same time.
    const joined = new JoinedTurns(2 * WRITERS)
    const stores = new Map(among.map((tenant) => [tenant, joined.of(database.forProject(tenant))]))
    return time(async (place) => {
      const turn = turns[place]
      const id =
        turn && (await stores.get(turn.tenant)?.publish({ id: turn.id, lease: LEASE }, ANSWER))
      if (id === undefined) throw new Error('a question was not published')
    })
  }

  const valuesOf = ({ projectId }: Tenant) => {
    inserted += 1
    const id = String(inserted).padStart(26, '0')
    const { response, sources, status } = ANSWER
    return [projectId, id, QUERY, response, JSON.stringify(sources), status]
  }
  const sides: Readonly<Record<Side, () => Promise<Turn>>> = {
    plain: () =>
      time((place) => database.query(INSERT, valuesOf(tenants[place % tenants.length] ?? hot))),
    hot: () => publish([hot]),
    spread: () => publish(tenants),
  }
  const names = Object.keys(sides) as Side[]
  const rounds: Record<Side, Turn>[] = []
  try {
    // The first round is slower on all sides and is not counted.
    for (let round = -1; round < ROUNDS; round += 1) {
      const results = {} as Record<Side, Turn>
      for (const name of names) results[name] = await sides[name]()
      if (round >= 0) rounds.push(results)
    }
  } finally {
    await database.end()
  }
  const [found] = (
    await runSql(postgres.url, 'select count(*)::integer as count from conversation')
  ).rows
  const expected = 2 * ROWS * (ROUNDS + 1)
  if (found.count !== expected) throw new Error(`${found.count} rows instead of ${expected}`)
  console.log(`${expected} rows, ${WRITERS} writers, median of ${ROUNDS} rounds\n`)
  return tableOf(rounds)
}

async function time(work: (place: number) => Promise<unknown>): Promise<Turn> {
  const times: number[] = []
  let next = 0
  const begun = performance.now()
  const before = process.cpuUsage()
  const postgresBefore = readProcessUse(postgres.pid()).cpuMs
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let place = next++; place < ROWS; place = next++) {
        const started = performance.now()
        await work(place)
        times.push(performance.now() - started)
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1_000
  const { user, system } = process.cpuUsage(before)
  const postgresMs = readProcessUse(postgres.pid()).cpuMs - postgresBefore
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return {
    perSecond: ROWS / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    serviceMicros: (user + system) / ROWS,
    postgresMicros: (postgresMs * 1_000) / ROWS,
  }
}

function tableOf(rounds: readonly Record<Side, Turn>[]): readonly TableRow[] {
  const of = (side: Side): Turn => ({
    perSecond: median(rounds.map((round) => round[side].perSecond)),
    p50Ms: median(rounds.map((round) => round[side].p50Ms)),
    p99Ms: median(rounds.map((round) => round[side].p99Ms)),
    serviceMicros: median(rounds.map((round) => round[side].serviceMicros)),
    postgresMicros: median(rounds.map((round) => round[side].postgresMicros)),
  })
  for (const side of ['plain', 'hot', 'spread'] as const) {
    const { serviceMicros, postgresMicros } = of(side)
    console.log(
      `${side.padEnd(6)} ${Math.round(serviceMicros)} µs of CPU in the service and ${Math.round(postgresMicros)} µs in PostgreSQL for each row`,
    )
  }
  const shareOf = (side: Side, base: Side) =>
    median(rounds.map((round) => round[side].perSecond / round[base].perSecond))
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const share = shareOf('spread', 'plain')
  const hot = of('hot')
  return [
    { name: 'plain table', side: 'insert', ...of('plain') },
    {
      name: 'one project',
      side: 'publish',
      ...hot,
      result: percent(shareOf('hot', 'plain')),
      goal: `≥ ${GOALS.perSecond}/s, p99 ≤ ${GOALS.p99Ms} ms`,
      isMet: hot.perSecond >= GOALS.perSecond && hot.p99Ms <= GOALS.p99Ms,
    },
    {
      name: '100 projects',
      side: 'publish',
      ...of('spread'),
      result: percent(share),
      goal: `≥ ${percent(GOALS.share)}`,
      isMet: share >= GOALS.share,
    },
  ]
}
