/**
 * A run over a site that has been loaded and planned, with a cache and a compiler. `build` and
 * `check` differ only in what they do with the compiled pages, so both find the same problems.
 */
import type { Diagnostic } from '@octavo/model'
import type { ArtifactStore } from '../cache/artifact-store.ts'
import { PackStore } from '../cache/pack-store.ts'
import { cacheVersion, PageCache } from '../cache/page-cache.ts'
import { checkedPage } from '../check/checked-page.ts'
import { findProblems, type Problems, type ProblemsInput } from '../check/find-problems.ts'
import { OperationCompiler } from '../compile/compile-operations.ts'
import type { CompiledPage } from '../compile/compile-page.ts'
import { joinOrigins, type Origins } from '../compile/origins.ts'
import type { CompilerSettings, PageCompilerPort } from '../compile/page-compiler.ts'
import { shownOf } from '../compile/shown-page.ts'
import { type Isolation, openSiteCompiler } from '../compile/site-compiler.ts'
import { type BuiltIslands, buildIslands } from '../islands/build-islands.ts'
import { copyFetcher } from '../load/fetchers.ts'
import type { LoadedSite, LoadResult } from '../load/load-site.ts'
import { openSite } from '../load/open-site.ts'
import type { SpecificationFetcher } from '../load/specification-fetcher.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { planSite, type SitePlan } from '../plan/plan-site.ts'
import type { HashedTree } from '../source/hashed-tree.ts'
import {
  type CompileProgress,
  type PageConsumer,
  PagePipeline,
  type PipelinePage,
} from './page-pipeline.ts'

export type SiteOptions = Isolation & {
  /** The folder in which compiled pages are stored for the next run. */
  readonly cacheFolder: string
  /** Must change whenever the same input could compile to different bytes. */
  readonly version: string
  /** Opens a store of compiled pages that is used instead of the cache folder. */
  readonly store?: ((version: string) => ArtifactStore) | undefined
  /**
   * Fetches hosted specifications. If it is undefined, only the copies of earlier runs are used.
   */
  readonly fetcher?: SpecificationFetcher | undefined
}

export type CompiledSite = {
  readonly pages: readonly PipelinePage[]
  readonly compiledCount: number
  readonly islands: BuiltIslands
  /** Other hosts from which any of the pages loads something. */
  readonly origins: Origins | undefined
  readonly hasDiagrams: boolean
}

export type RunInput = SiteOptions & {
  readonly tree: HashedTree
  readonly site: LoadedSite
  /** Diagnostics from loading the site. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Loads the site and its hosted specifications. */
export function loadHosted(tree: HashedTree, options: SiteOptions): Promise<LoadResult> {
  return openSite(tree, options.fetcher ?? copyFetcher(options.cacheFolder))
}

export class SiteRun {
  readonly site: LoadedSite
  readonly plan: SitePlan
  readonly operations: OperationCompiler
  readonly cache: PageCache
  readonly #input: RunInput
  readonly #compiler: PageCompilerPort
  readonly #pipeline: PagePipeline

  constructor(input: RunInput) {
    const { tree, site, cacheFolder } = input
    this.#input = input
    this.site = site
    this.plan = planSite(site, tree)
    const { languages } = this.plan
    const settings = compilerSettings(site, this.plan, input.version)
    const version = cacheVersion(settings)
    const store = input.store?.(version) ?? new PackStore(cacheFolder, version)
    this.cache = new PageCache(store, version, (path) => tree.hashOf(path))
    this.operations = new OperationCompiler({
      site,
      pages: settings.specificationPages,
      version: input.version,
      assets: tree,
    })
    this.#compiler = openSiteCompiler({ ...input, settings })
    this.#pipeline = new PagePipeline({
      tree,
      languages,
      cache: this.cache,
      compiler: this.#compiler,
      operations: this.operations,
    })
  }

  async compile(
    consumer: PageConsumer,
    onProgress?: (progress: CompileProgress) => void,
  ): Promise<CompiledSite> {
    const { tree, version } = this.#input
    const { pages, compiledCount } = await this.#pipeline.run(this.plan.pages, consumer, onProgress)
    const facts = pages.flatMap(({ parts }) => parts)
    const islands = await buildIslands({
      files: [...new Set(facts.flatMap((one) => one.islands ?? []))].toSorted(),
      code: facts.flatMap((one) => one.islandCode ?? []),
      tree,
      version,
      cache: this.cache,
    })
    return {
      pages,
      compiledCount,
      islands,
      origins: joinOrigins(...facts.map(({ origins }) => origins)),
      hasDiagrams: facts.some(({ features }) => features?.includes('diagram')),
    }
  }

  /** Loads a page that the consumer had kept without loading it. */
  load(page: PlannedPage): Promise<CompiledPage> {
    return this.#pipeline.load(page)
  }

  findProblems(
    { pages, islands }: CompiledSite,
    options: Pick<ProblemsInput, 'external' | 'failOn' | 'withoutBaseline'>,
  ): Promise<Problems> {
    const { tree, diagnostics } = this.#input
    return findProblems({
      site: this.site,
      tree,
      pages: pages.map(({ page, parts }) => checkedPage(page, parts)),
      found: [
        ...diagnostics,
        ...this.plan.diagnostics,
        ...pages.flatMap(({ parts }) => parts.flatMap((part) => part.diagnostics)),
        ...islands.diagnostics,
      ],
      ...options,
    })
  }

  /** Saves the compiled pages for the next run. */
  finish(): void {
    this.#compiler.close()
    this.cache.finish()
  }
}

export function compilerSettings(
  { config }: LoadedSite,
  { pages, languages }: SitePlan,
  version: string,
): CompilerSettings {
  const { variables = {}, icons, api } = config
  const specificationPages = pages.flatMap((page) => shownOf(page) ?? [])
  return { version, variables, icons, api, languages, specificationPages }
}
