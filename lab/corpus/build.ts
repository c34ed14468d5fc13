/**
 * Builds every real site, and reports pages, findings, cost and words that got lost.
 * Prints, per site, the source and output pages, the findings, the cost, and the pages that show
 * fewer words than were written.
 *
 *   npm run lab corpus/build -- [folder of the corpus] [--only name] [--trap] [--lost] [--save file]
 *
 * `--trap` fails if an author's code runs during the build, with `testing/trap-author-code.ts` of
 * the builder. The corpus is not part of this repository: a folder with `unpack.sh` or with
 * `sites/<name>/`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'
import { measureCommand } from '../parts/measure-command.ts'
import type { BuiltSite } from './build/build-one.ts'

const SITE_TIME_MS_MAX = 20 * 60 * 1_000
const SAMPLES_MAX = 60

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    trap: { type: 'boolean', default: false },
    lost: { type: 'boolean', default: false },
    save: { type: 'string' },
  },
})

type Row = BuiltSite & {
  readonly site: string
  readonly cpuSeconds: number
  readonly peakMb: number
  readonly sumMb: number
  readonly trapped: readonly string[]
}

process.exitCode = await withCorpus(positionals[0], (folder) => buildSites(join(folder, 'sites')))

async function buildSites(folder: string): Promise<number> {
  const rows: Row[] = []
  const crashed: string[] = []
  printCells('site', ['pages', 'html', 'errors', 'warnings', 's', 'CPU s', 'MB', 'MB all', 'lost'])
  for (const site of configFolders(folder)) {
    if (values.only !== undefined && !site.includes(values.only)) continue
    const row = await buildOne(folder, site)
    if (typeof row === 'string') {
      crashed.push(site)
      console.log(`${site}: CRASHED\n${row.slice(-2_000)}`)
      continue
    }
    rows.push(row)
    printRow(row)
  }
  if (values.save !== undefined) writeFileSync(values.save, JSON.stringify(rows))
  return printTotals(rows, crashed)
}

async function buildOne(folder: string, site: string): Promise<Row | string> {
  const work = mkdtempSync(join(tmpdir(), 'octavo-corpus-build-'))
  const log = join(work, 'trapped')
  const preload = join(import.meta.dirname, '../../packages/builder/testing/trap-author-code.ts')
  const trap = ['--disallow-code-generation-from-strings', '--import', preload]
  try {
    const cost = await measureCommand({
      command: [
        process.execPath,
        '--no-warnings',
        ...(values.trap ? trap : []),
        join(import.meta.dirname, 'build/build-one.ts'),
        join(folder, site),
        work,
      ],
      env: { ...process.env, OCTAVO_TRAP_LOG: log, OCTAVO_TRAP_FOLDER: join(folder, site) },
      timeoutMs: SITE_TIME_MS_MAX,
    })
    if (cost.exitCode !== 0) return cost.output
    const built = JSON.parse(cost.output) as BuiltSite
    const trapped = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
    const { cpuSeconds, peakMb, sumMb } = cost
    return { ...built, site, cpuSeconds, peakMb, sumMb, trapped }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function printRow(row: Row): void {
  const { site, pageFiles, htmlFiles, buildSeconds, cpuSeconds, peakMb, sumMb, lost } = row
  printCells(site, [
    pageFiles,
    htmlFiles,
    countOf(row, 'error'),
    countOf(row, 'warning'),
    buildSeconds.toFixed(1),
    cpuSeconds.toFixed(1),
    peakMb.toFixed(0),
    sumMb.toFixed(0),
    lost.length,
  ])
  for (const file of row.missing.slice(0, 5)) console.log(`  no HTML: ${file}`)
  for (const line of row.trapped.slice(0, 5)) console.log(`  trapped: ${line}`)
  if (!values.lost) return
  for (const { file, words } of lost) console.log(`  lost ${file}: ${words.slice(0, 12).join(' ')}`)
}

function printTotals(rows: readonly Row[], crashed: readonly string[]): number {
  const sum = (read: (row: Row) => number) => rows.reduce((total, row) => total + read(row), 0)
  const most = (read: (row: Row) => number) => Math.max(0, ...rows.map(read))
  const pages = sum((row) => row.pageFiles)
  const html = sum((row) => row.htmlFiles)
  const lost = sum((row) => row.lost.length)
  const trapped = sum((row) => row.trapped.length)
  printCells('all', [
    pages,
    html,
    sum((row) => countOf(row, 'error')),
    sum((row) => countOf(row, 'warning')),
    sum((row) => row.buildSeconds).toFixed(0),
    sum((row) => row.cpuSeconds).toFixed(0),
    most((row) => row.peakMb).toFixed(0),
    most((row) => row.sumMb).toFixed(0),
    lost,
  ])
  printCodes(rows)
  printSamples(rows)
  const share = ((1 - lost / Math.max(1, pages)) * 100).toFixed(2)
  console.log(
    `\n${rows.length} roots, ${crashed.length} crashed; ${pages} page files, ${html} as HTML; ${share} % of pages show every word; ${trapped} trapped.`,
  )
  return crashed.length > 0 || pages !== html || trapped > 0 ? 1 : 0
}

function printCodes(rows: readonly Row[]): void {
  const codes = new Map<string, { count: number; files: Set<string> }>()
  for (const { site, diagnostics } of rows) {
    for (const { severity, code, place } of diagnostics) {
      const name = `${severity} ${code}`
      const known = codes.get(name) ?? { count: 0, files: new Set() }
      known.count += 1
      known.files.add(`${site}/${place.file}`)
      codes.set(name, known)
    }
  }
  console.log('\nDiagnostics by code, and the files they are in:')
  for (const [name, { count, files }] of [...codes].toSorted((a, b) => b[1].count - a[1].count)) {
    console.log(
      `  ${name.padEnd(44)} ${String(count).padStart(7)} ${String(files.size).padStart(6)}`,
    )
  }
}

/** Prints a sample of the pages that do not show all words of their source, from all sites. */
function printSamples(rows: readonly Row[]): void {
  const all = rows.flatMap(({ site, lost }) => lost.map((one) => ({ site, ...one })))
  const step = Math.max(1, Math.ceil(all.length / SAMPLES_MAX))
  console.log(`\nPages with words that are not shown: ${all.length}. Every ${step}th:`)
  for (const { site, file, words } of all.filter((_, index) => index % step === 0)) {
    console.log(`  ${site}/${file}: ${words.slice(0, 8).join(' ')}`)
  }
}

function countOf({ diagnostics }: Row, severity: string): number {
  return diagnostics.filter((one) => one.severity === severity).length
}

function printCells(name: string, cells: readonly (string | number)[]): void {
  console.log(name.padEnd(48), ...cells.map((cell) => String(cell).padStart(8)))
}
