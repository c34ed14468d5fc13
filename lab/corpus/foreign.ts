/**
 * Searches all pages of real sites for syntax of other tools, and tests its findings and fixes.
 *
 *   npm run lab corpus/foreign -- [folder of the corpus] [--only name] [--show] [--sample 300] [--seed 1] [--fix]
 *
 * `--show` prints each finding with its line. `--sample` reads only that many pages, which are the
 * same for the same seed, and prints lines without a finding in which readers see syntax of other
 * tools. `--fix` applies the fixes, and prints pages that lose words or have other mistakes
 * afterwards.
 */
import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPageParser, type Page, type PageParser } from '@octavo/content'
import type { Diagnostic } from '@octavo/model'
import { applyPageFixes } from '../../packages/content/testing/apply-page-fixes.ts'
import { withCorpus } from '../parts/corpus-folder.ts'
import { MARKS, PART, SUSPECT, shownLines, shownWords } from './foreign/shown-text.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    show: { type: 'boolean', default: false },
    fix: { type: 'boolean', default: false },
    sample: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
})

/**
 * Matches syntax whose words a fix may remove: ids and attributes, code options, block types and
 * emoji. Entities and tags appear as words only if the text was previously shown as code.
 */
const SYNTAX =
  /\[#[^\]]*\]|\{[^}]*\}|&\w+;|:[\w+-]+:|<\/?\w+(?: (?:href|class)=)?|^[ \t]*(?:`{3,}|~{3,}|!!!|\?\?\?|:{3,}).*/gm

type PageFile = { readonly site: string; readonly file: string }

withCorpus(positionals[0], (corpus) => {
  const folder = join(corpus, 'sites')
  const pages = choose(readdirSync(folder).flatMap((site) => pagesOf(folder, site)))
  const kinds = new Map<string, number>()
  const totals = { pages: 0, found: 0, fixable: 0, unreported: 0, broken: 0 }
  for (const [site, ofSite] of Map.groupBy(pages, (page) => page.site)) {
    const read = (file: string) => readText(join(folder, site, file))
    const parse = createPageParser({ read })
    for (const { file } of ofSite) {
      const text = read(file) ?? ''
      const page = parse(file, text)
      const findings = foreignIn(page, file)
      totals.pages += 1
      totals.found += findings.length
      totals.fixable += findings.filter(({ fix }) => fix !== undefined).length
      for (const { message } of findings) count(kinds, kindOf(message))
      if (values.show) for (const one of findings) print(site, one, text)
      if (values.sample !== '0') totals.unreported += printUnreported(site, file, { page, text })
      if (values.fix) totals.broken += printBroken(site, file, { page, text, parse })
    }
  }
  for (const [kind, number] of [...kinds].toSorted((a, b) => b[1] - a[1]))
    console.log(String(number).padStart(7), kind)
  console.log(totals)
})

function pagesOf(folder: string, site: string): readonly PageFile[] {
  if (!site.includes(values.only) || !statSync(join(folder, site)).isDirectory()) return []
  return globSync('**/*.{md,mdx}', { cwd: join(folder, site) }).map((file) => ({ site, file }))
}

/** Returns all pages, or a random but reproducible sample of them. */
function choose(pages: readonly PageFile[]): readonly PageFile[] {
  const size = Number(values.sample)
  if (size === 0) return pages
  const key = ({ site, file }: PageFile) =>
    createHash('sha256').update(`${values.seed} ${site}/${file}`).digest('hex')
  return pages
    .map((page) => ({ page, at: key(page) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, size)
    .map(({ page }) => page)
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function foreignIn(page: Page, file: string): readonly Diagnostic[] {
  return page.diagnostics.filter(
    ({ code, place }) => code === 'content/foreign-syntax' && place.file === file,
  )
}

/** Returns a message without the text that the author wrote. */
function kindOf(message: string): string {
  return message.replace(/^(`+).*?\1 /, '')
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function print(site: string, { place, message, fix }: Diagnostic, text: string): void {
  const line = text.split(/\r\n|\n|\r/)[place.line - 1] ?? ''
  console.log(
    `${site}/${place.file}:${place.line}:${place.column}${fix === undefined ? '' : ' fix'}`,
  )
  console.log(`  ${message}\n  > ${line.slice(0, 160)}`)
}

function printUnreported(
  site: string,
  file: string,
  { page, text }: { readonly page: Page; readonly text: string },
): number {
  const lines = text.split(/\r\n|\n|\r/)
  const reported = new Set(
    page.diagnostics.filter(({ place }) => place.file === file).map(({ place }) => place.line),
  )
  const missed = shownLines(page.children).filter((shown) => {
    if (PART.test(shown)) return false
    // Code in the line is replaced by a character, so only the part with the syntax is compared.
    const part = shown
      .split('\ufffd')
      .find((one) => SUSPECT.test(one))
      ?.trim()
    if (part === undefined) return false
    return !lines.some((line, index) => line.includes(part) && reported.has(index + 1))
  })
  for (const shown of missed) console.log(`unreported ${site}/${file}\n  | ${shown.slice(0, 160)}`)
  return missed.length
}

function printBroken(
  site: string,
  file: string,
  { page, text, parse }: { readonly page: Page; readonly text: string; readonly parse: PageParser },
): number {
  if (foreignIn(page, file).every(({ fix }) => fix === undefined)) return 0
  const fixed = applyPageFixes(parse, file, text)
  const before = shownWords(page.children)
  const after = shownWords(fixed.page.children)
  const marks = [...text.matchAll(SYNTAX)].join(' ').toLowerCase()
  const lost = [...before].filter(
    (word) => !after.has(word) && !MARKS.has(word) && !marks.includes(word),
  )
  const codes = (one: Page) =>
    one.diagnostics.filter(({ code }) => /content\/(?:syntax|unescaped|tag|unknown)/.test(code))
      .length
  if (lost.length === 0 && codes(fixed.page) <= codes(page) && fixed.left === 0) return 0
  console.log(
    `broken ${site}/${file}: ${codes(page)} → ${codes(fixed.page)} mistakes, ${fixed.left} fixes left, lost ${lost.slice(0, 8).join(' ')}`,
  )
  return 1
}
