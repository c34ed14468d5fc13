/** Finds all problems of a site. Writes only the cache of compiled pages. */
import type { Diagnostic } from '@octavo/model'
import { printBaseline } from '../check/baseline.ts'
import { type CheckedPage, checkedPage } from '../check/checked-page.ts'
import type { ExternalOptions } from '../check/external-links.ts'
import type { LoadedSite } from '../load/load-site.ts'
import { HashedTree } from '../source/hashed-tree.ts'
import { readFolder } from '../source/read-folder.ts'
import type { PageConsumer } from './page-pipeline.ts'
import { loadHosted, type RunInput, type SiteOptions, SiteRun } from './site-run.ts'

export type CheckOptions = SiteOptions & {
  readonly folder: string
  /** Enables the check of links to other sites. */
  readonly external?: ExternalOptions
  /** Reports the findings of the baseline file too. */
  readonly withoutBaseline?: boolean
}

export type CheckResult = {
  readonly site: LoadedSite | undefined
  /** Includes pages of specifications. */
  readonly pageCount: number
  readonly diagnostics: readonly Diagnostic[]
  readonly suppressedCount: number
  /** Findings that are in the baseline file, and so not in `diagnostics`. */
  readonly knownCount: number
  /** Entries of the baseline file that are no longer found. */
  readonly fixedCount: number
  /** Returns the text of a baseline file with everything that is in `diagnostics`. */
  readonly printBaseline: () => string
  readonly read: (file: string) => string | undefined
}

/** Checks need only facts: no page is loaded, and nothing is written. */
const FACTS_ONLY: PageConsumer = { keep: () => true, write: () => {} }

const NOTHING_CHECKED = {
  pageCount: 0,
  suppressedCount: 0,
  knownCount: 0,
  fixedCount: 0,
  printBaseline: () => printBaseline([]),
}

/** Returns the facts of every page, from the cache or compiled now. */
export async function compileFacts(input: RunInput): Promise<readonly CheckedPage[]> {
  const run = new SiteRun(input)
  const { pages } = await run.compile(FACTS_ONLY)
  run.finish()
  return pages.map(({ page, parts }) => checkedPage(page, parts))
}

export async function checkSite(options: CheckOptions): Promise<CheckResult> {
  const tree = new HashedTree(readFolder(options.folder))
  const { read } = tree
  const { site, diagnostics } = await loadHosted(tree, options)
  if (site === undefined) return { ...NOTHING_CHECKED, site, diagnostics, read }
  const run = new SiteRun({ ...options, tree, site, diagnostics })
  const compiled = await run.compile(FACTS_ONLY)
  const problems = await run.findProblems(compiled, options)
  run.finish()
  return { site, pageCount: compiled.pages.length, ...problems, read }
}
