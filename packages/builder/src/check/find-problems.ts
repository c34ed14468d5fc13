/**
 * Finds all problems of a site after its pages are compiled: the diagnostics of loading and
 * compiling, and those of checks that need all pages and files. Suppressed diagnostics are omitted.
 */
import { type Diagnostic, DiagnosticList, type FailOn, stopsDeployment } from '@octavo/model'
import type { LoadedSite } from '../load/load-site.ts'
import type { HashedTree } from '../source/hashed-tree.ts'
import { applyBaseline, BASELINE_FILE, printBaseline } from './baseline.ts'
import { checkBodyExamples } from './check-body-examples.ts'
import { checkConfig } from './check-config.ts'
import { LinkChecker } from './check-links.ts'
import { checkOrphans } from './check-orphans.ts'
import { checkPolicy } from './check-policy.ts'
import { checkSnippets } from './check-snippets.ts'
import { checkTitles } from './check-titles.ts'
import type { CheckedPage } from './checked-page.ts'
import { checkExternalLinks, type ExternalOptions } from './external-links.ts'
import { SiteAddresses } from './site-addresses.ts'
import { checkRules, suppress } from './suppressions.ts'

export type ProblemsInput = {
  readonly site: LoadedSite
  readonly tree: HashedTree
  readonly pages: readonly CheckedPage[]
  /** Diagnostics from loading, planning and compiling the site. */
  readonly found: Iterable<Diagnostic>
  /** Enables the check of links to other sites. */
  readonly external?: ExternalOptions | undefined
  /** Which findings stop a deployment; overrides docs.json. */
  readonly failOn?: FailOn | undefined
  /** True to also report the findings in the baseline file. */
  readonly withoutBaseline?: boolean | undefined
}

export type Problems = {
  readonly diagnostics: readonly Diagnostic[]
  readonly suppressedCount: number
  /** Number of findings that are in the baseline file, and therefore not in `diagnostics`. */
  readonly knownCount: number
  /** Number of entries in the baseline file that no longer occur. */
  readonly fixedCount: number
  /** Number of findings that stop a deployment. */
  readonly stoppingCount: number
  /** The files in which anything was found, including what is suppressed or known. */
  readonly foundIn: ReadonlySet<string>
  /** Returns the text of a baseline file with all `diagnostics`. */
  readonly printBaseline: () => string
}

/** Matches files that may contain suppressions. */
const SUPPRESSIBLE_FILE = /\.(?:mdx?|ya?ml)$/

export async function findProblems(input: ProblemsInput): Promise<Problems> {
  const { site, tree, pages, external } = input
  const found = new UniqueDiagnostics()
  const { report } = found
  for (const diagnostic of input.found) report(diagnostic)
  const addresses = new SiteAddresses(site, tree, pages)
  const links = new LinkChecker({ addresses, tree, report })
  for (const page of pages) links.checkPage(page)
  checkConfig({ site, tree, addresses, report })
  checkTitles({ site, pages: pages.map(({ page }) => page), report })
  checkBodyExamples({ site, tree, pages, report })
  checkPolicy({ site, tree, report })
  checkOrphans({ site, tree, pages, addresses, report })
  if (!pages.some(({ failed }) => failed)) checkSnippets(tree, pages, report)
  if (external !== undefined) {
    const all = pages.flatMap((page) => page.links)
    await checkExternalLinks(all, { ...external, placeOf: (link) => links.placeOf(link), report })
  }
  const files = tree.files.filter(
    (file) => SUPPRESSIBLE_FILE.test(file) && tree.hasSuppressionMark(file),
  )
  const rules = checkRules(site)
  const { kept, suppressedCount } = suppress(found.all(), { files, read: tree.read, rules })
  const baseline = input.withoutBaseline === true ? undefined : tree.read(BASELINE_FILE)
  const { fresh, knownCount, fixedCount } = applyBaseline(kept, baseline)
  const failOn = input.failOn ?? site.config.deploy?.failOn ?? 'breaking'
  const list = new DiagnosticList()
  fresh.forEach(list.report)
  return {
    diagnostics: list.sorted(),
    suppressedCount,
    knownCount,
    fixedCount,
    stoppingCount: fresh.filter((one) => stopsDeployment(one, failOn)).length,
    foundIn: new Set(found.all().map(({ place }) => place.file)),
    printBaseline: () => printBaseline(fresh),
  }
}

/**
 * Collects diagnostics and reports a problem in a snippet only once, although several pages include
 * it.
 */
class UniqueDiagnostics {
  readonly #list: Diagnostic[] = []
  readonly #seen = new Set<string>()

  readonly report = (diagnostic: Diagnostic): void => {
    const { code, place, message } = diagnostic
    const key = `${code} ${place.file}:${place.line}:${place.column} ${message}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.#list.push(diagnostic)
  }

  all(): readonly Diagnostic[] {
    return this.#list
  }
}
