/**
 * Measures the cost of the small setup while idle and with a few readers, in about 15 minutes.
 * The setup is PostgreSQL and `octavo-service --role all` with one deployed site.
 *
 *   npm run lab bench/idle -- [--seconds 120] [--windows 3] [--settle 30] [--rate 50]
 *
 * CPU is the user and system time of all processes, including ended ones, as a share of one core.
 * The result is the median of the windows, because the hourly and daily jobs of a new service run
 * in the first minute. Memory is PSS: pages shared by several processes count once in total. RSS
 * counts PostgreSQL's shared memory again for each connection and is printed as the upper bound.
 * Linux only.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startHosting } from '../../packages/service/testing/start-hosting.ts'
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { median } from '../parts/export/print-table.ts'
import { type ProcessUse, readProcessUse } from '../parts/process-use.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    windows: { type: 'string', default: '3' },
    settle: { type: 'string', default: '30' },
    rate: { type: 'string', default: '50' },
  },
})
const SECONDS = Number(values.seconds)
const WINDOWS = Number(values.windows)
const SETTLE_MS = Number(values.settle) * 1_000
const RATE = Number(values.rate)
const IDLE_MB_MAX = 512
const IDLE_CPU_MAX = 1
/** The PostgreSQL settings of deploy/compose.yaml. */
const POSTGRES = { shared_buffers: '128MB', max_connections: '50' }
const SITE = {
  'docs.json': JSON.stringify({ name: 'Idle', navigation: { pages: ['index', 'second'] } }),
  'index.mdx': '---\ntitle: Start\n---\n\nHello.\n',
  'second.mdx': `---\ntitle: Second\n---\n\n${'A paragraph of text about the matter. '.repeat(300)}\n`,
}

type Window = Readonly<Record<'service' | 'postgres', ProcessUse>>

const postgres = await startPostgres({ settings: POSTGRES })
const hosting = await startHosting({
  database: postgres,
  environment: { OCTAVO_HOST_CACHE_MB: '64' },
})
try {
  await run()
} finally {
  await hosting.stop()
  await postgres.stop()
}

async function run(): Promise<void> {
  const folder = join(hosting.folder, 'docs')
  mkdirSync(folder)
  for (const [path, text] of Object.entries(SITE)) writeFileSync(join(folder, path), text)
  const service = await hosting.start('all')
  const project = hosting.createProject('idle')
  const { code, err } = await hosting.octavo(project, 'deploy', folder)
  if (code !== 0) throw new Error(err)
  const page = { port: service.port, host: project.host }
  if ((await readPage(page)) !== 200) throw new Error('the page is not served')
  await sleep(SETTLE_MS)

  const idle = await measure('idle', service.pid())
  const load = startLoad(page)
  const loaded = await measure(`${RATE} pages per second`, service.pid())
  const { failed, ms } = load.stop()
  console.log(
    `${ms.length} pages, ${failed} failed, p50 ${percentile(ms, 0.5)} ms, p99 ${percentile(ms, 0.99)} ms`,
  )
  const isLight = idle.cpu <= IDLE_CPU_MAX && idle.megabytes <= IDLE_MB_MAX
  console.log(
    `idle: ${idle.megabytes} MB of ${IDLE_MB_MAX}, ${idle.cpu.toFixed(2)} % CPU of ${IDLE_CPU_MAX}; loaded: ${loaded.megabytes} MB, ${loaded.cpu.toFixed(1)} % CPU: ${isLight ? 'PASS' : 'FAIL'}`,
  )
  if (!isLight || failed > 0) process.exitCode = 1
}

async function measure(name: string, servicePid: number) {
  const totals: { readonly cpu: number; readonly megabytes: number }[] = []
  for (let window = 1; window <= WINDOWS; window += 1) {
    const before = readUses(servicePid)
    const begun = performance.now()
    await sleep(SECONDS * 1_000)
    const after = readUses(servicePid)
    const ms = performance.now() - begun
    const percentOf = (part: keyof Window) => ((after[part].cpuMs - before[part].cpuMs) / ms) * 100
    const parts = (['service', 'postgres'] as const).map((part) => {
      const { pssBytes, rssBytes, processes } = after[part]
      return `${part} ${percentOf(part).toFixed(2)} % CPU, ${megabytes(pssBytes)} MB (RSS ${megabytes(rssBytes)} MB in ${processes} processes)`
    })
    console.log(`${name}, window ${window}: ${parts.join(' · ')}`)
    totals.push({
      cpu: percentOf('service') + percentOf('postgres'),
      megabytes: megabytes(after.service.pssBytes + after.postgres.pssBytes),
    })
  }
  return {
    cpu: median(totals.map(({ cpu }) => cpu)),
    megabytes: median(totals.map((total) => total.megabytes)),
  }
}

function readUses(servicePid: number): Window {
  return {
    service: readProcessUse(servicePid),
    postgres: readProcessUse(postgres.pid()),
  }
}

type Page = { readonly port: number; readonly host: string }

/** Requests a page at a steady rate, even if earlier requests are still pending. */
function startLoad(page: Page) {
  const ms: number[] = []
  let failed = 0
  const timer = setInterval(() => {
    const begun = performance.now()
    readPage(page, '/second').then(
      (status) => {
        if (status === 200) ms.push(performance.now() - begun)
        else failed += 1
      },
      () => {
        failed += 1
      },
    )
  }, 1_000 / RATE)
  return {
    stop() {
      clearInterval(timer)
      return { failed, ms }
    },
  }
}

function readPage({ port, host }: Page, path = '/'): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ port, path, host: '127.0.0.1', headers: { host } }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
      .once('error', reject)
      .end()
  })
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20)
}

function percentile(numbers: readonly number[], share: number): string {
  return (numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0).toFixed(1)
}
