/**
 * Measures what a reader downloads for a page and when it is visible, compared with Starlight.
 * Both show the same text. Their files are served from this machine, compressed with Brotli
 * (quality 5) and with the headers of `_headers`. Chromium loads them in turns, with a CPU that is
 * 4 times slower than this machine.
 *
 *   npm run lab bench/page-weight -- [--pages 100] [--rounds 7] [--starlight folder] [--chromium path]
 *
 * The Starlight folder is one in which `npm install astro @astrojs/starlight` was run; without it
 * only Octavo is measured.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { serveFolder } from '../../packages/builder/testing/serve-folder.ts'
import { loadPage, type PageLoad } from './pages/load-page.ts'

const GOALS = {
  bytes: 30_000,
  fontBytes: 50_000,
  scriptBytes: 4_000,
  requests: 7,
  origins: 1,
} as const
const PAGE = '/t01/g05/page-00042'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '7' },
    starlight: { type: 'string' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
})
const rounds = Number(values.rounds)
const work = mkdtempSync(join(tmpdir(), 'octavo-pages-'))
let missed = 0
try {
  await measure()
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exitCode = missed > 0 ? 1 : 0

async function measure(): Promise<void> {
  const octavo = await serveFolder(buildOctavo(), { compresses: true })
  const { starlight: folder } = values
  const starlight =
    folder === undefined
      ? undefined
      : await serveFolder(buildStarlight(folder), { readsHeaders: false, compresses: true })
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath: values.chromium, args })
  const loads = { octavo: [] as PageLoad[], starlight: [] as PageLoad[] }
  try {
    // The first page includes the browser's startup and is not counted.
    await loadPage(browser, `${octavo.origin}${PAGE}`)
    for (let round = 0; round < rounds; round += 1) {
      loads.octavo.push(await loadPage(browser, `${octavo.origin}${PAGE}`))
      if (starlight !== undefined)
        loads.starlight.push(await loadPage(browser, `${starlight.origin}${PAGE}/`))
    }
  } finally {
    await browser.close()
    await octavo.close()
    await starlight?.close()
  }
  printLoads(loads)
  judge(loads.octavo, loads.starlight)
}

function buildOctavo(): string {
  const source = makeSite('octavo')
  const main = join(import.meta.dirname, '../../packages/cli/src/main.ts')
  const url = 'https://docs.example.com'
  execFileSync(process.execPath, [main, 'build', source, '-o', `${source}-out`, '--url', url])
  return `${source}-out`
}

/** Writes the pages into Astro's folder, because Astro resolves its packages only from there. */
function buildStarlight(folder: string): string {
  for (const old of ['src', 'dist', '.astro'])
    rmSync(join(folder, old), { recursive: true, force: true })
  const source = makeSite('starlight')
  for (const part of ['src', 'astro.config.mjs'])
    cpSync(join(source, part), join(folder, part), { recursive: true })
  const astro = 'node_modules/astro/bin/astro.mjs'
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' }
  execFileSync(process.execPath, [astro, 'build'], { cwd: folder, env, stdio: 'ignore' })
  return join(folder, 'dist')
}

function makeSite(tool: string): string {
  const out = join(work, tool)
  const script = join(import.meta.dirname, 'site/make-site.mjs')
  execFileSync(process.execPath, [script, '--tool', tool, '--pages', values.pages, '--out', out])
  return out
}

function printLoads(loads: Readonly<Record<string, readonly PageLoad[]>>): void {
  console.log(`${PAGE} of ${values.pages} pages, Brotli, 4× slower CPU, median of ${rounds}`)
  printCells('', [
    'requests',
    'origins',
    'KB',
    'font KB',
    'script KB',
    'paint ms',
    'block ms',
    'shift',
  ])
  for (const [tool, list] of Object.entries(loads)) {
    if (list.length === 0) continue
    printCells(tool, [
      median(list, 'requests').toFixed(0),
      median(list, 'origins').toFixed(0),
      kilobytes(median(list, 'bytes')),
      kilobytes(median(list, 'fontBytes')),
      kilobytes(median(list, 'scriptBytes')),
      median(list, 'firstPaintMs').toFixed(0),
      median(list, 'blockingMs').toFixed(0),
      String(Math.max(...list.map((one) => one.shift))),
    ])
  }
}

function judge(ours: readonly PageLoad[], peers: readonly PageLoad[]): void {
  for (const figure of Object.keys(GOALS) as (keyof typeof GOALS)[])
    printGoal(figure, median(ours, figure), GOALS[figure])
  printGoal('blocking ms', median(ours, 'blockingMs'), 0)
  printGoal('layout shift, worst', Math.max(...ours.map((one) => one.shift)), 0)
  const complaints = ours.flatMap((one) => one.complaints)
  printGoal('complaints of the console', complaints.length, 0)
  for (const complaint of new Set(complaints)) console.log(`    ${complaint}`)
  if (peers.length === 0) return
  for (const figure of ['bytes', 'scriptBytes', 'requests', 'firstPaintMs'] as const)
    printGoal(`${figure} to Starlight's`, median(ours, figure) / median(peers, figure), 1)
}

function printCells(name: string, cells: readonly string[]): void {
  console.log(`  ${name.padEnd(12)}`, ...cells.map((cell) => cell.padStart(9)))
}

function printGoal(name: string, value: number, goal: number): void {
  const isMet = value <= goal
  if (!isMet) missed += 1
  const digits = Number.isInteger(value) ? 0 : 4
  console.log(`  ${isMet ? '✓' : '✗'} ${name}: ${value.toFixed(digits)} (goal ≤ ${goal})`)
}

function kilobytes(bytes: number): string {
  return (bytes / 1_000).toFixed(1)
}

function median(loads: readonly PageLoad[], figure: Exclude<keyof PageLoad, 'complaints'>): number {
  const sorted = loads.map((one) => one[figure]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
