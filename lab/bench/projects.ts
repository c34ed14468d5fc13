/**
 * Checks that a request costs no more when the service has 100,000 projects.
 * One process uses one database with 100,000 projects. Requests for a page with one conversation
 * alternate between the keys of 100 projects and the keys of all projects. The result is the CPU
 * time of the service per request, as the median of pairs.
 *
 *   npm run lab bench/projects -- [--projects 100000] [--requests 2000] [--pairs 10]
 *
 * Needs Linux. Takes about three minutes.
 */
import { parseArgs } from 'node:util'
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { migrateBench, startBenchService } from '../parts/export/bench-service.ts'
import { cpuMs } from '../parts/export/cpu-time.ts'
import { printRequest } from '../parts/export/export-jobs.ts'
import { fillProjects } from '../parts/export/fill-projects.ts'
import { runJob } from '../parts/export/load-client.ts'
import { median } from '../parts/export/print-table.ts'
import { residentMb } from '../parts/export/watch-memory.ts'

const FEW = 100
const CONNECTIONS = 8
const RATIO_MAX = 1.3

const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '2000' },
    pairs: { type: 'string', default: '10' },
  },
})
const [projectCount, requestCount, pairCount] = [
  values.projects,
  values.requests,
  values.pairs,
].map(Number) as [number, number, number]

const postgres = await startPostgres({
  settings: { shared_buffers: '512MB', max_wal_size: '4GB', fsync: 'off', autovacuum: 'off' },
})
const ends = [postgres.stop]
try {
  process.exitCode = (await measure()) ? 0 : 1
} finally {
  for (const end of ends.toReversed()) await end()
}

type Half = { readonly msPerRequest: number; readonly p50Ms: number; readonly residentMb: number }

async function measure(): Promise<boolean> {
  await migrateBench(postgres.url)
  const projects = await fillProjects(postgres.url, projectCount)
  const requests = projects.map((project) =>
    printRequest(project, '?limit=1', `Authorization: Bearer ${project.token}`),
  )
  const service = await startBenchService({ databaseUrl: postgres.url, connections: CONNECTIONS })
  ends.push(service.stop)
  const startMb = residentMb(service.pid)

  async function runHalf(count: number): Promise<Half> {
    const chosen = Array.from({ length: requestCount }, () =>
      Math.floor(Math.random() * count),
    ).map((place) => requests[place] ?? '')
    const before = cpuMs(service.pid)
    const { errors, p50Ms } = await runJob({
      kind: 'each',
      port: service.port,
      connections: CONNECTIONS,
      requests: chosen,
      status: 200,
    })
    if (errors > 0) throw new Error(`${errors} replies were not 200`)
    const msPerRequest = (cpuMs(service.pid) - before) / requestCount
    return { msPerRequest, p50Ms, residentMb: residentMb(service.pid) }
  }

  const pairs: { readonly few: Half; readonly all: Half }[] = []
  // The first pair warms up the process and is not counted.
  for (let pair = 0; pair <= pairCount; pair += 1) {
    pairs.push({ few: await runHalf(FEW), all: await runHalf(projectCount) })
  }
  const counted = pairs.slice(1)
  console.log(
    `${requestCount.toLocaleString('en')} requests each, ${CONNECTIONS} connections, median of ${pairCount} pairs\n`,
  )
  printLine('keys of', 'CPU ms', 'p50 ms', 'RSS MB')
  for (const [name, count] of [['few', FEW] as const, ['all', projectCount] as const]) {
    const halves = counted.map((pair) => pair[name])
    printLine(
      count.toLocaleString('en'),
      median(halves.map(({ msPerRequest }) => msPerRequest)).toFixed(3),
      median(halves.map(({ p50Ms }) => p50Ms)).toFixed(2),
      median(halves.map((half) => half.residentMb)).toFixed(0),
    )
  }
  const ratio = median(counted.map(({ few, all }) => all.msPerRequest / few.msPerRequest))
  const isMet = ratio <= RATIO_MAX
  console.log(`\nRSS at the start: ${startMb.toFixed(0)} MB`)
  console.log(
    `CPU of a request, all ÷ ${FEW}: ${ratio.toFixed(2)}, goal at most ${RATIO_MAX} ${isMet ? '✓' : '✗ missed'}`,
  )
  return isMet
}

function printLine(...cells: readonly string[]): void {
  console.log(cells.map((cell) => cell.padStart(12)).join(''))
}
