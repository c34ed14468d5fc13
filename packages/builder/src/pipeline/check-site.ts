/** Finds all problems of a site. It writes nothing except the cache of compiled pages. */
import type { Diagnostic } from '@octavo/model'
import { printBaseline } from '../check/baseline.ts'
import { type CheckedPage, checkedPage } from '../check/checked-page.ts'
import type { ExternalOptions } from '../check/external-links.ts'
import type { LoadedSite } from '../load/load-site.ts'
import type { GitChanges } from '../source/git-changes.ts'
import { HashedTree } from '../source/hashed-tree.ts'
import { readFolder } from '../source/read-folder.ts'
import { SourceState } from '../source/source-state.ts'
import { causedBy } from './check-since.ts'
import { FACTS_ONLY } from './page-pipeline.ts'
import { loadHosted, type RunInput, type SiteOptions, SiteRun } from './site-run.ts'

export type CheckOptions = SiteOptions & {
  readonly folder: string
  /** Enables checking links to other sites. */
  readonly external?: ExternalOptions
  /** True to also report the findings in the baseline file. */
  readonly withoutBaseline?: boolean
  /** Limits the report to findings that these changes have caused. */
  readonly changes?: GitChanges | undefined
}

export type CheckResult = {
  readonly site: LoadedSite | undefined
  /** Number of pages, including those that are generated from specifications. */
  readonly pageCount: number
  readonly diagnostics: readonly Diagnostic[]
  readonly suppressedCount: number
  /** Number of findings that are in the baseline file, and therefore not in `diagnostics`. */
  readonly knownCount: number
  /** Number of entries in the baseline file that no longer occur. */
  readonly fixedCount: number
  /**
   * Number of findings that `changes` did not cause, and that are therefore not in `diagnostics`.
   */
  readonly otherCount: number
  /** Returns the text of a baseline file with all `diagnostics`. */
  readonly printBaseline: () => string
  readonly read: (file: string) => string | undefined
}

const EMPTY_RESULT = {
  pageCount: 0,
  suppressedCount: 0,
  knownCount: 0,
  fixedCount: 0,
  otherCount: 0,
  printBaseline: () => printBaseline([]),
}

/** Returns the facts of every page. Pages whose facts are not in the cache are compiled. */
export async function compileFacts(input: RunInput): Promise<readonly CheckedPage[]> {
  const run = new SiteRun(input)
  const { pages } = await run.compile(FACTS_ONLY)
  run.finish()
  return pages.map(({ page, parts }) => checkedPage(page, parts))
}

export async function checkSite(options: CheckOptions): Promise<CheckResult> {
  const state = SourceState.open(options.cacheFolder, options.version)
  const tree = new HashedTree(readFolder(options.folder), state)
  const { read } = tree
  const { site, diagnostics } = await loadHosted(tree, options)
  if (site === undefined) return { ...EMPTY_RESULT, site, diagnostics, read }
  const run = new SiteRun({ ...options, tree, site, diagnostics })
  const compiled = await run.compile(FACTS_ONLY)
  const problems = await run.findProblems(compiled, options)
  run.finish()
  state.save()
  const found = { site, pageCount: compiled.pages.length, ...problems, read }
  const { changes } = options
  if (changes === undefined) return { ...found, otherCount: 0 }
  const caused = await causedBy({ changes, tree, diagnostics: found.diagnostics, options })
  const otherCount = found.diagnostics.length - caused.length
  return { ...found, diagnostics: caused, otherCount }
}
