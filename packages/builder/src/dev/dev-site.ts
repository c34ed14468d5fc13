/**
 * A site in development: pages are compiled on request, by the same pipeline that a build uses, and
 * again when a file changes that they include. If the site cannot be read, the previous state
 * stays,
 * with a diagnostic.
 *
 * `#state` is the last state that could be read; it is replaced as a whole. Compiled pages are kept
 * in
 * memory, layered over those of earlier builds.
 */
import { join } from 'node:path'
import type { Diagnostic } from '@octavo/model'
import { type InterfaceTexts, LANGUAGES, loadLanguages, renderNotFound } from '@octavo/theme'
import { MemoryStore } from '../cache/memory-store.ts'
import { PackStore } from '../cache/pack-store.ts'
import { cacheVersion, PageCache } from '../cache/page-cache.ts'
import { applyBaseline, BASELINE_FILE } from '../check/baseline.ts'
import { ignoreRules } from '../check/find-problems.ts'
import { withoutSuppressed } from '../check/suppressions.ts'
import { EMPTY_PAGE } from '../compile/append-page.ts'
import { OperationCompiler } from '../compile/compile-operations.ts'
import type { CompiledPage } from '../compile/compile-page.ts'
import { PagePool, type PoolLimits } from '../compile/page-pool.ts'
import { openSiteCompiler } from '../compile/site-compiler.ts'
import { buildIslands } from '../islands/build-islands.ts'
import { isPageFile } from '../load/load-pages.ts'
import { loadSite } from '../load/load-site.ts'
import type { HeaderRule } from '../output/headers.ts'
import { writeIslands } from '../output/island-files.ts'
import { rssXml } from '../output/rss.ts'
import { PagePipeline } from '../pipeline/page-pipeline.ts'
import { compilerSettings } from '../pipeline/site-run.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import { loadScripts } from '../scripts/load-scripts.ts'
import { HashedTree } from '../source/hashed-tree.ts'
import { type FolderTree, readFolder } from '../source/read-folder.ts'
import { findChangedFiles } from './changed-files.ts'
import { DevFonts } from './dev-fonts.ts'
import { DevSpecifications, type DevSpecificationsOptions } from './dev-specifications.ts'
import { PageHeads } from './page-heads.ts'
import { PageLinks } from './page-links.ts'
import { createState, type FoundOutput, type SiteState } from './site-state.ts'

export type DevSiteOptions = DevSpecificationsOptions & {
  readonly folder: string
  /** Changes whenever the same input could produce different bytes. */
  readonly version: string
  readonly siteUrl?: string
  readonly limits?: PoolLimits
  /** Called with the folders before any file is read, so that no change is missed. */
  readonly onFolders?: (folders: readonly string[]) => void
}

export type DevPage = {
  readonly status: 200 | 404 | 503
  readonly html: string
  readonly headers: readonly HeaderRule[]
  /**
   * Called after the page was sent: checking links to anchors on other pages takes longer than the
   * page.
   */
  readonly problems: () => Promise<PageProblems>
  /** True if components run in the browser. */
  readonly hasIslands: boolean
}

export type PageProblems = {
  /** Diagnostics of the page's files; of the site if there is no page. */
  readonly own: readonly Diagnostic[]
  /** Errors in other files of the site. */
  readonly others: readonly Diagnostic[]
}

export type SiteChange = {
  /** Files that were added, removed or possibly changed. */
  readonly files: ReadonlySet<string>
}

/** Delays the warm-up, so that it does not compete with a browser that opens immediately. */
const WARM_UP_MS = 100
const SAVE_HEADS_MS = 1_000

const NOT_READ: Omit<DevPage, 'problems'> = {
  status: 503,
  headers: [],
  hasIslands: false,
  html: '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Site not loaded</title></head><body></body></html>\n',
}

export class DevSite {
  readonly specifications: DevSpecifications
  readonly #options: DevSiteOptions
  readonly #scripts: CompiledScripts
  readonly #texts: InterfaceTexts
  readonly #pool: PagePool
  readonly #heads: PageHeads
  readonly #timers: NodeJS.Timeout[] = []
  readonly #fonts = new DevFonts()
  #folder: FolderTree
  #tree: HashedTree
  #store: { readonly version: string; readonly store: MemoryStore } | undefined
  #state: SiteState | undefined
  #pages: { readonly pipeline: PagePipeline; readonly cache: PageCache } | undefined
  #links: PageLinks | undefined
  #isAsked = false
  /** Pages that are being compiled, by path. */
  readonly #compiling = new Map<string, Promise<CompiledPage>>()
  /** Problems of the current files, even if the site could not be read. */
  #diagnostics: readonly Diagnostic[] = []

  static async open(options: DevSiteOptions): Promise<DevSite> {
    const pool = new PagePool({ workersMax: 1, limits: options.limits, isRestricted: false })
    pool.warm()
    // Scripts are compiled while the site is being read.
    const loading = loadScripts(options)
    const tree = readFolder(options.folder)
    options.onFolders?.(tree.folders)
    // Loads all languages, since any save may change which ones the site uses.
    const texts = await loadLanguages(LANGUAGES)
    const site = new DevSite(options, { pool, tree, texts, scripts: await loading })
    await site.specifications.useCopies(() => site.#load())
    const { config } = site.#state?.site ?? {}
    if (await site.#fonts.useCopies(config, options.cacheFolder)) site.#load()
    return site
  }

  private constructor(
    options: DevSiteOptions,
    parts: {
      readonly pool: PagePool
      readonly tree: FolderTree
      readonly scripts: CompiledScripts
      readonly texts: InterfaceTexts
    },
  ) {
    this.#options = options
    this.specifications = new DevSpecifications(options)
    this.#scripts = parts.scripts
    this.#texts = parts.texts
    this.#pool = parts.pool
    this.#folder = parts.tree
    this.#tree = new HashedTree(parts.tree)
    const { cacheFolder, version } = options
    this.#heads = new PageHeads(join(cacheFolder, `heads-${version.slice(0, 16)}`))
    this.#load()
  }

  get folders(): readonly string[] {
    return this.#folder.folders
  }

  get files(): readonly string[] {
    return this.#tree.files
  }

  get pageCount(): number {
    return this.#state?.plan.pages.length ?? 0
  }

  /** The headers of files that are not pages. */
  get headers(): readonly HeaderRule[] {
    return this.#state?.assembled.headersFor(undefined) ?? []
  }

  /** The URL of the first page. */
  get startUrl(): string {
    return this.#state?.startUrl ?? '/'
  }

  /** All diagnostics except those that need a full build. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics
  }

  /** True if the site names specifications or fonts by URL. */
  get hasHosted(): boolean {
    const { fonts } = this.#state?.site.config ?? {}
    return this.specifications.count > 0 || fonts !== undefined
  }

  /** Fetches the hosted specifications and fonts. True if the site has changed. */
  async fetchHosted(): Promise<boolean> {
    const fetcher = this.#options.createFetcher?.()
    const { config } = this.#state?.site ?? {}
    const hasFonts = fetcher !== undefined && (await this.#fonts.fetch(config, fetcher))
    if (hasFonts) this.#load()
    return (await this.specifications.fetch(() => this.#load())) || hasFonts
  }

  /** Handles changed paths of a watcher; undefined if no file of the site has changed. */
  change(paths: Iterable<string>): SiteChange | undefined {
    const { tree, files, isOther } = findChangedFiles(this.#options.folder, this.#folder, paths)
    this.#folder = tree
    if (files.size === 0 && !isOther) return undefined
    this.#tree = new HashedTree(tree)
    this.#compiling.clear()
    // Checks each file, since this also reads its page head again.
    const concernAll = [...files].filter((file) => this.#affectsWholeSite(file))
    if (isOther || concernAll.length > 0) this.#load()
    else {
      this.#openPipeline()
      this.#pool.readAgain()
    }
    return { files }
  }

  /** Returns the output at a path; undefined if only a full build knows it. */
  find(path: string): FoundOutput | undefined {
    return this.#state?.find(path)
  }

  async page(page: PlannedPage): Promise<DevPage> {
    const state = this.#state
    if (state === undefined) return this.unreadableSite()
    const compiled = await this.#compiled(page)
    const { outputs, headersFor } = state.assembled
    const islands = await this.#writeIslands(state, compiled)
    if (compiled.features?.includes('diagram')) await state.writeMermaid()
    return {
      status: 200,
      html: outputs.renderHtml(page, compiled),
      headers: headersFor(compiled.origins),
      problems: () => this.#problemsOf(page, compiled, islands),
      hasIslands: compiled.islands !== undefined,
    }
  }

  /** The response for an address without a page. */
  notFound(): DevPage {
    if (this.#state === undefined) return this.unreadableSite()
    const { frame, headersFor } = this.#state.assembled
    const html = renderNotFound(frame)
    const problems = async () => ({ own: [], others: errorsIn(this.#diagnostics) })
    return { status: 404, html, headers: headersFor(undefined), problems, hasIslands: false }
  }

  unreadableSite(): DevPage {
    return { ...NOT_READ, problems: async () => ({ own: this.#diagnostics, others: [] }) }
  }

  /** Returns a page's Markdown, one part of it, or its feed; undefined if it does not exist. */
  async text(
    page: PlannedPage,
    { form, part = 1 }: { readonly form: 'markdown' | 'feed'; readonly part?: number | undefined },
  ): Promise<string | undefined> {
    const compiled = await this.#compiled(page)
    if (form === 'markdown')
      return this.#state?.assembled.outputs.printMarkdown(page, compiled, part)
    return compiled.updates && rssXml(page, compiled.updates, this.#state?.assembled.base)
  }

  /** Compiles a page with its generated part; concurrent requests share one compilation. */
  #compiled(page: PlannedPage): Promise<CompiledPage> {
    this.#isAsked = true
    const known = this.#compiling.get(page.path)
    if (known !== undefined) return known
    const compiling = this.#pages?.pipeline.load(page) ?? Promise.resolve(EMPTY_PAGE)
    this.#compiling.set(page.path, compiling)
    const forget = () => {
      if (this.#compiling.get(page.path) === compiling) this.#compiling.delete(page.path)
    }
    void compiling.then(forget, forget)
    return compiling
  }

  /**
   * Compiles the first page before it is requested, and later saves page heads for the next start.
   */
  warmUp(): void {
    const makeFirst = () => {
      const [first] = this.#state?.plan.pages ?? []
      if (first !== undefined && !this.#isAsked) void this.#compiled(first)
    }
    // Losing the page heads only costs time.
    const saveHeads = () => this.#heads.save().catch(() => undefined)
    this.#timers.push(setTimeout(makeFirst, WARM_UP_MS), setTimeout(saveHeads, SAVE_HEADS_MS))
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#pool.close()
  }

  async #writeIslands(
    { output }: SiteState,
    { islands: files = [] }: CompiledPage,
  ): Promise<readonly Diagnostic[]> {
    const { version } = this.#options
    if (files.length === 0 || this.#pages === undefined) return []
    const { cache } = this.#pages
    const islands = await buildIslands({ files, tree: this.#tree, version, cache })
    writeIslands(output, islands)
    return islands.diagnostics
  }

  async #problemsOf(
    page: PlannedPage,
    compiled: CompiledPage,
    islands: readonly Diagnostic[],
  ): Promise<PageProblems> {
    const links = (await this.#links?.check(page, compiled)) ?? []
    const files = [...(page.file === undefined ? [] : [page.file]), ...compiled.files]
    const ofFiles = this.#diagnostics.filter(({ place }) => files.includes(place.file))
    const elsewhere = this.#diagnostics.filter(({ place }) => !files.includes(place.file))
    const found = [...compiled.diagnostics, ...islands, ...links, ...ofFiles]
    const rules = this.#state === undefined ? [] : ignoreRules(this.#state.site)
    const { read } = this.#tree
    const withoutKnown = (all: readonly Diagnostic[]) =>
      applyBaseline(all, read(BASELINE_FILE)).fresh
    return {
      own: withoutKnown(withoutSuppressed(found, { files, read, rules })),
      others: errorsIn(withoutKnown(elsewhere)),
    }
  }

  /** True if a change of the file can affect more than the pages that use it. */
  #affectsWholeSite(file: string): boolean {
    if (!isPageFile(file)) return !PAGE_PART.test(file)
    const before = this.#heads.known(file)
    this.#heads.forget(file)
    if (this.#folder.stampOf(file) === '') return true
    const now = this.#heads.headOf(this.#folder, file)
    return before === undefined || JSON.stringify(before) !== JSON.stringify(now)
  }

  #load(): void {
    const { version, siteUrl } = this.#options
    const { site, diagnostics } = loadSite(this.#tree, {
      hosted: this.specifications.startLoad(),
      fonts: this.#fonts.outcomes,
      // Bypasses `#tree`, which would hash all texts: slow and not needed here.
      headOf: (file) => this.#heads.headOf(this.#folder, file),
    })
    this.#diagnostics = diagnostics
    if (site === undefined) return
    this.#state = createState({
      tree: this.#tree,
      site,
      version,
      before: this.#state,
      scripts: this.#scripts,
      texts: this.#texts,
      ...(siteUrl === undefined ? {} : { siteUrl }),
    })
    this.#diagnostics = [...diagnostics, ...this.#state.plan.diagnostics]
    this.#openPipeline()
  }

  /** Opens a pipeline for the current files. Compiled pages stay in the cache. */
  #openPipeline(): void {
    if (this.#state === undefined) return
    const { site, plan } = this.#state
    const { cacheFolder, version } = this.#options
    const tree = this.#tree
    const settings = compilerSettings(site, plan, version)
    const store = this.#openStore(cacheFolder, cacheVersion(settings))
    const cache = new PageCache(store, cacheVersion(settings), (path) => tree.hashOf(path))
    const compiler = openSiteCompiler({
      tree,
      site,
      settings,
      isTrusted: true,
      pool: this.#pool,
    })
    const { languages, pages } = plan
    this.#links = new PageLinks({ site, tree, pages, load: (page) => this.#compiled(page) })
    const operations = new OperationCompiler({
      site,
      pages: settings.specificationPages,
      version,
      assets: tree,
    })
    this.#pages = {
      cache,
      pipeline: new PagePipeline({ tree, cache, compiler, operations, languages }),
    }
  }

  #openStore(cacheFolder: string, version: string): MemoryStore {
    if (this.#store?.version === version) return this.#store.store
    const store = new MemoryStore(PackStore.openEarlier(cacheFolder, version))
    this.#store = { version, store }
    return store
  }
}

function errorsIn(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error')
}

/** Files that affect only the pages that name them. */
const PAGE_PART =
  /\.(?:[jt]sx|ts|png|jpe?g|gif|webp|avif|heic|bmp|ico|mp4|webm|mov|mp3|wav|ogg|m4a|pdf|zip|gz|woff2?|ttf|otf|eot|lottie|wasm)$/i
