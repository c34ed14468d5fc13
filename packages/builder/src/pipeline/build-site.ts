/**
 * A folder of documentation → a folder of files that any web server can serve. In order: load and
 * check the site, plan its pages, compile those that changed, write what is new. Same input, same
 * bytes: nothing depends on time, machine, order of work, or on what was cached.
 */
import { type Diagnostic, DiagnosticList } from '@octavo/model'
import { type InterfaceTexts, loadLanguages } from '@octavo/theme'
import { cacheSettings, type FoundPage, PageCache } from '../cache/page-cache.ts'
import { appendPage, EMPTY_PAGE } from '../compile/append-page.ts'
import { compileFiles } from '../compile/compile-files.ts'
import { type OperationCompiler, type ShownPage, shownOf } from '../compile/compile-operations.ts'
import type { CompiledPage } from '../compile/compile-page.ts'
import { preferSmallHeap } from '../compile/engine-flags.ts'
import type { PoolLimits } from '../compile/page-pool.ts'
import { type LoadedSite, loadSite } from '../load/load-site.ts'
import { writeFragments } from '../output/api-fragments.ts'
import { writeIslands } from '../output/island-files.ts'
import { OutputFolder } from '../output/output-folder.ts'
import type { PageOutputs } from '../output/page-outputs.ts'
import { writeMermaid } from '../output/script-files.ts'
import { SearchIndex } from '../output/search/search-index.ts'
import { writeSiteFiles } from '../output/site-files.ts'
import { isSearchable } from '../plan/is-searchable.ts'
import { hashWithLanguage, siteLanguages } from '../plan/page-languages.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import { loadScripts } from '../scripts/load-scripts.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { HashedTree } from '../source/hashed-tree.ts'
import { readFolder } from '../source/read-folder.ts'
import { type AssembledSite, assembleSite } from './assemble-site.ts'

export type BuildOptions = {
  readonly folder: string
  readonly output: string
  /** Where compiled pages are kept for the next build. */
  readonly cacheFolder: string
  /** Changes whenever the same input would give other bytes. */
  readonly version: string
  readonly siteUrl?: string
  readonly workersMax?: number
  readonly limits?: PoolLimits
  /** Everything but the pages themselves: for a server that makes these when they are asked for. */
  readonly withoutHtml?: boolean
  readonly onProgress?: (progress: BuildProgress) => void
}

export type BuildProgress = { readonly done: number; readonly total: number }

export type BuildResult = {
  readonly site: LoadedSite | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly pageCount: number
  /** Pages that were compiled; the others came from the cache. */
  readonly compiledCount: number
  readonly outputCount: number
  readonly writtenCount: number
  readonly removedCount: number
}

export async function buildSite(options: BuildOptions): Promise<BuildResult> {
  // A compiler that must be started works while the site is being loaded.
  const loading = loadScripts(options)
  const tree = new HashedTree(readFolder(options.folder))
  if (tree.files.length > MANY_FILES) preferSmallHeap()
  const loaded = loadSite(tree)
  const scripts = await loading
  if (loaded.site === undefined) return { ...NOTHING_BUILT, ...loaded }
  const texts = await loadLanguages(siteLanguages(loaded.site.navigation))
  return new Build({ ...options, scripts, texts }, tree, loaded.site, loaded.diagnostics).run()
}

/** Less than this has room enough, and collecting its rubbish early would cost more than it saves. */
const MANY_FILES = 6_000

const NOTHING_BUILT = {
  pageCount: 0,
  compiledCount: 0,
  outputCount: 0,
  writtenCount: 0,
  removedCount: 0,
}

type BuildInput = BuildOptions & {
  readonly scripts: CompiledScripts
  readonly texts: InterfaceTexts
}

class Build {
  readonly #options: BuildInput
  readonly #tree: HashedTree
  readonly #site: LoadedSite
  readonly #diagnostics = new DiagnosticList()
  readonly #output: OutputFolder
  readonly #cache: PageCache
  readonly #assembled: AssembledSite
  readonly #outputs: PageOutputs
  readonly #operations: OperationCompiler

  constructor(
    options: BuildInput,
    tree: HashedTree,
    site: LoadedSite,
    diagnostics: readonly Diagnostic[],
  ) {
    this.#options = options
    this.#tree = tree
    this.#site = site
    diagnostics.forEach(this.#diagnostics.report)
    this.#output = new OutputFolder(options.output)
    this.#cache = new PageCache(options.cacheFolder, cacheSettings(options.version, site.config))
    this.#assembled = assembleSite({ ...options, tree, site, output: this.#output })
    this.#assembled.diagnostics.forEach(this.#diagnostics.report)
    this.#outputs = this.#assembled.outputs
    this.#operations = this.#assembled.operations
  }

  async run(): Promise<BuildResult> {
    const { pages, paths, frame, frameKey, base, headersFor } = this.#assembled
    const search = this.#openSearch(pages)
    const compiledCount = await this.#makePages(pages, search)
    await search.finish()
    const { version, scripts } = this.#options
    if (this.#cache.hasDiagrams()) await writeMermaid(this.#output, scripts)
    await writeFragments(
      this.#output,
      await this.#operations.fragments(pages.flatMap((page) => shownOf(page) ?? [])),
    )
    const islandProblems = await writeIslands({
      files: this.#cache.islands(),
      tree: this.#tree,
      output: this.#output,
      version,
      hashOf: this.#hashOf,
    })
    islandProblems.forEach(this.#diagnostics.report)
    writeSiteFiles({
      pages,
      site: this.#site,
      output: this.#output,
      paths,
      outputs: this.#outputs,
      frame,
      frameKey: frameKey(),
      base,
      headers: headersFor(this.#cache.origins()),
    })
    this.#cache.finish()
    const { removed } = this.#output.finish()
    return {
      site: this.#site,
      diagnostics: this.#diagnostics.sorted(),
      pageCount: pages.length,
      compiledCount,
      outputCount: this.#output.count,
      writtenCount: this.#output.writtenCount,
      removedCount: removed,
    }
  }

  #openSearch(pages: readonly PlannedPage[]): SearchIndex {
    const { config, navigation } = this.#site
    const { cacheFolder, version, texts } = this.#options
    return new SearchIndex(
      {
        output: this.#output,
        navigation,
        cacheFolder,
        version,
        texts,
        contents: this.#outputs.contents,
        load: (page) => this.#load(page),
      },
      pages.filter((page) => isSearchable(page, config)),
    )
  }

  /** Gives how many had to be compiled. */
  async #makePages(pages: readonly PlannedPage[], search: SearchIndex): Promise<number> {
    const changed = new Map<string, PlannedPage>()
    let count = 0
    for (const page of pages) {
      const { file } = page
      if (file === undefined) {
        count += (await this.#makeOperation(page, search)) ? 1 : 0
        continue
      }
      const found = this.#cache.find(file, this.#pageHash(file), this.#hashOf)
      if (found !== undefined && (await this.#reuse(page, found))) continue
      changed.set(file, page)
      const shown = shownOf(page)
      if (shown !== undefined) await this.#operation(shown)
    }
    let done = 0
    const onPage = (file: string, compiled: CompiledPage) => {
      const page = changed.get(file)
      if (page === undefined) return
      const artifact = this.#store(file, compiled)
      compiled.diagnostics.forEach(this.#diagnostics.report)
      search.add(page, this.#write(page, artifact, compiled))
      done += 1
      this.#options.onProgress?.({ done, total: changed.size })
    }
    await this.#compile([...changed.keys()], onPage)
    return count + changed.size
  }

  /** Under which name the page is kept, or a name that no other build will look for. */
  #store(file: string, compiled: CompiledPage): string {
    if (compiled.failed) return `failed ${JSON.stringify(compiled.diagnostics)}`
    // Saved while the build was at work: the worker may have read another text than was hashed.
    const isSure = [file, ...compiled.files].every((path) => this.#tree.isUnchanged(path))
    if (!isSure) return `changed ${hashBytes(compiled.html, compiled.markdown)}`
    return this.#cache.store(file, this.#pageHash(file), compiled, this.#hashOf)
  }

  /** A page from the cache. False when it cannot be read any more. */
  async #reuse(page: PlannedPage, found: FoundPage): Promise<boolean> {
    const parts = this.#partsOf(page, found.artifact)
    const isThere = this.#outputs.keep(page, parts)
    if (isThere) for (const part of parts) this.#cache.touch(part)
    if (isThere && !found.hasProblems) return true
    const compiled = this.#cache.load(found.artifact)
    if (compiled === undefined) return false
    compiled.diagnostics.forEach(this.#diagnostics.report)
    if (isThere) return true
    const shown = shownOf(page)
    if (shown !== undefined) await this.#operation(shown)
    this.#write(page, found.artifact, compiled)
    return true
  }

  /** What it shows of a specification is in the cache by now. */
  #write(page: PlannedPage, artifact: string, compiled: CompiledPage): CompiledPage {
    const parts = this.#partsOf(page, artifact)
    const shown = shownOf(page)
    const more = shown && this.#cache.load(this.#operations.keyOf(shown))
    const whole = more === undefined ? compiled : appendPage(compiled, more)
    this.#outputs.write(page, parts, whole)
    return whole
  }

  /** A page that a specification alone makes. True when it had to be compiled. */
  async #makeOperation(page: PlannedPage, search: SearchIndex): Promise<boolean> {
    const shown = shownOf(page)
    if (shown === undefined) return false
    const parts = this.#partsOf(page, undefined)
    if (this.#outputs.keep(page, parts)) {
      for (const part of parts) this.#cache.touch(part)
      return false
    }
    const compiled = await this.#operation(shown)
    this.#outputs.write(page, parts, compiled)
    search.add(page, compiled)
    return true
  }

  /** From the cache, or compiled now. */
  async #operation(shown: ShownPage): Promise<CompiledPage> {
    const key = this.#operations.keyOf(shown)
    const known = this.#cache.load(key)
    if (known !== undefined) return known
    const compiled = await this.#operations.compile(shown)
    compiled.diagnostics.forEach(this.#diagnostics.report)
    this.#cache.put(key, compiled)
    return compiled
  }

  #partsOf(page: PlannedPage, artifact: string | undefined): readonly string[] {
    const own = artifact === undefined ? [] : [artifact]
    const shown = shownOf(page)
    return shown === undefined ? own : [...own, this.#operations.keyOf(shown)]
  }

  async #load(page: PlannedPage): Promise<CompiledPage> {
    const own = page.file === undefined ? EMPTY_PAGE : await this.#loadFile(page.file)
    const shown = shownOf(page)
    return shown === undefined ? own : appendPage(own, await this.#operation(shown))
  }

  async #loadFile(file: string): Promise<CompiledPage> {
    const artifact = this.#cache.artifactOf(file)
    // It could not be made.
    if (artifact === undefined) return EMPTY_PAGE
    const known = this.#cache.load(artifact)
    if (known !== undefined) return known
    let compiled = EMPTY_PAGE
    await this.#compile([file], (_, page) => {
      compiled = page
    })
    return compiled
  }

  #compile(
    files: readonly string[],
    onPage: (file: string, page: CompiledPage) => void,
  ): Promise<void> {
    const { folder, workersMax, limits } = this.#options
    const { languages } = this.#assembled
    const codeOf = (file: string) => this.#cache.codeBefore(file)
    return compileFiles(files, {
      folder,
      tree: this.#tree,
      site: this.#site,
      languages,
      workersMax,
      limits,
      codeOf,
      onPage,
    })
  }

  #pageHash(file: string): string {
    return hashWithLanguage(this.#hashOf(file), this.#assembled.languages[file])
  }

  readonly #hashOf = (path: string): string => this.#tree.hashOf(path)
}
