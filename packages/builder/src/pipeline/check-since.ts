/**
 * Limits findings to those that an author's changes have caused: findings on changed lines, and
 * findings elsewhere that the site did not have before, such as links to a page that was deleted.
 */
import type { Diagnostic } from '@octavo/model'
import { MemoryStore } from '../cache/memory-store.ts'
import { PackStore } from '../cache/pack-store.ts'
import { newFindings } from '../check/baseline.ts'
import type { GitChanges } from '../source/git-changes.ts'
import { HashedTree } from '../source/hashed-tree.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { FACTS_ONLY } from './page-pipeline.ts'
import { loadHosted, type SiteOptions, SiteRun } from './site-run.ts'

export type SinceInput = {
  readonly changes: GitChanges
  readonly tree: SourceTree
  readonly diagnostics: readonly Diagnostic[]
  readonly options: SiteOptions
}

export async function causedBy({
  changes,
  tree,
  diagnostics,
  options,
}: SinceInput): Promise<readonly Diagnostic[]> {
  const isChanged = ({ place }: Diagnostic) => changes.hasLine(place)
  const elsewhere = diagnostics.filter((one) => !isChanged(one) && one.code !== 'link/external')
  const before = await checkBefore(changes.before(tree), options)
  // The findings of a page that was only renamed are compared with those of its earlier path.
  const earlierFile = (file: string) => changes.renamed.get(file) ?? file
  const original = new Map(
    elsewhere.map((one) => [
      { ...one, place: { ...one.place, file: earlierFile(one.place.file) } },
      one,
    ]),
  )
  const fresh = newFindings([...original.keys()], before)
  const isNew = new Set(fresh.map((one) => original.get(one)))
  return diagnostics.filter((one) => isChanged(one) || isNew.has(one))
}

/**
 * Checks the earlier state of the site. Nothing is fetched, and the cache of the current state is
 * not changed.
 */
async function checkBefore(
  source: SourceTree,
  options: SiteOptions,
): Promise<readonly Diagnostic[]> {
  const tree = new HashedTree(source)
  const { cacheFolder } = options
  const quiet: SiteOptions = {
    ...options,
    fetcher: undefined,
    store: (version) => new MemoryStore(PackStore.openEarlier(cacheFolder, version)),
  }
  const { site, diagnostics } = await loadHosted(tree, quiet)
  if (site === undefined) return diagnostics
  const run = new SiteRun({ ...quiet, tree, site, diagnostics })
  const compiled = await run.compile(FACTS_ONLY)
  const problems = await run.findProblems(compiled, { withoutBaseline: true })
  run.finish()
  return problems.diagnostics
}
