/**
 * Sets the clock of PostgreSQL an hour back and forth while conversations are written.
 * Writers publish conversations and a client exports them through the real service. Ids must
 * increase, timestamps must not decrease, no row may be lost or repeated, and the metric that warns
 * of ids ahead of the clock must show it.
 *
 *   npm run lab soak/clock-jumps -- [--rounds 3] [--seconds 4]
 *
 * Needs libfaketime (Debian: apt-get install faketime). Only the server's own clock is changed.
 */
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '@octavo/service'
import { startHosting } from '../../packages/service/testing/start-hosting.ts'
import { freePort, startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { createPageClient } from './no-loss/page-client.ts'
import { startExporter } from './no-loss/readers.ts'
import { isClean, reachVerdict } from './no-loss/verdict.ts'
import { startWriterFleet } from './no-loss/writer-fleet.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
  },
})
const ROUNDS = Number(values.rounds)
const SECONDS = Number(values.seconds)
const LIBRARIES = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`,
)
const HOUR_S = 3_600
/** The threshold of the alert in deploy/prometheus/alerts.yaml. */
const ALARM_S = 5
/** The tolerance of the metric on a busy machine. */
const SLACK_S = 10
const WRITERS = 4

const library = LIBRARIES.find((path) => existsSync(path))
if (library === undefined) {
  console.log('libfaketime is missing: apt-get install faketime.')
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'octavo-clock-'))
// The PostgreSQL server runs as another user, who must be able to read the folder.
chmodSync(folder, 0o755)
const clockFile = join(folder, 'clock')
setClock(0)
const wrong: string[] = []
const postgres = await startPostgres({
  environment: {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_NO_CACHE: '1',
    // Only the time of day jumps. Kernel timers count real seconds.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  },
})
try {
  await run()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
for (const line of wrong) console.log(`WRONG ${line}`)
process.exitCode = wrong.length === 0 ? 0 : 1

async function run(): Promise<void> {
  const hosting = await startHosting({ database: postgres })
  const owner = openDatabase({ url: postgres.url, connections: 2 })
  try {
    const project = hosting.createProject('plants')
    const adminPort = await freePort()
    const service = await hosting.start('all', { OCTAVO_ADMIN_PORT: String(adminPort) })
    const pid = service.pid()
    const [row] = await owner.query<{ projectId: string; organizationId: string }>(
      `select id as "projectId", organization_id as "organizationId" from project where public_id = $1`,
      [project.projectId],
    )
    if (row === undefined) throw new Error('the project is not there')
    const client = createPageClient({
      exportUrl: `${hosting.url}/v1/analytics/${project.projectId}/assistant`,
      token: project.adminKey,
    })
    let isFinishing = false
    const exporter = startExporter({
      client,
      name: 'exporter',
      pauseMsMax: 20,
      isFinishing: () => isFinishing,
    })
    const fleet = startWriterFleet({
      databaseUrl: hosting.environment.DATABASE_URL ?? '',
      tenant: row,
      noiseTenants: [],
      answerBytes: 300,
      niceness: 0,
      processes: 1,
      writersPerProcess: WRITERS,
      onAck: () => {},
    })
    let jumps = 0
    let newestS = 0
    const offsets = [0, ...Array.from({ length: ROUNDS }, () => [HOUR_S, -HOUR_S]).flat(), 0]
    for (const offset of offsets) {
      const before = fleet.acks.size
      setClock(offset)
      if (offset !== 0 || jumps > 0) jumps += 1
      await checkClock(offset)
      await sleep(SECONDS * 1_000)
      newestS = Math.max(newestS, Date.now() / 1_000 + offset)
      const leadS = newestS - (Date.now() / 1_000 + offset)
      const metric = await readMetric(adminPort)
      const written = fleet.acks.size - before
      console.log(
        `  clock ${offset >= 0 ? '+' : '-'}${Math.abs(offset)} s: ${written} written, ids are ${metric} s ahead`,
      )
      if (written === 0) wrong.push(`clock ${offset} s: nothing was written`)
      if (!(Math.abs(metric - leadS) <= SLACK_S))
        wrong.push(`clock ${offset} s: the metric is ${metric}, ids are ${leadS} s ahead`)
      if (leadS > ALARM_S !== metric > ALARM_S)
        wrong.push(`clock ${offset} s: the alarm is wrong at ${metric} s`)
    }
    await fleet.stop()
    isFinishing = true
    await exporter.done
    client.close()
    const failure = fleet.failure()
    if (failure !== undefined) wrong.push(failure.message)
    if (service.pid() !== pid) wrong.push('the service is another process')
    const verdict = await reachVerdict({
      stage: { owner, tenant: row },
      acks: fleet.acks,
      exporters: [exporter],
      windowReader: undefined,
    })
    if (!isClean(verdict) || verdict.committed !== fleet.acks.size)
      wrong.push(`the export is not as written: ${JSON.stringify(verdict)}`)
    console.log(`errors of writers: ${printCounts(fleet.errors)}`)
    console.log(`replies of the export: ${printCounts(client.statuses)}`)
    const { lost, duplicates, disorder } = verdict
    console.log(
      `${jumps} jumps of the clock, ${fleet.acks.size} conversations, ${lost} lost, ${duplicates} twice, ${disorder} out of order`,
    )
  } finally {
    await owner.end()
    await hosting.stop()
  }

  /** Checks that libfaketime is loaded, because otherwise this run would test nothing. */
  async function checkClock(offset: number): Promise<void> {
    const [clock] = await owner.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    )
    const foundS = ((clock?.ms ?? 0) - Date.now()) / 1_000
    if (Math.abs(foundS - offset) > SLACK_S)
      throw new Error(`the clock of PostgreSQL is off by ${foundS} s instead of ${offset} s`)
  }
}

/** Sets the clock by replacing its file atomically. */
function setClock(offsetSeconds: number): void {
  writeFileSync(`${clockFile}.new`, `${offsetSeconds >= 0 ? '+' : ''}${offsetSeconds}\n`)
  renameSync(`${clockFile}.new`, clockFile)
}

async function readMetric(adminPort: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`)
  return Number(/^octavo_clock_ahead_seconds (.*)$/m.exec(await response.text())?.[1])
}

function printCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} × ${count}`).join(', ') || 'none'
}
