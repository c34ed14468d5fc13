/**
 * Everything that is wrong with a site: what loading it finds, what compiling its pages finds, and
 * what only shows when all pages and files are known. Writes nothing but the cache of pages.
 */
import { type Diagnostic, DiagnosticList, placeOf } from '@octavo/model'
import { type LoadedSite, loadSite } from '../load/load-site.ts'
import type { ReadHosted } from '../load/specification-library.ts'
import { HashedTree } from '../source/hashed-tree.ts'
import { readFolder } from '../source/read-folder.ts'
import { checkConfig } from './check-config.ts'
import { LinkChecker } from './check-links.ts'
import { checkOrphans } from './check-orphans.ts'
import { checkSnippets } from './check-snippets.ts'
import { compileSite } from './compile-site.ts'
import { checkExternalLinks, type ExternalOptions } from './external-links.ts'
import { SiteAddresses } from './site-addresses.ts'
import { type IgnoreRule, suppress } from './suppressions.ts'

export type CheckOptions = {
  readonly folder: string
  readonly cacheFolder: string
  readonly version: string
  readonly workersMax?: number
  readonly readHosted?: ReadHosted
  /** Asks other sites whether the pages that are linked to are there. */
  readonly external?: ExternalOptions
}

export type CheckResult = {
  readonly site: LoadedSite | undefined
  /** Those of specifications too. */
  readonly pageCount: number
  readonly diagnostics: readonly Diagnostic[]
  readonly suppressedCount: number
  readonly read: (file: string) => string | undefined
}

/** Texts in which an author can write a suppression. */
const COMMENTED = /\.(?:mdx?|ya?ml)$/

export async function checkSite(options: CheckOptions): Promise<CheckResult> {
  const tree = new HashedTree(readFolder(options.folder))
  const { readHosted } = options
  const { site, diagnostics } = loadSite(tree, readHosted === undefined ? {} : { readHosted })
  const { read } = tree
  if (site === undefined) return { site, pageCount: 0, diagnostics, suppressedCount: 0, read }
  const found = new UniqueDiagnostics()
  diagnostics.forEach(found.report)
  const { report } = found
  const pages = await compileSite({ ...options, tree, site, report })
  const addresses = new SiteAddresses(site, tree, pages)
  const links = new LinkChecker({ addresses, tree, report })
  for (const page of pages) links.checkPage(page)
  checkConfig({ site, addresses, report })
  checkOrphans({ site, tree, pages, addresses, report })
  if (!pages.some(({ failed }) => failed)) checkSnippets(tree, pages, report)
  if (options.external !== undefined) {
    const all = pages.flatMap((page) => page.links)
    await checkExternalLinks(all, {
      ...options.external,
      placeOf: (link) => links.placeOf(link),
      report,
    })
  }
  const files = tree.files.filter((file) => COMMENTED.test(file))
  const { kept, suppressedCount } = suppress(found.all(), { files, read, rules: ignoreRules(site) })
  const list = new DiagnosticList()
  kept.forEach(list.report)
  return { site, pageCount: pages.length, diagnostics: list.sorted(), suppressedCount, read }
}

/** What docs.json says, with the place of each rule. */
function ignoreRules({ config }: LoadedSite): readonly IgnoreRule[] {
  const root = config.navigation.node?.parent
  const check = root?.type === 'object' ? root.members.get('check')?.value : undefined
  const list = check?.type === 'object' ? check.members.get('ignore')?.value : undefined
  if (list?.type !== 'array') return []
  return (config.check?.ignore ?? []).flatMap((rule, index) => {
    const node = list.items[index]
    return node === undefined ? [] : [{ ...rule, place: placeOf(node) }]
  })
}

/** A snippet that ten pages use has its mistake once. */
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
