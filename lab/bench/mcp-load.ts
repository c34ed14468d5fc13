/**
 * Measures how much agents at a fixed request rate slow down readers of the same process.
 * Requests of both protocol versions arrive at a fixed rate (500 per second), half of them searches
 * of our own documentation; meanwhile a reader of another site requests pages. Phases with and
 * without load alternate.
 *
 *   npm run lab bench/mcp-load -- [--per-second 500] [--seconds 10] [--rounds 3]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildSite, openBuiltFiles } from '../../packages/builder/src/index.ts'
import { parseManifestRoot, parseManifestRun } from '../../packages/model/src/index.ts'
import { GARDEN } from '../../packages/service/testing/assistant-site.ts'
import { builtSite } from '../../packages/service/testing/built-site.ts'
import { startHosting } from '../../packages/service/testing/start-hosting.ts'
import { clientOf, type TestSite } from '../../packages/service/testing/test-deployment.ts'
import { startPageReader } from '../parts/assistant/page-reader.ts'
import { median, type Percentiles, percentiles, round } from '../parts/assistant/percentiles.ts'
import { cpuMs } from '../parts/export/cpu-time.ts'
import type { CallOrder, CallReport } from './mcp/call-many.ts'

const { values } = parseArgs({
  options: {
    'per-second': { type: 'string', default: '500' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
  },
})
const PER_SECOND = Number(values['per-second'])
const SECONDS = Number(values.seconds)
const WARM_SECONDS = 3
const ALONE_MS = 5_000

const caller = fork(new URL('./mcp/call-many.ts', import.meta.url), {
  execArgv: ['--no-warnings'],
})
await once(caller, 'message')
const hosting = await startHosting({ environment: { OCTAVO_TRUSTED_PROXIES: '127.0.0.1' } })
try {
  await measure()
} finally {
  await hosting.stop()
  caller.disconnect()
}

async function measure(): Promise<void> {
  const service = await hosting.start('all')
  const docs = await newSite('docs', await builtDocs())
  const quiet = await newSite('quiet', await builtSite(GARDEN))
  const reader = startPageReader({ port: service.port, host: quiet })
  const order = (seconds: number): CallOrder => ({
    port: service.port,
    host: docs,
    perSecond: PER_SECOND,
    seconds,
  })
  await reader.during(() => send(order(WARM_SECONDS)))
  const ratios: number[] = []
  for (let number = 0; number < Number(values.rounds); number += 1) {
    const alone = await reader.during(() => sleep(ALONE_MS))
    const before = cpuMs(service.pid())
    const load = await reader.during(() => send(order(SECONDS)))
    const cpu = (cpuMs(service.pid()) - before) / (SECONDS * 1_000)
    ratios.push(load.pages.p95 / alone.pages.p95)
    print(load.result, { cpu, alone: alone.pages, beside: load.pages })
  }
  console.log(`pages p95, with calls / without: ${round(median(ratios))} (median of rounds)`)
  reader.end()
}

type Round = { readonly cpu: number; readonly alone: Percentiles; readonly beside: Percentiles }

function print({ statuses, times, seconds }: CallReport, { cpu, alone, beside }: Round): void {
  const all = Object.values(times).flat()
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  console.log(
    `\n${round(all.length / seconds)} calls/s held (${PER_SECOND} sent): ${counts.join(', ')}`,
  )
  console.log(`process: ${round(cpu)} cores`)
  printTimes('all calls', percentiles(all))
  for (const [name, own] of Object.entries(times)) printTimes(name, percentiles(own))
  printTimes('pages alone', alone)
  printTimes('pages meanwhile', beside)
}

function printTimes(name: string, { p50, p95, p99 }: Percentiles): void {
  console.log(`  ${name.padEnd(13)} p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`)
}

async function newSite(slug: string, site: TestSite): Promise<string> {
  const project = hosting.createProject(slug)
  const client = clientOf(hosting.url, { publicId: project.projectId, token: project.adminKey })
  const { status } = await client.deploy(site)
  if (status !== 200) throw new Error(`The deployment of ${slug} failed: ${status}`)
  return project.host
}

async function send(what: CallOrder): Promise<CallReport> {
  caller.send(what)
  const [report] = (await once(caller, 'message')) as [CallReport]
  return report
}

async function builtDocs(): Promise<TestSite> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-mcp-'))
  try {
    const output = join(folder, 'out')
    await buildSite({
      folder: join(import.meta.dirname, '../../docs'),
      output,
      cacheFolder: join(folder, 'cache'),
      version: 'bench',
      isTrusted: true,
    })
    const built = openBuiltFiles(output)
    const parsed = parseManifestRoot(built.root)
    if (parsed.kind === 'malformed') throw new Error(parsed.reason)
    const digests = parsed.root.runs.flatMap(({ sha256 }, index) => {
      const run = parseManifestRun(built.read(sha256).toString(), parsed.root, index)
      if (run.kind === 'malformed') throw new Error(run.reason)
      return [sha256, ...run.entries.map((entry) => entry.sha256)]
    })
    return {
      root: built.root,
      blobs: new Map(digests.map((sha256) => [sha256, Buffer.from(built.read(sha256))])),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
