/**
 * A site while it is being written: pages are made when they are asked for, by the same parts that a
 * build uses, and made again when a file changes that they are made of. What cannot be read leaves
 * the site as it was, with a diagnostic.
 *
 * `#state` is the site as it was last understood; it is replaced as a whole. Pages are kept by file,
 * until one of their files changes.
 */
import { join } from 'node:path'
import type { Diagnostic } from '@octavo/model'
import { type InterfaceTexts, LANGUAGES, loadLanguages, renderNotFound } from '@octavo/theme'
import { cacheSettings, PageCache } from '../cache/page-cache.ts'
import { appendPage, EMPTY_PAGE } from '../compile/append-page.ts'
import { type ShownPage, shownOf } from '../compile/compile-operations.ts'
import type { CompiledPage } from '../compile/compile-page.ts'
import { hasDiagram } from '../compile/has-diagram.ts'
import { takeCode } from '../compile/known-code.ts'
import type { PoolLimits } from '../compile/page-pool.ts'
import { PageProcess } from '../compile/page-process.ts'
import { isPageFile } from '../load/load-pages.ts'
import { loadSite } from '../load/load-site.ts'
import type { HeaderRule } from '../output/headers.ts'
import { writeIslands } from '../output/island-files.ts'
import { printPage } from '../output/page-outputs.ts'
import { rssXml } from '../output/rss.ts'
import { hashWithLanguage } from '../plan/page-languages.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import { loadScripts } from '../scripts/load-scripts.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { HashedTree } from '../source/hashed-tree.ts'
import { type FolderTree, readFolder } from '../source/read-folder.ts'
import { findChangedFiles } from './changed-files.ts'
import { PageHeads } from './page-heads.ts'
import { PageMemory } from './page-memory.ts'
import { createState, type DevState, type FoundOutput } from './site-state.ts'

export type DevSiteOptions = {
  readonly folder: string
  readonly cacheFolder: string
  /** Changes whenever the same input would give other bytes. */
  readonly version: string
  readonly siteUrl?: string
  readonly limits?: PoolLimits
  /** Told which folders there are before any file is read, so that no change is missed. */
  readonly onFolders?: (folders: readonly string[]) => void
}

export type DevPage = {
  readonly status: 200 | 404 | 503
  readonly html: string
  readonly headers: readonly HeaderRule[]
  /** What is wrong with the page or with the whole site, the nearest first. */
  readonly problems: readonly Diagnostic[]
  /** Its components run in the browser. */
  readonly hasIslands: boolean
}

export type SiteChange = {
  /** Those that came, went, or may have another content. */
  readonly files: ReadonlySet<string>
}

/** A browser that opens at once gets the page that it asks for, and none waits before it. */
const WARM_UP_MS = 100
const SAVE_HEADS_MS = 1_000

const NOT_READ: DevPage = {
  status: 503,
  headers: [],
  problems: [],
  hasIslands: false,
  html: '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Not readable yet</title></head><body></body></html>\n',
}

export class DevSite {
  readonly #options: DevSiteOptions
  readonly #scripts: CompiledScripts
  readonly #texts: InterfaceTexts
  readonly #process: PageProcess
  readonly #heads: PageHeads
  readonly #pages = new PageMemory()
  readonly #timers: NodeJS.Timeout[] = []
  #tree: FolderTree
  #earlier: Pick<PageCache, 'find' | 'load'> | undefined
  #state: DevState | undefined
  /** Of the files as they are now, also where these could not be understood. */
  #diagnostics: readonly Diagnostic[] = []

  static async open(options: DevSiteOptions): Promise<DevSite> {
    const compiler = new PageProcess(options.limits)
    // A compiler that must be started works while the site is being read.
    const loading = loadScripts(options)
    const tree = readFolder(options.folder)
    options.onFolders?.(tree.folders)
    // Which of them the site uses may change with any save.
    const texts = await loadLanguages(LANGUAGES)
    return new DevSite(options, { compiler, tree, texts, scripts: await loading })
  }

  private constructor(
    options: DevSiteOptions,
    parts: {
      readonly compiler: PageProcess
      readonly tree: FolderTree
      readonly scripts: CompiledScripts
      readonly texts: InterfaceTexts
    },
  ) {
    this.#options = options
    this.#scripts = parts.scripts
    this.#texts = parts.texts
    this.#process = parts.compiler
    this.#tree = parts.tree
    const { cacheFolder, version } = options
    this.#heads = new PageHeads(join(cacheFolder, `heads-${version.slice(0, 16)}`))
    this.#load()
    this.#startProcess()
  }

  get folders(): readonly string[] {
    return this.#tree.folders
  }

  get files(): readonly string[] {
    return this.#tree.files
  }

  get pageCount(): number {
    return this.#state?.assembled.pages.length ?? 0
  }

  /** Of files that are no pages. */
  get headers(): readonly HeaderRule[] {
    return this.#state?.assembled.headersFor(undefined) ?? []
  }

  /** The first page that readers see. */
  get startUrl(): string {
    return this.#state?.startUrl ?? '/'
  }

  /** Without what only a build of all pages finds. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics
  }

  /** Takes in what a watcher saw; nothing when no file of the site has changed. */
  change(paths: Iterable<string>): SiteChange | undefined {
    const { tree, files, isOther } = findChangedFiles(this.#options.folder, this.#tree, paths)
    this.#tree = tree
    if (files.size === 0 && !isOther) return undefined
    this.#pages.forget(files)
    // Each of them: what a page says at its top must be read again.
    const concernAll = [...files].filter((file) => this.#concernsAll(file))
    if (isOther || concernAll.length > 0) {
      this.#load()
      this.#startProcess()
    } else {
      this.#process.readAgain()
      if (this.#state !== undefined) {
        this.#state = { ...this.#state, tree: new HashedTree(tree), islands: new Map() }
      }
    }
    return { files }
  }

  /** What stands at a path of the site; nothing where only a whole build knows. */
  find(path: string): FoundOutput | undefined {
    return this.#state?.find(path)
  }

  async page(page: PlannedPage): Promise<DevPage> {
    const state = this.#state
    if (state === undefined) return this.notReadable()
    const compiled = await this.#compiled(page)
    const { outputs, headersFor } = state.assembled
    const islands = await this.#writeIslands(state, compiled)
    if (hasDiagram(compiled.html)) await state.writeMermaid()
    return {
      status: 200,
      html: outputs.renderHtml(page, compiled),
      headers: headersFor(compiled.origins),
      problems: this.#problemsOf(page, [...compiled.diagnostics, ...islands], compiled.files),
      hasIslands: compiled.islands !== undefined,
    }
  }

  /** What a page without an address gets. */
  notFound(): DevPage {
    if (this.#state === undefined) return this.notReadable()
    const { frame, headersFor } = this.#state.assembled
    const problems = this.#diagnostics.filter(({ severity }) => severity === 'error')
    const html = renderNotFound(frame)
    return { status: 404, html, headers: headersFor(undefined), problems, hasIslands: false }
  }

  notReadable(): DevPage {
    return { ...NOT_READ, problems: this.#diagnostics }
  }

  /** A page for programs; nothing for the feed of a page that has none. */
  async text(page: PlannedPage, form: 'markdown' | 'feed'): Promise<string | undefined> {
    const compiled = await this.#compiled(page)
    if (form === 'markdown') return printPage(page, compiled)
    return compiled.updates && rssXml(page, compiled.updates, this.#state?.assembled.base)
  }

  /** A page with what it shows of a specification. */
  async #compiled(page: PlannedPage): Promise<CompiledPage> {
    const { file } = page
    const own = file === undefined ? EMPTY_PAGE : await this.#compileFile(file)
    const shown = shownOf(page)
    return shown === undefined ? own : appendPage(own, await this.#operation(shown))
  }

  /** Makes the first page before any is asked for; later it keeps what the next start can use. */
  warmUp(): void {
    const makeFirst = () => {
      const [first] = this.#state?.assembled.pages ?? []
      if (first !== undefined && this.#pages.isEmpty) void this.#compiled(first)
    }
    // Losing them costs time and nothing else.
    const saveHeads = () => this.#heads.save().catch(() => undefined)
    this.#timers.push(setTimeout(makeFirst, WARM_UP_MS), setTimeout(saveHeads, SAVE_HEADS_MS))
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#process.close()
  }

  #compileFile(file: string): Promise<CompiledPage> {
    return this.#pages.get(file, async (before) => {
      const kept = before === undefined ? this.#loadEarlier(file) : undefined
      return kept ?? this.#process.compile(file, before === undefined ? [] : takeCode(before))
    })
  }

  /** As an earlier build made it, if nothing has changed since. */
  #loadEarlier(file: string): CompiledPage | undefined {
    if (this.#state === undefined) return undefined
    const { tree, assembled } = this.#state
    const hashOf = (path: string) => tree.hashOf(path)
    const hash = hashWithLanguage(hashOf(file), assembled.languages[file])
    const found = this.#earlier?.find(file, hash, hashOf)
    return found && this.#earlier?.load(found.artifact)
  }

  async #operation(shown: ShownPage): Promise<CompiledPage> {
    const operations = this.#state?.assembled.operations
    if (operations === undefined) return EMPTY_PAGE
    const key = operations.keyOf(shown)
    return this.#pages.operation(key, () => operations.compile(shown))
  }

  /** Once for each state of the site. */
  #writeIslands(
    { output, tree, islands }: DevState,
    { islands: files = [] }: CompiledPage,
  ): Promise<readonly Diagnostic[]> {
    const { version } = this.#options
    const key = files.join('\n')
    const known =
      islands.get(key) ??
      writeIslands({ files, tree, output, version, hashOf: (path) => tree.hashOf(path) })
    islands.set(key, known)
    return known
  }

  #problemsOf(
    { file }: PlannedPage,
    own: readonly Diagnostic[],
    others: readonly string[],
  ): readonly Diagnostic[] {
    const near = new Set([file, ...others])
    const ofFile = this.#diagnostics.filter(({ place }) => near.has(place.file))
    const errors = this.#diagnostics.filter(
      ({ severity, place }) => severity === 'error' && !near.has(place.file),
    )
    return [...own, ...ofFile, ...errors]
  }

  /** Whether anything beyond the pages that use it can change with a file. */
  #concernsAll(file: string): boolean {
    if (!isPageFile(file)) return !PAGE_PART.test(file)
    const before = this.#heads.known(file)
    this.#heads.forget(file)
    if (this.#tree.stampOf(file) === '') return true
    const now = this.#heads.headOf(this.#tree, file)
    return before === undefined || JSON.stringify(before) !== JSON.stringify(now)
  }

  #load(): void {
    const { folder, version, siteUrl } = this.#options
    const tree = new HashedTree(this.#tree)
    const { site, diagnostics } = loadSite(tree, {
      // Not through `tree`: what all texts hash to is of no use here, and takes its time.
      headOf: (file) => this.#heads.headOf(this.#tree, file),
    })
    this.#diagnostics = diagnostics
    if (site === undefined) return
    this.#state = createState({
      tree,
      site,
      folder,
      version,
      before: this.#state,
      scripts: this.#scripts,
      texts: this.#texts,
      ...(siteUrl === undefined ? {} : { siteUrl }),
    })
    this.#diagnostics = [...diagnostics, ...this.#state.assembled.diagnostics]
  }

  #startProcess(): void {
    const config = this.#state?.site.config
    const { folder: root, cacheFolder, version } = this.#options
    const { variables = {}, icons, api } = config ?? {}
    const { languages = {} } = this.#state?.assembled ?? {}
    const kept = config === undefined ? '' : cacheSettings(version, config)
    if (this.#pages.use(hashBytes(kept, JSON.stringify(languages)))) {
      this.#earlier = PageCache.openEarlier(cacheFolder, kept)
    }
    const { files } = this.#tree
    this.#process.restart({ root, files, variables, languages, api, iconLibrary: icons?.library })
  }
}

/** Files that only the pages show which name them. */
const PAGE_PART =
  /\.(?:[jt]sx|ts|png|jpe?g|gif|webp|avif|heic|bmp|ico|mp4|webm|mov|mp3|wav|ogg|m4a|pdf|zip|gz|woff2?|ttf|otf|eot|lottie|wasm)$/i
