/**
 * Builds a site in which only the texts of a few pages have changed since the last build: those
 * pages are compiled, and their text is replaced in the files of the last build. If anything else
 * could change, such as a heading, a link or a finding, the whole site is built instead. The result
 * always equals that of a whole build (`random-edits.e2e.test.ts`).
 */
import { isDeepStrictEqual } from 'node:util'
import { printMarkdownFiles } from '@octavo/search'
import { BasePath } from '@octavo/theme'
import { PackStore } from '../cache/pack-store.ts'
import { cacheVersion, PageCache } from '../cache/page-cache.ts'
import type { CompiledPage } from '../compile/compile-page.ts'
import { openSiteCompiler } from '../compile/site-compiler.ts'
import { hashHead } from '../load/load-pages.ts'
import { earlierPages, writeFullText } from '../output/full-text.ts'
import { MANIFEST_FILE, MANIFEST_FOLDER, writeManifest } from '../output/manifest-files.ts'
import { OutputFolder } from '../output/output-folder.ts'
import { printMarkdownPage } from '../output/page-outputs.ts'
import { type SearchChange, SearchEdit } from '../output/search/search-edit.ts'
import { NOT_IN_MANIFEST } from '../output/site-files.ts'
import { hashWithLanguage } from '../plan/page-languages.ts'
import { htmlPath, markdownPath } from '../plan/site-paths.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { HashedTree } from '../source/hashed-tree.ts'
import type { SourceState } from '../source/source-state.ts'
import type { SourceTree } from '../source/source-tree.ts'
import type { BuildOptions } from './build-site.ts'
import type { EditRecord, RecordedPage, RecordedSite } from './edit-record.ts'

export type EditInput = {
  readonly source: SourceTree
  readonly state: SourceState
  readonly options: BuildOptions
  readonly record: EditRecord
  /** The files that have changed since the last build. */
  readonly files: readonly string[]
}

export type EditedPages = {
  readonly outputCount: number
  readonly writtenCount: number
  readonly removedCount: number
}

type EditedPage = {
  readonly recorded: RecordedPage
  readonly before: CompiledPage
  readonly now: CompiledPage
  /** The keys of the page before and after the edit. */
  readonly artifacts: readonly [before: string, now: string]
}

/** Returns undefined, without having written any output, if the whole site must be built. */
export async function editPages(input: EditInput): Promise<EditedPages | undefined> {
  const { source, state, options, record, files } = input
  const tree = new HashedTree(source, state)
  const recorded = files.flatMap((file) => {
    const page = record.page(file)
    const isSame = page !== undefined && hashHead(tree, file) === page.head
    return isSame && !tree.hasSuppressionMark(file) ? [{ file, page }] : []
  })
  if (recorded.length < files.length) return undefined
  const version = cacheVersion(record.site.settings)
  const store = PackStore.openEarlier(options.cacheFolder, version)
  if (store === undefined) return undefined
  const cache = new PageCache(store, version, (path) => tree.hashOf(path))
  const pages = await compilePages({ input, tree, store, cache }, recorded)
  const finished = pages && replacePages({ site: record.site, pages, options })
  if (finished === undefined) store.close()
  else store.finishEdit(cache.entriesOf(files))
  return finished
}

function replacePages(edit: Omit<Edit, 'output'>): EditedPages | undefined {
  const output = new OutputFolder(edit.options.output)
  output.keepAll()
  const write = planEdit({ ...edit, output })
  if (write === undefined) return undefined
  write()
  const { count, ...counts } = output.finish()
  return { outputCount: count, ...counts }
}

type Compiling = {
  readonly input: EditInput
  readonly tree: HashedTree
  readonly store: PackStore
  readonly cache: PageCache
}

/** Returns undefined if the edit of a page changes more than its text. */
async function compilePages(
  { input, tree, store, cache }: Compiling,
  recorded: readonly { readonly file: string; readonly page: RecordedPage }[],
): Promise<readonly EditedPage[] | undefined> {
  const { options, record } = input
  const { settings } = record.site
  const site = { specification: () => undefined, specifications: new Map(), overlaid: new Map() }
  const compiler = openSiteCompiler({ ...options, tree, site, settings })
  const jobs = recorded.map(({ file }) => {
    return { kind: 'file', file, code: () => cache.previousCode(file) } as const
  })
  const compiled = new Map<string, CompiledPage>()
  try {
    await compiler.compile(jobs, ({ file }, page) => compiled.set(file, page))
  } finally {
    compiler.close()
  }
  const pages: EditedPage[] = []
  for (const { file, page } of recorded) {
    const earlier = store.entries[file]?.artifact ?? ''
    const before = store.load(earlier)
    const now = compiled.get(file)
    if (before === undefined || now === undefined || !tree.isUnchanged(file)) return undefined
    if (!hasOnlyOtherText(before, now)) return undefined
    const hash = hashWithLanguage(tree.hashOf(file), settings.languages[file])
    const artifacts = [earlier, cache.store({ file, hash }, now)] as const
    pages.push({ recorded: page, before, now, artifacts })
  }
  return pages
}

/** Checks that only the text and code that readers see differ in two versions of a page. */
function hasOnlyOtherText(before: CompiledPage, now: CompiledPage): boolean {
  return isPlain(before) && isPlain(now) && isDeepStrictEqual(factsOf(before), factsOf(now))
}

function isPlain({ diagnostics, failed, islands, islandCode, updates, styles = [] }: CompiledPage) {
  const hasCode = islands !== undefined || islandCode !== undefined
  const isRead = diagnostics.length === 0 && failed === undefined
  return isRead && !hasCode && updates === undefined && !styles.includes('side')
}

function factsOf({ html, links, headings, ids, files, ...page }: CompiledPage) {
  const { features, origins, styles, utilities } = page
  const targets = links.map(({ url, file }) => [url, file])
  const hasCards = html.includes(CARDS)
  return { targets, headings, ids, files, features, origins, styles, utilities, hasCards }
}

/** The frame of a page looks for this in its content. */
const CARDS = 'class="oct-columns'

type Edit = {
  readonly output: OutputFolder
  readonly site: RecordedSite
  readonly pages: readonly EditedPage[]
  readonly options: BuildOptions
}

/** Returns a function that writes all files, or undefined if one of them cannot be edited. */
function planEdit({ output, site, pages, options }: Edit): (() => void) | undefined {
  const basePath = new BasePath({ path: '', origin: site.origin })
  const texts = new Map<string, string>()
  for (const page of pages) {
    const { recorded, before, now } = page
    const [markdown = '', ...more] = printMarkdown(page, site, basePath)
    for (const path of recorded.paths) {
      if (!output.has(htmlPath(path)) || more.length > 0) return undefined
      const html = replaceOnce(readText(output, htmlPath(path)), before.html, now.html)
      if (html === undefined) return undefined
      texts.set(htmlPath(path), html)
      texts.set(markdownPath(path), markdown)
    }
  }
  const open = earlierPages(
    output,
    site.fullText.pages.map((page) => {
      const [path, url] = typeof page === 'string' ? [page, `/${page}`] : page
      return { path, url }
    }),
  )
  const search = SearchEdit.open({ ...options, output, siteName: site.siteName }, changesOf(pages))
  if (open === undefined || search === undefined) return undefined
  return () => {
    for (const [path, text] of texts) output.replace(path, text)
    search.write()
    const keys = new Map(pages.map(({ recorded, artifacts }) => [recorded.path, artifacts[1]]))
    const keyed = open.map((page) => {
      const artifact = keys.get(page.path)
      return artifact === undefined ? page : { ...page, key: hashBytes('edited', artifact) }
    })
    writeFullText({ output, basePath, access: site.fullText.access }, keyed)
    replaceManifest(output, site, options.commit)
  }
}

function changesOf(pages: readonly EditedPage[]): readonly SearchChange[] {
  return pages.flatMap(({ recorded: { search }, artifacts: [before, now], now: { sections } }) =>
    search === undefined ? [] : [{ ...search, before, now, sections }],
  )
}

/** Returns undefined if the text does not occur exactly once. */
function replaceOnce(text: string, before: string, now: string): string | undefined {
  const at = before === '' ? -1 : text.indexOf(before)
  if (at < 0 || text.includes(before, at + 1)) return undefined
  return text.slice(0, at) + now + text.slice(at + before.length)
}

function readText(output: OutputFolder, path: string): string {
  return Buffer.from(output.readBytes(path)).toString('utf8')
}

/** A page that needs several Markdown files has a finding, so its text is never replaced alone. */
function printMarkdown({ recorded, now }: EditedPage, site: RecordedSite, basePath: BasePath) {
  const { path, title, markdownHead: head } = recorded
  const { instructions: tail } = site
  const text = printMarkdownPage({ head, markdown: now.markdown, tail })
  const addressOf = (file: string) => basePath.whole(encodeURI(`/${file}`))
  return printMarkdownFiles(basePath.markdown(text), { path, title, addressOf })
}

function replaceManifest(output: OutputFolder, site: RecordedSite, commit: string | undefined) {
  const skipped = new Set([MANIFEST_FILE, ...NOT_IN_MANIFEST])
  const isListed = (path: string) => !skipped.has(path) && !path.startsWith(MANIFEST_FOLDER)
  const all = output.entries()
  for (const { path } of all) if (path.startsWith(MANIFEST_FOLDER)) output.drop(path)
  output.drop(MANIFEST_FILE)
  const { builder, commit: _, ...manifest } = site.manifest
  const facts = { builder, ...(commit !== undefined && { commit }), ...manifest }
  writeManifest(
    output,
    facts,
    all.filter(({ path }) => isListed(path)),
  )
}
