/**
 * Parses every page of real sites, and prints findings, time and words that got lost.
 *
 *   npm run lab corpus/pages -- [folder of the corpus] [--only name] [--show code] [--lost]
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadSite, readFolder } from '@octavo/builder'
import { createPageParser, type Page, plainText } from '@octavo/content'
import type { Diagnostic } from '@octavo/model'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'
import { proseOf, WORD } from './build/source-prose.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    show: { type: 'string' },
    lost: { type: 'boolean' },
  },
})

type Totals = {
  pages: number
  clean: number
  crashed: number
  lost: number
  ms: number
  readonly codes: Map<string, number>
  readonly pagesByCode: Map<string, number>
}

process.exitCode = withCorpus(positionals[0], (folder) => readSites(join(folder, 'sites')))

function readSites(folder: string): number {
  const all: Totals = newTotals()
  console.log('site'.padEnd(46), ' pages  clean  crash   lost  ms/page')
  for (const site of configFolders(folder)) {
    if (values.only !== undefined && !site.includes(values.only)) continue
    const one = readSite(join(folder, site))
    printRow(site, one)
    addTotals(all, one)
  }
  printRow('all', all)
  for (const [code, number] of [...all.codes].toSorted((a, b) => b[1] - a[1])) {
    console.log(
      `  ${code.padEnd(32)} ${String(number).padStart(7)} on ${all.pagesByCode.get(code)} pages`,
    )
  }
  return all.crashed > 0 ? 1 : 0
}

function newTotals(): Totals {
  return {
    pages: 0,
    clean: 0,
    crashed: 0,
    lost: 0,
    ms: 0,
    codes: new Map(),
    pagesByCode: new Map(),
  }
}

function addTotals(all: Totals, one: Totals): void {
  for (const key of ['pages', 'clean', 'crashed', 'lost', 'ms'] as const) all[key] += one[key]
  for (const key of ['codes', 'pagesByCode'] as const) {
    for (const [code, number] of one[key]) all[key].set(code, (all[key].get(code) ?? 0) + number)
  }
}

function printRow(name: string, one: Totals): void {
  const columns = [one.pages, one.clean, one.crashed, one.lost].map((n) => String(n).padStart(6))
  console.log(name.padEnd(46), ...columns, (one.ms / Math.max(1, one.pages)).toFixed(3).padStart(8))
}

function readSite(path: string): Totals {
  const totals = newTotals()
  const tree = readFolder(path)
  const { site } = loadSite(tree)
  if (site === undefined) return totals
  const variables = site.config.variables ?? {}
  const texts = new Map(
    tree.files
      .filter((file) => /\.(?:mdx?|jsx?|tsx?)$/.test(file))
      .map((file) => [file, tree.read(file)]),
  )
  const parse = createPageParser({ read: (file) => texts.get(file), variables })
  for (const page of site.pages) {
    if (page.isPageOnlyWhenListed) continue
    const text = texts.get(page.file) ?? ''
    const started = process.cpuUsage()
    try {
      const read = parse(page.file, text)
      const spent = process.cpuUsage(started)
      totals.ms += (spent.user + spent.system) / 1000
      totals.pages += 1
      count(totals, read.diagnostics)
      const lost = lostWords(text, read)
      if (lost.length > 0) totals.lost += 1
      if (lost.length > 0 && values.lost === true)
        console.log(`  lost ${page.file}: ${lost.slice(0, 12).join(' ')}`)
    } catch (error) {
      totals.crashed += 1
      console.log(`  CRASHED ${page.file}`, error)
    }
  }
  return totals
}

function count(totals: Totals, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) totals.clean += 1
  for (const { code } of diagnostics) totals.codes.set(code, (totals.codes.get(code) ?? 0) + 1)
  for (const code of new Set(diagnostics.map((one) => one.code))) {
    totals.pagesByCode.set(code, (totals.pagesByCode.get(code) ?? 0) + 1)
  }
  for (const { code, place, message } of diagnostics) {
    if (values.show === code || values.show === 'all') {
      console.log(`  ${code} ${place.file}:${place.line}:${place.column} ${message.slice(0, 160)}`)
    }
  }
}

/** Returns words of the source's prose and code that the page tree does not contain. */
function lostWords(text: string, page: Page): readonly string[] {
  const words = proseOf(text).match(WORD) ?? []
  if (words.length === 0) return []
  const shown = plainText(page.children)
  const shownWords = new Set(shown.match(WORD) ?? [])
  return [...new Set(words)].filter((word) => !shownWords.has(word) && !shown.includes(word))
}
