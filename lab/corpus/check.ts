/**
 * Runs `octavo check` and `octavo nav` on every real site, and looks for pages that got lost.
 * Compares the pages that each author listed with those in the resolved navigation.
 *
 *   npm run lab corpus/check -- [folder of the corpus] [--errors]
 *
 * The corpus is not part of this repository: a folder with `unpack.sh` or with `sites/<name>/`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseArgs } from 'node:util'
import { loadSite, readFolder } from '@octavo/builder'
import type { Diagnostic, Navigation } from '@octavo/model'
import { systemClock } from '../../packages/cli/src/context/system-clock.ts'
import { run } from '../../packages/cli/src/run.ts'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { errors: { type: 'boolean' }, only: { type: 'string' } },
})

process.exitCode = await withCorpus(positionals[0], (folder) => checkSites(join(folder, 'sites')))

async function checkSites(folder: string): Promise<number> {
  const sites = configFolders(folder)
  const byCode = new Map<string, number>()
  const totals = { crashed: 0, listed: 0, shown: 0, lost: 0, pages: 0 }
  console.log(
    'site'.padEnd(52),
    'pages',
    'listed',
    ' shown',
    ' errors',
    'warnings',
    ' notes',
    '   ms',
  )
  for (const site of sites) {
    if (values.only !== undefined && !site.includes(values.only)) continue
    try {
      const row = await checkSite(folder, site, byCode)
      totals.listed += row.listed
      totals.shown += row.shown
      totals.lost += row.lost.length
      totals.pages += row.pages
      for (const page of row.lost.slice(0, 5)) console.log(`  lost: ${page}`)
    } catch (error) {
      totals.crashed += 1
      console.log(`${site}: CRASHED`, error)
    }
  }
  console.log(`\nDiagnostics by code:`)
  for (const [code, number] of [...byCode].toSorted((a, b) => b[1] - a[1])) {
    console.log(`  ${code.padEnd(44)} ${number}`)
  }
  const { crashed, lost, listed, shown, pages } = totals
  console.log(
    `\n${sites.length} sites, ${pages} pages, ${crashed} crashed; ${listed} entries listed, ${shown} shown, ${lost} lost.`,
  )
  return crashed + lost > 0 ? 1 : 0
}

async function checkSite(folder: string, site: string, byCode: Map<string, number>) {
  const path = join(folder, site)
  const started = performance.now()
  const printed = await runCommand(['check', path, '--format', 'json'])
  const ms = performance.now() - started
  await runCommand(['nav', path])
  await runCommand(['check', path])
  const { diagnostics, pageCount } = JSON.parse(printed) as {
    diagnostics: readonly Diagnostic[]
    pageCount: number
  }
  for (const diagnostic of diagnostics) {
    const name = `${diagnostic.severity} ${diagnostic.code}`
    byCode.set(name, (byCode.get(name) ?? 0) + 1)
  }
  const listed = listedEntries(path)
  const loaded = loadSite(readFolder(path))
  if (loaded.site === undefined) throw new Error('no site')
  const shown = shownEntries(loaded.site.navigation)
  const lost = [...listed].filter((entry) => !shown.has(entry))
  const count = (severity: string) => diagnostics.filter((one) => one.severity === severity).length
  const columns = [
    pageCount,
    listed.size,
    shown.size,
    count('error'),
    count('warning'),
    count('note'),
  ]
  console.log(
    site.padEnd(52),
    ...columns.map((n) => String(n).padStart(6)),
    ms.toFixed(0).padStart(7),
  )
  if (values.errors === true) printErrors(diagnostics)
  return { listed: listed.size, shown: shown.size, lost, pages: pageCount }
}

function printErrors(diagnostics: readonly Diagnostic[]): void {
  const seen = new Map<string, number>()
  for (const { severity, code, message, place } of diagnostics) {
    if (severity === 'note') continue
    const number = (seen.get(code) ?? 0) + 1
    seen.set(code, number)
    if (number <= 4)
      console.log(`    ${severity} ${place.file}:${place.line} ${code}: ${message.slice(0, 180)}`)
  }
  for (const [code, number] of seen) if (number > 4) console.log(`    … ${code} ${number} in all`)
}

async function runCommand(args: readonly string[]): Promise<string> {
  let text = ''
  const stream = { write: (part: string) => (text += part) }
  const env = { NO_COLOR: undefined, FORCE_COLOR: undefined }
  const world = { args, cwd: process.cwd(), env, clock: systemClock, out: stream, err: stream }
  const code = await run(world)
  if (code === 2) throw new Error(text)
  return text
}

/** Returns every entry of every `pages` list and every `root`, without the product's code. */
function listedEntries(site: string): ReadonlySet<string> {
  const file =
    ['docs.json', 'mint.json'].find((name) => existsSync(join(site, name))) ?? 'docs.json'
  const entries = new Set<string>()
  const visit = (value: unknown, from: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, from)
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return
    for (const [key, child] of Object.entries(value)) {
      if (key === '$ref' && typeof child === 'string') {
        const part = posix.join(dirname(from), child)
        visit(readJson(join(site, part)), part)
      }
      if (key === 'pages' && Array.isArray(child)) {
        for (const page of child) if (typeof page === 'string') entries.add(entryName(page))
      }
      if (key === 'root' && typeof child === 'string') entries.add(entryName(child))
      visit(child, from)
    }
  }
  const config = readJson(join(site, file)) as { navigation?: unknown }
  visit({ navigation: config.navigation }, file)
  return entries
}

/** Reads a JSON file. Some files of the corpus contain comment lines. */
function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''))
}

function entryName(written: string): string {
  const operation = /\b(get|put|post|delete|options|head|patch|trace|webhook)\s+(\S.*)$/i.exec(
    written,
  )
  if (operation !== null) return `${operation[1]?.toUpperCase()} ${operation[2]}`
  return written
    .trim()
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.mdx?$/, '')
    .replace(/\/index$/, '')
}

function shownEntries(navigation: Navigation): ReadonlySet<string> {
  return new Set(
    navigation.entries.map(({ path, operation }) =>
      operation === undefined ? entryName(path) : `${operation.method} ${operation.path}`,
    ),
  )
}
