/**
 * Builds a source tree into files that any web server can serve. A build loads the site, plans its
 * pages, compiles those that changed, writes the files that changed, and checks everything. The
 * same input always results in the same bytes and diagnostics: nothing depends on the time, the
 * machine, the order of work or the cache.
 */
import type { Diagnostic, FailOn } from '@octavo/model'
import { type InterfaceTexts, loadLanguages } from '@octavo/theme'
import { preferSmallHeap } from '../compile/engine-flags.ts'
import { shownOf } from '../compile/shown-page.ts'
import { writeFragments } from '../output/api-fragments.ts'
import { writeFindings } from '../output/findings-file.ts'
import { writeIslands } from '../output/island-files.ts'
import { labelAssets } from '../output/label-assets.ts'
import { writeMermaid } from '../output/script-files.ts'
import { SearchIndexes } from '../output/search/search-indexes.ts'
import { type WrittenSite, writeSiteFiles } from '../output/site-files.ts'
import type { SiteOutput } from '../output/site-output.ts'
import { isSearchable } from '../plan/is-searchable.ts'
import { siteLanguages } from '../plan/page-languages.ts'
import { specificationAccess } from '../plan/specification-access.ts'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import { loadScripts } from '../scripts/load-scripts.ts'
import { HashedTree } from '../source/hashed-tree.ts'
import type { SourceState } from '../source/source-state.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { type AssembledSite, assembleSite } from './assemble-site.ts'
import type { CompileProgress, PageConsumer } from './page-pipeline.ts'
import { printEditRecord } from './print-edit-record.ts'
import { type CompiledSite, loadHosted, type SiteOptions, SiteRun } from './site-run.ts'

/** All options of a build except its source and destination. */
export type TreeOptions = SiteOptions & {
  readonly siteUrl?: string
  /** The commit of the source, which is stored in the manifest. */
  readonly commit?: string
  /** Skips the HTML of pages, for a server that renders pages on request. */
  readonly withoutHtml?: boolean
  readonly onProgress?: (progress: BuildProgress) => void
  /** Which findings stop a deployment; overrides docs.json. */
  readonly failOn?: FailOn | undefined
}

export type BuildProgress = CompileProgress

export type BuildResult = {
  /** False if there is no valid docs.json, so that nothing was built. */
  readonly isLoaded: boolean
  /** True if a page could not be compiled but may be the next time. */
  readonly hasFailedPages: boolean
  readonly diagnostics: readonly Diagnostic[]
  readonly suppressedCount: number
  /** Number of findings that are in the baseline file, and therefore not in `diagnostics`. */
  readonly knownCount: number
  /** Number of entries in the baseline file that no longer occur. */
  readonly fixedCount: number
  /** Number of findings that stop a deployment. */
  readonly stoppingCount: number
  readonly pageCount: number
  /** Number of pages that were compiled; all others came from the cache. */
  readonly compiledCount: number
  readonly outputCount: number
  readonly writtenCount: number
  readonly removedCount: number
  /** The URL of the site without a trailing slash, if known. */
  readonly publicUrl: string | undefined
}

/**
 * For a site with more files than this, the memory that earlier garbage collection saves is worth
 * its time.
 */
const MANY_FILES = 6_000

const EMPTY_RESULT = {
  hasFailedPages: false,
  suppressedCount: 0,
  knownCount: 0,
  fixedCount: 0,
  pageCount: 0,
  compiledCount: 0,
  outputCount: 0,
  writtenCount: 0,
  removedCount: 0,
  publicUrl: undefined,
}

/** Builds any source into any output. The output is opened only if the site could be loaded. */
export async function buildTree(
  source: SourceTree,
  openOutput: () => SiteOutput,
  options: TreeOptions & {
    readonly scripts?: Promise<CompiledScripts>
    readonly state?: SourceState
    /** Receives what the next build needs to replace the text of single pages. */
    readonly onEditRecord?: (record: string | undefined) => void
  },
): Promise<BuildResult> {
  const loading = options.scripts ?? loadScripts(options)
  const tree = new HashedTree(source, options.state)
  if (tree.files.length > MANY_FILES) preferSmallHeap()
  const { site, diagnostics } = await loadHosted(tree, options)
  const scripts = await loading
  if (site === undefined)
    return { ...EMPTY_RESULT, isLoaded: false, diagnostics, stoppingCount: diagnostics.length }
  const texts = await loadLanguages(siteLanguages(site.navigation))
  const run = new SiteRun({ ...options, tree, site, diagnostics })
  const output = openOutput()
  const { pages } = run.plan
  const assembled = assembleSite({ ...options, tree, site, pages, output, scripts, texts })
  const search = openSearch({ run, output, assembled, options, texts })
  const consumer: PageConsumer = {
    keep: (page, artifacts) => assembled.outputs.keep(page, artifacts),
    write(page, artifacts, compiled) {
      assembled.outputs.write(page, artifacts, compiled)
      search.add(page, compiled)
    },
  }
  const compiled = await run.compile(consumer, options.onProgress)
  await search.finish()
  const rest = { run, tree, output, assembled, compiled, scripts, options }
  const written = await writeOtherOutputs(rest)
  const { printBaseline: _, foundIn, ...problems } = await run.findProblems(compiled, options)
  options.onEditRecord?.(printEditRecord({ ...rest, ...options, search, written, foundIn }))
  writeFindings(output, problems, site.config.deploy?.failOn ?? 'breaking')
  run.finish()
  const { count, writtenCount, removedCount } = output.finish()
  return {
    isLoaded: true,
    hasFailedPages: compiled.pages.some(({ parts }) => parts.some((part) => part.failed === true)),
    ...problems,
    pageCount: compiled.pages.length,
    compiledCount: compiled.compiledCount,
    outputCount: count,
    writtenCount,
    removedCount,
    publicUrl: assembled.publicUrl,
  }
}

type SearchParts = {
  readonly run: SiteRun
  readonly output: SiteOutput
  readonly assembled: AssembledSite
  readonly options: TreeOptions
  readonly texts: InterfaceTexts
}

function openSearch({ run, output, assembled, options, texts }: SearchParts): SearchIndexes {
  const { config, navigation } = run.site
  const { cacheFolder, version } = options
  return new SearchIndexes(
    {
      output,
      access: assembled.access,
      navigation,
      cacheFolder,
      version,
      texts,
      siteName: config.name ?? '',
      synonyms: config.search?.synonyms ?? [],
      contents: assembled.outputs.contents,
      load: (page) => run.load(page),
    },
    run.plan.pages.filter((page) => isSearchable(page, config)),
  )
}

type RestParts = {
  readonly run: SiteRun
  readonly tree: HashedTree
  readonly output: SiteOutput
  readonly assembled: AssembledSite
  readonly compiled: CompiledSite
  readonly scripts: CompiledScripts
  readonly options: TreeOptions
}

/** Writes all outputs except the pages and the search index. */
async function writeOtherOutputs(parts: RestParts): Promise<WrittenSite> {
  const { run, tree, output, assembled, compiled, scripts, options } = parts
  const { site } = run
  const { pages, paths } = run.plan
  const { outputs, frame, frameKey, base, basePath, headersFor, originsWith } = assembled
  if (compiled.hasDiagrams) await writeMermaid(output, scripts)
  frame.saveTrees()
  const shown = pages.flatMap((page) => shownOf(page) ?? [])
  const accessOf = specificationAccess(site)
  const isForSome = (source: string) => site.labels.size > 0 || accessOf(source) !== 'default'
  await writeFragments(output, await run.operations.fragments(shown, isForSome), basePath)
  writeIslands(output, compiled.islands)
  labelAssets({ site, tree, output, pages: compiled.pages, access: assembled.access })
  return writeSiteFiles({
    pages,
    site: run.site,
    output,
    paths,
    outputs,
    frame,
    frameKey: frameKey(),
    base,
    basePath,
    headers: headersFor(compiled.origins),
    version: options.version,
    commit: options.commit,
    origins: originsWith(compiled.origins),
    access: assembled.access,
    searchRoots: assembled.searchRoots,
  })
}
