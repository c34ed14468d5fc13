/** Finds all problems of a site. Writes only the cache of compiled pages. */
import type { Diagnostic } from '@octavo/model'
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
}

export type CheckResult = {
  readonly site: LoadedSite | undefined
  /** Includes pages of specifications. */
  readonly pageCount: number
  readonly diagnostics: readonly Diagnostic[]
  readonly suppressedCount: number
  readonly read: (file: string) => string | undefined
}

/** Checks need only facts: no page is loaded, and nothing is written. */
const FACTS_ONLY: PageConsumer = { keep: () => true, write: () => {} }

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
  if (site === undefined) return { site, pageCount: 0, diagnostics, suppressedCount: 0, read }
  const run = new SiteRun({ ...options, tree, site, diagnostics })
  const compiled = await run.compile(FACTS_ONLY)
  const problems = await run.findProblems(compiled, options.external)
  run.finish()
  return { site, pageCount: compiled.pages.length, ...problems, read }
}
