/**
 * Serves a site in development. Pages are compiled on request, by the same pipeline that a build
 * uses, and again after a change of a file that they include. If the site cannot be read, the
 * previous state is still served, with a diagnostic.
 *
 * `#state` is the last state that could be read; it is always replaced as a whole. Compiled pages
 * are kept in memory, in addition to those of earlier builds.
 */
import type { Diagnostic } from '@octavo/model'
import type { Specification } from '@octavo/openapi'
import { type InterfaceTexts, LANGUAGES, loadLanguages, renderNotFound } from '@octavo/theme'
import { MemoryStore } from '../cache/memory-store.ts'
import { PackStore } from '../cache/pack-store.ts'
import { cacheVersion, PageCache } from '../cache/page-cache.ts'
import { applyBaseline, BASELINE_FILE } from '../check/baseline.ts'
import { checkRules, withoutSuppressed } from '../check/suppressions.ts'
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
import { SourceState } from '../source/source-state.ts'
import { ChangeEffects, type SiteFacts } from './change-effects.ts'
import { findChangedFiles } from './changed-files.ts'
import { DevFonts } from './dev-fonts.ts'
import { type DevPage, type PageProblems, unreadableSite } from './dev-page.ts'
import { DevSpecifications, type DevSpecificationsOptions } from './dev-specifications.ts'
import { PageHeads } from './page-heads.ts'
import { PageLinks } from './page-links.ts'
import { createState, type FoundOutput, type SiteState } from './site-state.ts'

export type DevSiteOptions = DevSpecificationsOptions & {
  readonly folder: string
  /** Must change whenever the same input could compile to different bytes. */
  readonly version: string
  readonly siteUrl?: string
  readonly limits?: PoolLimits
  /** Called with the folders before any file is read, so that a watcher misses no change. */
  readonly onFolders?: (folders: readonly string[]) => void
}

export type SiteChange = {
  /** Files that were added, removed or possibly changed. */
  readonly files: ReadonlySet<string>
}

/** The warm-up starts later, so that it does not compete with a browser that opens immediately. */
const WARM_UP_MS = 100
const SAVE_HEADS_MS = 1_000

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
  readonly #effects = new ChangeEffects()
  #isAsked = false
  /** Compilations in progress, by page path. */
  readonly #compiling = new Map<string, Promise<CompiledPage>>()
  /** Problems in the current files, even if the site could not be read. */
  #diagnostics: readonly Diagnostic[] = []

  static async open(options: DevSiteOptions): Promise<DevSite> {
    const pool = new PagePool({ workersMax: 1, limits: options.limits, isRestricted: false })
    pool.warm()
    // Scripts are compiled while the site is being read.
    const loading = loadScripts(options)
    const tree = readFolder(options.folder)
    options.onFolders?.(tree.folders)
    // All languages are loaded, since any save may change which ones the site uses.
    const texts = await loadLanguages(LANGUAGES)
    const site = new DevSite(options, { pool, tree, texts, scripts: await loading })
    await site.specifications.useCopies(() => site.#load())
    if (await site.#fonts.useCopies(options.cacheFolder)) site.#load()
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
    this.#heads = new PageHeads(SourceState.open(cacheFolder, version))
    this.#load()
  }

  get folders(): readonly string[] {
    return this.#folder.folders
  }

  get files(): readonly string[] {
    return this.#tree.files
  }

  readonly read = (file: string): string | undefined => this.#tree.read(file)

  /** Returns a specification that the site uses, by its path or URL. */
  readonly specification = (source: string): Specification | undefined =>
    this.#state?.site.specification(source)

  get pageCount(): number {
    return this.#state?.plan.pages.length ?? 0
  }

  /** Headers for files that are not pages. */
  get headers(): readonly HeaderRule[] {
    return this.#state?.assembled.headersFor(undefined) ?? []
  }

  /** The URL of the first page. */
  get startUrl(): string {
    return this.#state?.startUrl ?? '/'
  }

  /** All diagnostics except those that need a full build. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#kept(this.#diagnostics)
  }

  /** Returns true if the site names specifications by URL, or fonts. */
  get hasHosted(): boolean {
    const { fonts } = this.#state?.site.config ?? {}
    return this.specifications.count > 0 || fonts !== undefined
  }

  /** Fetches the hosted specifications and fonts. Returns true if the site has changed. */
  async fetchHosted(): Promise<boolean> {
    const fetcher = this.#options.createFetcher?.()
    const hasFonts = fetcher !== undefined && (await this.#fonts.fetch(fetcher))
    if (hasFonts) this.#load()
    return (await this.specifications.fetch(() => this.#load())) || hasFonts
  }

  /** Updates the site after file changes. Returns undefined if no file belongs to the site. */
  change(paths: Iterable<string>): SiteChange | undefined {
    const { tree, files, isOther } = findChangedFiles(this.#options.folder, this.#folder, paths)
    this.#folder = tree
    if (files.size === 0 && !isOther) return undefined
    this.#tree = new HashedTree(tree)
    this.#compiling.clear()
    const before = this.#facts()
    // Every file has to be checked, because the check also reads its page head again.
    const concernAll = [...files].filter((file) => this.#affectsWholeSite(file))
    if (isOther || concernAll.length > 0) this.#load()
    else {
      this.#openPipeline()
      this.#pool.readAgain()
    }
    this.#effects.update(before, { ...this.#facts(), read: this.read }, files)
    return { files }
  }

  #facts(): SiteFacts {
    return { pages: this.#state?.plan.pages ?? [], diagnostics: this.#diagnostics }
  }

  /** Returns the output at a path, or undefined if only a full build can create it. */
  find(path: string): FoundOutput | undefined {
    return this.#state?.find(path)
  }

  async page(page: PlannedPage): Promise<DevPage> {
    const state = this.#state
    if (state === undefined) return unreadableSite(this.#diagnostics)
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

  /** Returns the response for a URL without a page. */
  notFound(): DevPage {
    if (this.#state === undefined) return unreadableSite(this.#diagnostics)
    const { frame, headersFor } = this.#state.assembled
    const html = renderNotFound(frame)
    const problems = async () => ({ own: [], ...(await this.#elsewhere([])) })
    return { status: 404, html, headers: headersFor(undefined), problems, hasIslands: false }
  }

  /**
   * Returns a page's Markdown, one part of that Markdown, or the page's feed; undefined if it does
   * not exist.
   */
  async text(
    page: PlannedPage,
    { form, part = 1 }: { readonly form: 'markdown' | 'feed'; readonly part?: number | undefined },
  ): Promise<string | undefined> {
    const compiled = await this.#compiled(page)
    if (form === 'markdown')
      return this.#state?.assembled.outputs.printMarkdown(page, compiled, part)
    return compiled.updates && rssXml(page, compiled.updates, this.#state?.assembled.base)
  }

  /** Compiles a page and its generated part. Concurrent requests share one compilation. */
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
   * Compiles the first page before it is requested, and later saves the page heads for the next
   * start.
   */
  warmUp(): void {
    const makeFirst = () => {
      const [first] = this.#state?.plan.pages ?? []
      if (first !== undefined && !this.#isAsked) void this.#compiled(first)
    }
    const saveHeads = () => this.#heads.save()
    this.#timers.push(setTimeout(makeFirst, WARM_UP_MS), setTimeout(saveHeads, SAVE_HEADS_MS))
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#pool.close()
  }

  async #writeIslands(
    { output }: SiteState,
    { islands: files = [], islandCode: code = [] }: CompiledPage,
  ): Promise<readonly Diagnostic[]> {
    const { version } = this.#options
    if (files.length === 0 || this.#pages === undefined) return []
    const { cache } = this.#pages
    const islands = await buildIslands({ files, code, tree: this.#tree, version, cache })
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
    return {
      own: this.#kept([...compiled.diagnostics, ...islands, ...links, ...ofFiles]),
      ...(await this.#elsewhere(files)),
    }
  }

  /** Returns the errors of the site that are not in the given files. */
  async #elsewhere(files: readonly string[]): Promise<Pick<PageProblems, 'caused' | 'others'>> {
    const isElsewhere = ({ place }: Diagnostic) => !files.includes(place.file)
    const errors = errorsIn(this.#kept(this.#diagnostics.filter(isElsewhere)))
    const broken = (await this.#links?.checkRemoved(this.#effects)) ?? []
    const inbound = this.#kept(broken.filter(isElsewhere))
    const [caused, others] = partition(errors, (one) => this.#effects.isNew(one))
    return this.#effects.hasRemoved
      ? { caused: [...caused, ...inbound], others }
      : { caused, others: [...others, ...inbound] }
  }

  /** Removes the diagnostics that the author suppressed and those in the baseline. */
  #kept(found: readonly Diagnostic[]): readonly Diagnostic[] {
    const { read } = this.#tree
    const files = [...new Set(found.map(({ place }) => place.file))]
    const rules = this.#state === undefined ? undefined : checkRules(this.#state.site)
    const kept = withoutSuppressed(found, { files, read, rules })
    return applyBaseline(kept, read(BASELINE_FILE)).fresh
  }

  /** Checks whether a change to the file can affect pages that do not use it. */
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
      fonts: this.#fonts.startLoad(),
      // The text is not read through `#tree`, which would compute an unneeded hash of every file.
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

  /** Opens a pipeline for the current files. The compiled pages remain in the cache. */
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

function partition<Item>(
  items: readonly Item[],
  isFirst: (item: Item) => boolean,
): readonly [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

/** Matches files that only affect the pages that name them. */
const PAGE_PART =
  /\.(?:[jt]sx|ts|png|jpe?g|gif|webp|avif|heic|bmp|ico|mp4|webm|mov|mp3|wav|ogg|m4a|pdf|zip|gz|woff2?|ttf|otf|eot|lottie|wasm)$/i
