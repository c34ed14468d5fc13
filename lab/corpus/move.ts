/**
 * Moves real sites of other tools to Octavo, and measures what was lost on the way.
 *
 *   npm run lab corpus/move -- [folder with sites/] [--only mkdocs] [--to folder] [--show]
 *
 * For each site it prints the pages, the share of words that are still shown, the old addresses
 * that are answered, links that the move broke, syntax that is shown as text and not in the report,
 * findings for each 100 pages, and the changes of a second run. `--to` keeps the new sites, and
 * `--show` prints each loss. Files that the corpus omits count as existing.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { parseArgs } from 'node:util'
import {
  builderVersion,
  checkSite,
  loadSite,
  openIconLibrary,
  readFolder,
  readTypedModule,
} from '@octavo/builder'
import { createPageParser, type StrippedModule } from '@octavo/content'
import { type MigratedSite, migrateSite, typedFiles, writeMigration } from '@octavo/migrate'
import { type Diagnostic, RedirectTable } from '@octavo/model'
import { requireCorpus } from '../parts/corpus-folder.ts'
import { MARKS, PART, SUSPECT, shownLines, shownWords } from './foreign/shown-text.ts'
import { isLiteral } from './move/literal-text.ts'
import { oldUrls } from './move/old-urls.ts'
import { sourceWords } from './move/source-words.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    to: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
})

type Moved = MigratedSite & { readonly from: string; readonly to: string }

const icons = openIconLibrary(undefined)
const hasIcon = (name: string, library: string) => icons.find(name, { library }) !== undefined
const say = (text: string) => {
  if (values.show) console.log(`    ${text}`)
}

const folder = join(requireCorpus(positionals[0]), 'sites')
for (const name of readdirSync(folder).filter((one) => one.includes(values.only))) {
  const to = join(values.to ?? mkdtempSync(join(tmpdir(), 'octavo-move-')), name)
  await measure(name, join(folder, name), to)
  if (values.to === undefined) rmSync(to, { recursive: true, force: true })
}

async function measure(name: string, from: string, to: string): Promise<void> {
  const started = performance.now()
  const modules = new Map<string, StrippedModule>()
  for (const one of typedFiles(from)) modules.set(one.file, await readTypedModule(one))
  const readTyped = (file: string) => {
    const module = modules.get(file)
    return module?.kind === 'stripped' ? module : undefined
  }
  const migrated = migrateSite(from, { hasIcon, readTyped })
  if (migrated === undefined) {
    console.log(`✗ ${name}: no tool was recognized`)
    return
  }
  rmSync(to, { recursive: true, force: true })
  writeMigration(to, migrated.files, false)
  const seconds = (performance.now() - started) / 1_000
  const again = migrateSite(from, { hasIcon, readTyped })
  const second = writeMigration(to, again?.files ?? new Map(), true)
  const moved = { ...migrated, from, to }
  const pages = countPages(moved)
  const words = compareWords(moved)
  const urls = answeredUrls(moved)
  const findings = await findingsOf(moved)
  const { site, report } = migrated
  console.log(`${name} (${site.tool})`)
  console.log(
    `  pages in ${pages.found}, out ${pages.moved}, named ${pages.named}, lost ${pages.lost}, made ${pages.made}`,
  )
  console.log(
    `  words kept ${percent(words.kept, words.all)} (${words.all - words.kept} of ${words.all} lost)`,
  )
  console.log(
    `  old URLs: navigation ${urls.listed.answered}/${urls.listed.all}, others ${urls.others.answered}/${urls.others.all}`,
  )
  console.log(
    `  links broken by the move ${findings.broken}, anchors without a target ${findings.anchors}`,
  )
  console.log(`  syntax shown as text: unreported ${unreported(moved, findings.all)}`)
  console.log(
    `  findings per 100 pages: ${perPages(findings.errors, site.pages.length)} errors, ${perPages(findings.warnings, site.pages.length)} warnings`,
  )
  console.log(
    `  report: ${report.approximated.length} approximated, ${report.left.length} left; ${seconds.toFixed(1)} s; second run: ${
      second.created.length +
      second.updated.length +
      second.removed.length +
      second.conflicts.length
    } changes`,
  )
}

function percent(part: number, all: number): string {
  return `${((100 * part) / Math.max(1, all)).toFixed(2)} %`
}

function perPages(count: number, pages: number): string {
  return ((100 * count) / Math.max(1, pages)).toFixed(1)
}

/** Counts the Markdown files in the folder of pages, and those that neither moved nor are named. */
function countPages({ from, site, report }: Moved) {
  const sources = new Set(site.pages.flatMap(({ source }) => source ?? []))
  const existing = [...sources].filter((file) => existsSync(join(from, file)))
  const root = commonFolder(existing)
  const files = readdirSync(join(from, root), { recursive: true, encoding: 'utf8' })
    .map((file) => posix.join(root, file))
    .filter((file) => /\.mdx?$/.test(file) && !/(?:^|\/)(?:SUMMARY|toc)\.md$/.test(file))
  const named = new Set([...report.approximated, ...report.left].map(({ file }) => file))
  const rest = files.filter((file) => !sources.has(file))
  // An entry for a folder, such as a blog, names all its files.
  const folders = [...named].filter((file) => !/\.\w+$/.test(file))
  const isNamed = (file: string) =>
    named.has(file) || folders.some((one) => file.startsWith(`${one}/`))
  // Partials, files to download and files of the repository are no pages.
  const isPartial = (file: string) =>
    /(?:^|\/)_|(?:^|\/)static\//.test(file) ||
    (site.tool === 'Docusaurus' && /(?:^|\/)(?:README|CODE_OF_CONDUCT)\.md$/.test(file))
  const lost = rest.filter((file) => !isNamed(file) && !isPartial(file))
  for (const file of lost) say(`lost page ${file}`)
  return {
    found: files.length,
    moved: existing.length,
    named: rest.length - lost.length,
    lost: lost.length,
    made: site.pages.length - existing.length,
  }
}

function commonFolder(files: readonly string[]): string {
  let [common = ''] = files.map((file) => posix.dirname(file))
  while (common !== '.' && !files.every((file) => file.startsWith(`${common}/`)))
    common = posix.dirname(common)
  return common
}

/** Compares the words that readers see before and after, page by page. */
function compareWords({ from, to, site }: Moved) {
  const parse = createPageParser({
    read: (file) => readText(join(to, file)),
    variables: (site.settings.variables ?? {}) as Record<string, string>,
  })
  const totals = { all: 0, kept: 0 }
  for (const { source, path, frontmatter } of site.pages) {
    const text = source === undefined ? undefined : readText(join(from, source))
    if (text === undefined) continue
    const file = `${path}.mdx`
    const now = shownWords([
      ...parse(file, readText(join(to, file)) ?? '').children,
      Object.values(frontmatter).join(' '),
    ])
    const before = [...sourceWords(text)].filter((word) => !MARKS.has(word))
    const lost = before.filter((word) => !now.has(word))
    totals.all += before.length
    totals.kept += before.length - lost.length
    if (lost.length > 0) say(`words ${source}: ${lost.slice(0, 12).join(' ')}`)
  }
  return totals
}

/** Checks that each address of the old site has a page or a redirect to one. */
function answeredUrls({ from, to, site }: Moved) {
  const loaded = loadSite(readFolder(to)).site
  const isPage = (url: string) => {
    const path = decodeURIComponent(url).replace(/^\/|\/$/g, '') || 'index'
    return existsSync(join(to, `${path}.mdx`)) || existsSync(join(to, `${path}/index.mdx`))
  }
  const table = new RedirectTable(
    (loaded?.config.redirects ?? []).map((one) => ({ permanent: true, ...one })),
    isPage,
  )
  const isAnswered = (url: string) => {
    if (isPage(url)) return true
    const found = table.match(url)?.destination
    return found !== undefined && (/^https?:/.test(found) || isPage(found.replace(/#.*$/, '')))
  }
  const known = new Map(site.pages.map(({ source, path }) => [source, path]))
  const count = (urls: readonly string[]) => {
    const missing = urls.filter((url) => !isAnswered(url))
    for (const url of missing) say(`old URL ${url}`)
    return { all: urls.length, answered: urls.length - missing.length }
  }
  const files = [...known.keys()].filter((file) => file !== undefined)
  const root = commonFolder(files.filter((file) => existsSync(join(from, file))))
  const existing = files.filter((file) => existsSync(join(from, file)))
  const { listed, others } = oldUrls(site.tool, from, { files: existing, root })
  return { listed: count(listed), others: count(others) }
}

async function findingsOf({ from, to, report }: Moved) {
  const cacheFolder = mkdtempSync(join(tmpdir(), 'octavo-move-cache-'))
  try {
    const checked = await checkSite({ folder: to, cacheFolder, version: builderVersion() })
    const isOmitted = omittedFiles(from)
    const all = checked.diagnostics.filter((one) => !isOmitted(one))
    const wasBroken = new Set(
      report.left.flatMap(({ what }) => {
        const url = /^`(.*)` leads to nothing/.exec(what)?.[1]
        return url === undefined ? [] : [url, decoded(url)]
      }),
    )
    const isOld = ({ message }: Diagnostic) =>
      [...wasBroken].some(
        (url) =>
          message.includes(`\`${url}\``) ||
          message.includes(url.replace(/#.*$/, '').replace(/^(?:\.{0,2}\/)+/, '')),
      )
    const broken = all.filter(
      (one) => /^link\/(?:broken|missing-file)$/.test(one.code) && !isOld(one),
    )
    const anchors = all.filter(({ code }) => code === 'link/anchor')
    for (const { place, message } of [...broken, ...anchors])
      say(`${place.file}:${place.line} ${message}`)
    const count = (severity: string) => all.filter((one) => one.severity === severity).length
    for (const { severity, place, code, message } of all)
      if (severity !== 'note' && !code.startsWith('link/'))
        say(`${code} ${place.file}:${place.line} ${message}`)
    return {
      all,
      broken: broken.length,
      anchors: anchors.length,
      errors: count('error'),
      warnings: count('warning'),
    }
  } finally {
    rmSync(cacheFolder, { recursive: true, force: true })
  }
}

function decoded(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}

/** Recognizes findings about files that exist in the old site but not in the corpus. */
function omittedFiles(from: string): (diagnostic: Diagnostic) => boolean {
  const text = readText(join(from, 'manifest.corpus.json')) ?? '{}'
  const { left_out: omitted = [] } = JSON.parse(text) as {
    readonly left_out?: readonly { readonly path: string }[]
  }
  const names = new Set(omitted.map(({ path }) => posix.basename(path)))
  return ({ code, message }) =>
    code.startsWith('link/') &&
    [...message.matchAll(/[`"]([^`"#?]+)[^`"]*[`"]/g)].some(([, path = '']) =>
      names.has(posix.basename(decodeURIComponent(path))),
    )
}

/** Counts lines in which readers see syntax of the old tool, and that nothing mentions. */
function unreported({ from, to, site, report }: Moved, findings: readonly Diagnostic[]): number {
  const parse = createPageParser({ read: (file) => readText(join(to, file)) })
  const entries = Map.groupBy([...report.left, ...report.approximated], ({ file }) => file)
  let count = 0
  for (const { source = '', path } of site.pages) {
    const file = `${path}.mdx`
    const text = readText(join(to, file)) ?? ''
    const lines = text.split('\n')
    const old = (readText(join(from, source)) ?? '').split('\n')
    const found = findings.filter(({ place }) => place.file === file)
    const known = [
      ...found.map(({ place }) => lines[place.line - 1] ?? ''),
      ...(entries.get(source) ?? []).flatMap(({ line, what }) => [old[line - 1] ?? '', what]),
    ]
    for (const shown of shownLines(parse(file, text).children)) {
      const part = shown
        .split('\ufffd')
        .find((one) => SUSPECT.test(one) && !isLiteral(site.tool, one))
        ?.trim()
      // Sentences such as "import the module from" are text.
      if (part === undefined || PART.test(shown) || /\bimport .+ from (?!["'])/i.test(`${part} `))
        continue
      if (known.some((line) => line.includes(part.slice(0, 30)))) continue
      count += 1
      say(`unreported ${file}: ${shown.trim().slice(0, 140)}`)
    }
  }
  return count
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
