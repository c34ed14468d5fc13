/**
 * Measures what a build costs, compared with Hugo: CPU and memory, cold and after one edit.
 * Both have the same pages and a comparable theme. CPU seconds are the sum of all processes. The
 * tools take turns, and the result is the median of each.
 *
 *   npm run lab bench/build -- [--pages 1000,5000] [--rounds 3] [--memory 1000,20000] [--work folder]
 *                          [--starlight folder]
 *
 * `--starlight` names a package in which Astro and Starlight are installed (`npm install astro
 * @astrojs/starlight sharp`); it is built once for each number of pages, for scale.
 */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Cost, measureCommand } from '../parts/measure-command.ts'

const GOALS = { cold: 1, editShare: 0.05, editMs: 300, memory: 1.5 } as const
const root = join(import.meta.dirname, '../..')
// Measures the built package, which users install, not the source.
execFileSync(process.execPath, [join(root, 'scripts/build.ts')])
const OCTAVO = [process.execPath, join(root, 'dist/octavo/lib/main.js')]

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000,5000' },
    rounds: { type: 'string', default: '3' },
    memory: { type: 'string', default: '1000,20000' },
    work: { type: 'string' },
    starlight: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const work = values.work ?? mkdtempSync(join(tmpdir(), 'octavo-bench-'))
mkdirSync(work, { recursive: true })

let missed = 0
let folders = 0
try {
  for (const pages of numbers(values.pages)) await measureSize(pages)
  await measureMemory(numbers(values.memory))
} finally {
  if (values.work === undefined) rmSync(work, { recursive: true, force: true })
}
process.exitCode = missed > 0 ? 1 : 0

async function measureSize(pages: number): Promise<void> {
  const source = makeSite('octavo', pages)
  const hugoSource = makeSite('hugo', pages)
  const costs = { octavo: [] as Cost[], hugo: [] as Cost[], edit: [] as Cost[], same: [] as Cost[] }
  const starts: Cost[] = []
  // The very first run fills Node's compile cache and is not counted.
  const small = makeSite('octavo', 10)
  await buildOctavo(small, freshFolder())
  for (let round = 0; round < rounds; round += 1) {
    const output = freshFolder()
    costs.octavo.push(await buildCold(source, output))
    costs.hugo.push(await buildHugo(hugoSource, freshFolder()))
    starts.push(await measureCommand({ command: [...OCTAVO, '--version'] }))
    costs.same.push(await buildOctavo(source, output))
    editPage(source, round)
    costs.edit.push(await buildOctavo(source, output))
  }
  const starlight = values.starlight && (await buildStarlight(values.starlight, pages))
  console.log(`\n${pages} pages, median of ${rounds}`)
  printCells('', ['CPU s', 'wall s', 'MB', 'MB all'])
  for (const [name, list] of Object.entries({ ...costs, start: starts })) printCosts(name, list)
  if (starlight) printCosts('starlight, once', [starlight])
  const octavo = median(costs.octavo, 'cpuSeconds')
  const start = { cpu: median(starts, 'cpuSeconds'), wall: median(starts, 'seconds') }
  const editCpu = median(costs.edit, 'cpuSeconds') - start.cpu
  const editMs = (median(costs.edit, 'seconds') - start.wall) * 1_000
  printGoal('CPU to Hugo', octavo / median(costs.hugo, 'cpuSeconds'), GOALS.cold)
  printGoal('CPU of an edit to cold', editCpu / octavo, GOALS.editShare)
  printGoal('ms of an edit beyond start', editMs, GOALS.editMs)
}

async function measureMemory(sizes: readonly number[]): Promise<void> {
  const peaks: Cost[] = []
  console.log('\nMemory of a cold build')
  printCells('', ['CPU s', 'wall s', 'MB', 'MB all'])
  for (const pages of sizes) {
    const cost = await buildCold(makeSite('octavo', pages), freshFolder())
    printCosts(`${pages} pages`, [cost])
    peaks.push(cost)
  }
  const [small, large] = [peaks[0], peaks.at(-1)]
  if (small === undefined || large === undefined || small === large) return
  printGoal('largest process', large.peakMb / small.peakMb, GOALS.memory)
  printGoal('all processes', large.sumMb / small.sumMb, GOALS.memory)
}

function makeSite(tool: string, pages: number): string {
  const out = join(work, `${tool}-${pages}`)
  const script = join(import.meta.dirname, 'site/make-site.mjs')
  execFileSync(process.execPath, [script, '--tool', tool, '--pages', String(pages), '--out', out])
  return out
}

/**
 * Returns a new output folder for each build: after many files were removed, a file system takes
 * longer to allocate space.
 */
function freshFolder(): string {
  folders += 1
  return join(work, `out-${folders}`)
}

function buildCold(source: string, output: string): Promise<Cost> {
  rmSync(join(source, '.octavo'), { recursive: true, force: true })
  return buildOctavo(source, output)
}

async function buildOctavo(source: string, output: string): Promise<Cost> {
  const cost = await measureCommand({ command: [...OCTAVO, 'build', source, '-o', output] })
  if (cost.exitCode !== 0) throw new Error(cost.output)
  return cost
}

async function buildHugo(source: string, output: string): Promise<Cost> {
  rmSync(join(source, 'resources'), { recursive: true, force: true })
  const cost = await measureCommand({ command: ['hugo', '--quiet', '-d', output], cwd: source })
  if (cost.exitCode !== 0 || !existsSync(join(output, 'index.html'))) throw new Error(cost.output)
  return cost
}

async function buildStarlight(folder: string, pages: number): Promise<Cost> {
  const source = makeSite('starlight', pages)
  for (const name of ['src', 'astro.config.mjs', 'dist', '.astro', 'node_modules/.astro']) {
    rmSync(join(folder, name), { recursive: true, force: true })
    if (existsSync(join(source, name)))
      cpSync(join(source, name), join(folder, name), { recursive: true })
  }
  const command = [join(folder, 'node_modules/.bin/astro'), 'build']
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' }
  const cost = await measureCommand({ command, cwd: folder, env })
  if (cost.exitCode !== 0) throw new Error(cost.output)
  return cost
}

/** Adds a sentence to a different page each time. */
function editPage(source: string, round: number): void {
  const pages = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mdx'))
    .toSorted()
  const file = pages[Math.floor((pages.length * (round + 1)) / (rounds + 2))] ?? ''
  appendFileSync(join(source, file), `\nOne more sentence, the ${round + 1}th.\n`)
}

function printCosts(name: string, costs: readonly Cost[]): void {
  printCells(name, [
    median(costs, 'cpuSeconds').toFixed(2),
    median(costs, 'seconds').toFixed(2),
    median(costs, 'peakMb').toFixed(0),
    median(costs, 'sumMb').toFixed(0),
  ])
}

function printCells(name: string, cells: readonly string[]): void {
  console.log(`  ${name.padEnd(16)}`, ...cells.map((cell) => cell.padStart(9)))
}

function printGoal(name: string, value: number, goal: number): void {
  const isMet = value <= goal
  if (!isMet) missed += 1
  const digits = goal > 10 ? 0 : 3
  console.log(`  ${isMet ? '✓' : '✗'} ${name}: ${value.toFixed(digits)} (goal ≤ ${goal})`)
}

function median(costs: readonly Cost[], figure: 'cpuSeconds' | 'seconds' | 'peakMb' | 'sumMb') {
  const sorted = costs.map((cost) => cost[figure]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

function numbers(written: string): readonly number[] {
  return written.split(',').filter(Boolean).map(Number)
}
