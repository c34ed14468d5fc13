/**
 * Reads every page of a corpus of real documentation and prints, per site, the pages, what was
 * reported, the time, and the words of the source that are not in the tree.
 *
 *   node scripts/corpus-pages.ts [folder of the corpus] [--only name] [--show code] [--lost]
 *
 * The corpus is not part of this repository: a folder with `unpack.sh` or with `sites/<name>/`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadSite, readFolder } from '@octavo/builder'
import { createPageParser, type Page } from '@octavo/content'
import { type Diagnostic, parseFrontmatter } from '@octavo/model'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    show: { type: 'string' },
    lost: { type: 'boolean' },
  },
})
const WORD = /[\p{L}\p{N}]{3,}/gu
const corpus = positionals[0] ?? '../shared/corpus'

type Totals = {
  pages: number
  clean: number
  crashed: number
  lost: number
  ms: number
  readonly codes: Map<string, number>
  readonly pagesByCode: Map<string, number>
}

if (!existsSync(corpus)) {
  console.log(`No corpus at ${corpus}. Name its folder: node scripts/corpus-pages.ts <folder>`)
  process.exit(2)
}
const unpacked = unpack(corpus)
try {
  process.exitCode = readSites(join(unpacked.folder, 'sites'))
} finally {
  if (unpacked.temporary) rmSync(unpacked.folder, { recursive: true, force: true })
}

function unpack(folder: string): { folder: string; temporary: boolean } {
  if (!existsSync(join(folder, 'unpack.sh'))) return { folder, temporary: false }
  const target = mkdtempSync(join(tmpdir(), 'octavo-corpus-'))
  execFileSync('bash', [join(folder, 'unpack.sh'), target], { stdio: 'inherit' })
  return { folder: target, temporary: true }
}

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

/** Folders below a site that hold a configuration; usually the site itself. */
function configFolders(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const has = (path: string) =>
      ['docs.json', 'mint.json'].some((file) => existsSync(join(folder, path, file)))
    if (has(name)) return [name]
    return readdirSync(join(folder, name))
      .map((child) => `${name}/${child}`)
      .filter(has)
  })
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
    if (page.aside) continue
    const text = texts.get(page.file) ?? ''
    const started = process.cpuUsage()
    try {
      const read = parse(page.file, text)
      const spent = process.cpuUsage(started)
      totals.ms += (spent.user + spent.system) / 1000
      totals.pages += 1
      count(totals, read.diagnostics)
      const lost = lostWords(page.file, text, read)
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

/** Words of the prose and the code of the source that the tree does not have. */
function lostWords(file: string, text: string, page: Page): readonly string[] {
  const body = text.slice(parseFrontmatter(file, text).bodyStart)
  const words = proseOf(body).match(WORD) ?? []
  if (words.length === 0) return []
  const shown = new Set(page.text.match(WORD) ?? [])
  return [...new Set(words)].filter((word) => !shown.has(word) && !page.text.includes(word))
}

/** The source without what readers never see: modules, tags, expressions, addresses, comments. */
function proseOf(body: string): string {
  const fences: string[] = []
  const uncommented = body.replaceAll(/\{\/\*[\s\S]*?\*\/\}|<!--[\s\S]*?-->/g, ' ')
  const kept = uncommented.replaceAll(
    /^([ \t>]*)(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t>]*\2`*[ \t]*$/gm,
    (_, _indent, _fence, code: string) => {
      fences.push(code.replaceAll(/^.*\[!code.*$/gm, ''))
      return '\n'
    },
  )
  const plain = kept
    .replaceAll(/\\([^\w\s])/g, '$1')
    .replaceAll(/`[^`\n]*`/g, (code) => ` ${code.replaceAll(/[<>{}]/g, ' ')} `)
    .replaceAll(/^(?:import|export)\s[\s\S]*?(?=\n\s*\n|$(?![\s\S]))/gm, ' ')
    .replaceAll(/<\/?[A-Za-z][^<>]*(?:<[^<>]*>[^<>]*)*>/g, ' ')
    .replaceAll(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, ' ')
    .replaceAll(/\]\([^)\n]*\)/g, '] ')
    .replaceAll(/^\s*\[[^\]]+\]:.*$/gm, ' ')
    .replaceAll(/\]\[[^\]]*\]/g, '] ')
    .replaceAll(/&[a-z#\d]+;/gi, ' ')
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .replaceAll(/\\[a-zA-Z]+/g, ' ')
  return `${plain}\n${fences.join('\n')}`
}
