/**
 * All problems of a site once its pages are compiled: those found while loading and compiling, and
 * those that need all pages and files. Suppressed ones are omitted.
 */
import {
  type Diagnostic,
  DiagnosticList,
  type FailOn,
  placeOf,
  stopsDeployment,
} from '@octavo/model'
import type { LoadedSite } from '../load/load-site.ts'
import type { HashedTree } from '../source/hashed-tree.ts'
import { applyBaseline, BASELINE_FILE, printBaseline } from './baseline.ts'
import { checkConfig } from './check-config.ts'
import { LinkChecker } from './check-links.ts'
import { checkOrphans } from './check-orphans.ts'
import { checkPolicy } from './check-policy.ts'
import { checkSnippets } from './check-snippets.ts'
import type { CheckedPage } from './checked-page.ts'
import { checkExternalLinks, type ExternalOptions } from './external-links.ts'
import { SiteAddresses } from './site-addresses.ts'
import { type IgnoreRule, suppress } from './suppressions.ts'

export type ProblemsInput = {
  readonly site: LoadedSite
  readonly tree: HashedTree
  readonly pages: readonly CheckedPage[]
  /** Diagnostics of loading, planning and compiling. */
  readonly found: Iterable<Diagnostic>
  /** Enables the check of links to other sites. */
  readonly external?: ExternalOptions | undefined
  /** Findings that stop a deployment, instead of what docs.json says. */
  readonly failOn?: FailOn | undefined
  /** Reports the findings of the baseline file too. */
  readonly withoutBaseline?: boolean | undefined
}

export type Problems = {
  readonly diagnostics: readonly Diagnostic[]
  readonly suppressedCount: number
  /** Findings that are in the baseline file, and so not in `diagnostics`. */
  readonly knownCount: number
  /** Entries of the baseline file that are no longer found. */
  readonly fixedCount: number
  /** Findings that stop a deployment. */
  readonly stoppingCount: number
  /** The text of a baseline file with everything that is in `diagnostics`. */
  readonly printBaseline: () => string
}

/** Files in which an author can write a suppression. */
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
  const rules = ignoreRules(site)
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
    printBaseline: () => printBaseline(fresh),
  }
}

/** Returns `check.ignore` of docs.json, with the place of each rule. */
export function ignoreRules({ config, configRoot }: LoadedSite): readonly IgnoreRule[] {
  const check = configRoot?.members.get('check')?.value
  const list = check?.type === 'object' ? check.members.get('ignore')?.value : undefined
  if (list?.type !== 'array') return []
  return (config.check?.ignore ?? []).flatMap((rule, index) => {
    const node = list.items[index]
    return node === undefined ? [] : [{ ...rule, place: placeOf(node) }]
  })
}

/** Reports a problem in a snippet once, although several pages include it. */
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
