/**
 * Kills writers and PostgreSQL during exports, and checks that nothing is lost or repeated.
 * Writers, which are killed and paused, publish into a PostgreSQL that crashes, while clients page
 * through the real service. At the end, the acknowledged rows must equal those that the clients
 * got. It can also run with planted bugs, to show that it would find them.
 *
 *   npm run lab soak/no-loss -- [--rows 200000] [--windows 2000] [--seconds 3600]
 *   npm run lab soak/no-loss -- --variant app-ulid     one planted bug, up to 60 seconds
 *   npm run lab soak/no-loss -- --all-variants         all of them, then the product, alone and with a replica
 *
 * Exits with 1 if the product loses, repeats or cuts anything, or a planted bug is not found.
 */
import { parseArgs } from 'node:util'
import { printSharedWork } from './no-loss/export-work.ts'
import { type RunResult, runChecker } from './no-loss/run-checker.ts'
import { PLANTED, PRODUCTS, type Variant } from './no-loss/variants.ts'
import { isClean } from './no-loss/verdict.ts'

const VARIANT_SECONDS = 60
const PRODUCT_SECONDS = 3_600
const VARIANTS = [...PLANTED, ...PRODUCTS]
const NAMES = VARIANTS.map(({ name }) => name).join(', ')
const HELP = `Does the export lose nothing while writers and the database are killed?

Usage: npm run lab soak/no-loss -- [options]

  --rows <n>        end after so many acknowledged turns (200000)
  --windows <n>     and so many windows (2000)
  --seconds <n>     end after so many seconds (${PRODUCT_SECONDS}; a planted bug ${VARIANT_SECONDS})
  --variant <name>  run one variant (product)
  --all-variants    run all of them, ${VARIANT_SECONDS} seconds each
  --help            show this text

Variants: ${NAMES}`

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    windows: { type: 'string', default: '2000' },
    seconds: { type: 'string' },
    variant: { type: 'string' },
    'all-variants': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort())

process.exitCode = (await main()) ? 0 : 1

async function main(): Promise<boolean> {
  if (values.help) {
    console.log(HELP)
    return true
  }
  if (values['all-variants']) return runAll()
  const name = values.variant ?? 'product'
  const variant = VARIANTS.find((known) => known.name === name)
  if (variant === undefined) {
    console.log(`There is no variant "${name}". Variants: ${NAMES}.`)
    return false
  }
  const result = await run(variant, variant.isPlanted ? VARIANT_SECONDS : PRODUCT_SECONDS)
  printResult(result)
  return isAsExpected(variant, result)
}

/**
 * Runs each variant for a minute. Planted bugs must be found, and the product must have no
 * findings.
 */
async function runAll(): Promise<boolean> {
  const rows: { variant: Variant; result: RunResult }[] = []
  for (const variant of VARIANTS) {
    if (interrupted.signal.aborted) break
    rows.push({ variant, result: await run(variant, VARIANT_SECONDS) })
  }
  const columns = ['variant', 'rows', 'lost', 'vanished', 'duplicates', 'short windows', 'seconds']
  console.log(`\n| ${columns.join(' | ')} | |\n|${'---|'.repeat(columns.length + 1)}`)
  for (const { variant, result } of rows) {
    const { committed, lost, vanished, duplicates, windows, shortWindows } = result.verdict
    const ofWindows = windows === 0 ? '–' : `${shortWindows} of ${windows}`
    const cells = [committed, lost, vanished, duplicates, ofWindows, result.seconds.toFixed(1)]
    const word = isClean(result.verdict) ? 'nothing found' : 'found'
    const mark = isAsExpected(variant, result) ? '' : ' — WRONG'
    console.log(`| ${[variant.name, ...cells].join(' | ')} | ${word}${mark} |`)
  }
  for (const { variant, result } of rows) {
    if (variant.isPlanted || result.sharedWork === undefined) continue
    console.log(`\n${variant.name}\n${printSharedWork(result.sharedWork).join('\n')}`)
  }
  const isComplete = rows.length === VARIANTS.length
  return isComplete && rows.every(({ variant, result }) => isAsExpected(variant, result))
}

function run(variant: Variant, secondsDefault: number): Promise<RunResult> {
  const secondsMax = Math.min(
    values.seconds === undefined ? secondsDefault : positive(values.seconds, '--seconds'),
    variant.workload.secondsMax ?? Number.POSITIVE_INFINITY,
  )
  console.log(`${variant.name}: up to ${secondsMax} s`)
  return runChecker({
    variant,
    rows: positive(values.rows, '--rows'),
    windows: positive(values.windows, '--windows'),
    secondsMax,
    report: (line) => console.log(`  ${line}`),
    signal: interrupted.signal,
  })
}

function isAsExpected(variant: Variant, { verdict, acked }: RunResult): boolean {
  return variant.isPlanted ? !isClean(verdict) : isClean(verdict) && acked > 0
}

function printResult(result: RunResult): void {
  const { verdict, acked, seconds, counts } = result
  const facts = {
    acknowledged: acked,
    committed: verdict.committed,
    seconds: Number(seconds.toFixed(1)),
    'acknowledged a second': Math.round(acked / seconds),
    'writers killed': counts.kills,
    'writers stopped': counts.stops,
    'server processes stopped': counts.backendStops,
    'database crashes': counts.crashes,
    'rounds of work on partitions': counts.partitionRounds,
    'outcomes unknown to a writer': counts.unknown,
    'of these already in the table': verdict.resolvedByRetry,
    'pages exported': result.pages,
    windows: verdict.windows,
    'short windows': verdict.shortWindows,
    lost: verdict.lost,
    vanished: verdict.vanished,
    duplicates: verdict.duplicates,
    'out of order': verdict.disorder,
    'not as in the table': verdict.strangers,
  }
  for (const [name, value] of Object.entries(facts)) {
    console.log(`${name.padEnd(32)} ${value}`)
  }
  console.log(`replies: ${printCounts(result.statuses)}`)
  console.log(`errors of writers: ${printCounts(result.writerErrors)}`)
  if (result.sharedWork !== undefined) console.log(printSharedWork(result.sharedWork).join('\n'))
  for (const line of result.serviceErrors) console.log(`logged by the service: ${line}`)
  for (const line of verdict.examples) console.log(line)
  if (!result.isComplete) console.log('ended before all rows and windows were reached')
  console.log(isClean(verdict) ? 'nothing lost, nothing twice, no short window' : 'FOUND')
}

function printCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} × ${count}`).join(', ') || 'none'
}

function positive(text: string, option: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`${option} must be a whole number above 0.`)
}
