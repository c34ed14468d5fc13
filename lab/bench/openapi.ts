/**
 * Measures the cost of a specification and its pages, compared with Scalar and Redocly.
 * The others do less: Scalar's parser validates, upgrades and dereferences, and Redocly's core
 * bundles. Each measurement has its own process. The tools take turns, and the result is the
 * median.
 *
 *   npm run lab bench/openapi -- [folder of the corpus] [--rounds 3]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadAll } from 'js-yaml'
import { withCorpus } from '../parts/corpus-folder.ts'
import { type Measured, median, runMeasurement } from './openapi/run-measurement.ts'

const DATA_MAX = 3
const MEMORY_MAX = 8
const FILES = [
  'github-rest-3.0.json',
  'openai-3.1.yaml',
  'stripe-2022-11-15-3.0.yaml',
  'adyen-checkout-v71-3.1.json',
]
/**
 * A variant with a smaller young generation: by default, V8 keeps up to three times 16 MB of
 * garbage before it collects it.
 */
const SMALL = 'ours, 2 MB of young space'
const JOBS = ['ours', SMALL, 'scalar', 'scalar, parsed before', 'redocly bundle']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
})
const rounds = Number(values.rounds)

process.exitCode = withCorpus(
  positionals[0],
  (folder) => FILES.map((file) => measure(join(folder, 'openapi', file), file)).includes(false),
  ['openapi'],
)
  ? 1
  : 0

/** Measures one specification and prints the figures. Returns true if all goals are met. */
function measure(path: string, name: string): boolean {
  const jsonBytes = minifiedBytes(path)
  const results = new Map(JOBS.map((job) => [job, [] as Measured[]]))
  for (let round = 0; round < rounds; round += 1) {
    for (const job of JOBS) results.get(job)?.push(runJob(job, path))
  }
  const own = results.get('ours') ?? []
  const cpu = median(own, 'cpuMs')
  console.log(
    `\n${name}: ${megabytes(jsonBytes)} MB of JSON, ${median(own, 'operations')} operations, median of ${rounds}`,
  )
  console.log(
    ''.padEnd(26),
    ...['CPU s', '× ours', 'peak MB', '× JSON', 'heap MB', 'held MB'].map((it) => it.padStart(8)),
  )
  for (const [job, measured] of results) {
    const peak = median(measured, 'peakBytes')
    const cells = [
      (median(measured, 'cpuMs') / 1_000).toFixed(2),
      (median(measured, 'cpuMs') / cpu).toFixed(1),
      megabytes(peak),
      (peak / jsonBytes).toFixed(1),
      megabytes(median(measured, 'heapPeak')),
      megabytes(median(measured, 'heldBytes')),
    ]
    console.log(job.padEnd(26), ...cells.map((cell) => cell.padStart(8)))
  }
  const data = median(own, 'dataBytes') / jsonBytes
  const memory = median(results.get(SMALL) ?? [], 'peakBytes') / jsonBytes
  const scalar = median(results.get('scalar') ?? [], 'cpuMs')
  console.log(
    `page data ${data.toFixed(2)} × (goal ≤ ${DATA_MAX}), largest page ${(median(own, 'largestPage') / 1_000).toFixed(0)} KB; ` +
      `memory with 2 MB of young space ${memory.toFixed(1)} × (goal ≤ ${MEMORY_MAX}); CPU ${(cpu / scalar).toFixed(2)} × Scalar's (goal ≤ 1)`,
  )
  return data <= DATA_MAX && memory <= MEMORY_MAX && cpu <= scalar
}

function runJob(job: string, path: string): Measured {
  return job === SMALL
    ? runMeasurement('ours', path, ['--max-semi-space-size=2'])
    : runMeasurement(job, path)
}

function minifiedBytes(path: string): number {
  const text = readFileSync(path, 'utf8')
  const value = path.endsWith('.json') ? JSON.parse(text) : loadAll(text)[0]
  return Buffer.byteLength(JSON.stringify(value))
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
