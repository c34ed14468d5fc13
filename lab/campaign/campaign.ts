/**
 * Runs the campaign of load, faults, fuzzing and attacks, which takes too long for every commit.
 * Each entry is a separate process with a time limit. Results are stored in
 * lab/results/campaign.json, and the tables of lab/results/campaign.md are written from them.
 *
 *   npm run lab campaign                          every entry that is not omitted
 *   npm run lab campaign -- --only wire no-loss   these entries
 *   npm run lab campaign -- --section 4.7         the entries of one section
 *   npm run lab campaign -- --list                all entries with their latest results
 *   npm run lab campaign -- --write               only writes the table
 *
 * `--verbose` prints an entry's output even if it passed.
 *
 * Exits with 1 if an entry failed or took too long.
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type CampaignEntry, ENTRIES } from './table/entries.ts'
import { type CampaignResult, type CampaignResults, writeTable } from './table/print-table.ts'
import { readVolume } from './table/read-volume.ts'

const root = join(import.meta.dirname, '../..')
const RESULTS = join(import.meta.dirname, '../results/campaign.json')
const PAGE = join(import.meta.dirname, '../results/campaign.md')
const OUTPUT_LENGTH_MAX = 200_000
const TAIL_LINES = 30
const KILL_MS = 5_000

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    section: { type: 'string' },
    list: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const names = [...(values.only ?? []), ...positionals]
const unknown = names.filter((name) => !ENTRIES.some((entry) => entry.name === name))
if (unknown.length > 0) {
  console.log(`Unknown entries: ${unknown.join(', ')}. See npm run lab campaign -- --list.`)
  process.exit(1)
}

const results: CampaignResults = JSON.parse(readFileSync(RESULTS, 'utf8'))
if (values.list) list()
else if (!values.write) await runAll()
writeFileSync(PAGE, writeTable(readFileSync(PAGE, 'utf8'), ENTRIES, results))

function list(): void {
  for (const { section, name, shows, omitted } of ENTRIES) {
    const { result = 'not run' } = results[name] ?? {}
    console.log(`${section}  ${name.padEnd(22)} ${omitted === undefined ? result : 'omitted'}`)
    console.log(`     ${shows}${omitted === undefined ? '' : `\n     Omitted: ${omitted}`}`)
  }
}

async function runAll(): Promise<void> {
  const wanted = ENTRIES.filter(
    (entry) =>
      entry.omitted === undefined &&
      (names.length === 0 || names.includes(entry.name)) &&
      (values.section === undefined || entry.section === values.section),
  )
  let failures = 0
  for (const entry of wanted) {
    console.log(`\n── ${entry.section} ${entry.name}: ${entry.command.join(' ')} ──`)
    const { result, output } = await runEntry(entry)
    results[entry.name] = result
    writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
    if (result.result !== 'passed') failures += 1
    if (result.result !== 'passed' || values.verbose) {
      console.log(output.split('\n').slice(-TAIL_LINES).join('\n'))
    }
    console.log(`${result.result}, ${result.volume}, ${result.seconds} s`)
  }
  console.log(`\n${wanted.length} entries, ${failures} not passed`)
  process.exitCode = failures === 0 ? 0 : 1
}

async function runEntry(
  entry: CampaignEntry,
): Promise<{ readonly result: CampaignResult; readonly output: string }> {
  const [program = '', ...args] = entry.command
  const started = performance.now()
  let output = ''
  let isLate = false
  // The entry gets its own process group, so that its children end with it.
  const child = spawn(program, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      output = (output + piece.toString()).slice(-OUTPUT_LENGTH_MAX)
    })
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // The process has already ended.
    }
  }
  const timer = setTimeout(() => {
    isLate = true
    signal('SIGTERM')
    setTimeout(() => signal('SIGKILL'), KILL_MS).unref()
  }, entry.secondsMax * 1_000)
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += String(error)
      resolve(null)
    })
    child.once('close', resolve)
  })
  clearTimeout(timer)
  const result: CampaignResult = {
    result: isLate ? 'timed out' : code === 0 ? 'passed' : 'failed',
    volume: readVolume(output, entry.volume),
    seconds: Math.round((performance.now() - started) / 1_000),
    date: new Date().toISOString().slice(0, 10),
  }
  return { result, output }
}
