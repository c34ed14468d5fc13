/**
 * Checks links, anchors and images of one page while the rest of the site is not compiled. Other
 * pages are compiled only if the page links to their anchors.
 */
import type { Diagnostic } from '@octavo/model'
import { LinkChecker, targetOfLink } from '../check/check-links.ts'
import { type CheckedPage, checkedPage } from '../check/checked-page.ts'
import { SiteAddresses } from '../check/site-addresses.ts'
import type { CompiledPage } from '../compile/compile-page.ts'
import type { LoadedSite } from '../load/load-site.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import type { SourceTree } from '../source/source-tree.ts'

export type PageLinksInput = {
  readonly site: LoadedSite
  readonly tree: SourceTree
  readonly pages: readonly PlannedPage[]
  readonly load: (page: PlannedPage) => Promise<CompiledPage>
}

/** Limit of such pages; the full build checks the rest. */
const TARGETS_MAX = 40

export class PageLinks {
  readonly #input: PageLinksInput
  /** Updated as pages are compiled; until then, their anchors are unknown. */
  readonly #known: ReadonlyMap<string, { -readonly [Key in keyof CheckedPage]: CheckedPage[Key] }>
  #addresses: SiteAddresses | undefined

  constructor(input: PageLinksInput) {
    this.#input = input
    this.#known = new Map(input.pages.map((page) => [page.path, uncompiled(page)]))
  }

  async check(page: PlannedPage, compiled: CompiledPage): Promise<readonly Diagnostic[]> {
    const { site, tree } = this.#input
    this.#addresses ??= new SiteAddresses(site, tree, [...this.#known.values()])
    const checked = this.#learn(page, compiled)
    for (const target of this.#targetsOf(checked)) {
      this.#learn(target, await this.#input.load(target))
    }
    const found: Diagnostic[] = []
    const report = (one: Diagnostic) => found.push(one)
    new LinkChecker({ addresses: this.#addresses, tree, report }).checkPage(checked)
    return found
  }

  #learn(page: PlannedPage, compiled: CompiledPage): CheckedPage {
    const facts = checkedPage(page, [compiled])
    const known = this.#known.get(page.path)
    return known === undefined ? facts : Object.assign(known, facts)
  }

  /** Returns other pages whose anchors it links to. */
  #targetsOf({ page, links }: CheckedPage): readonly PlannedPage[] {
    const targets = new Set<PlannedPage>()
    for (const { kind, url } of links) {
      if (kind === 'image' || !url.includes('#')) continue
      const target = targetOfLink(url, page.file ?? page.path)
      const found = target?.path && this.#addresses?.pageAt(target.path)
      if (found && found.page !== page) targets.add(found.page)
    }
    return [...targets].slice(0, TARGETS_MAX)
  }
}

function uncompiled(page: PlannedPage): CheckedPage {
  return { page, links: [], ids: new Set(), hasUnknownIds: true, files: [], failed: false }
}
