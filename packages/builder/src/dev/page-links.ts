/**
 * Checks the links, anchors and images of one page while the rest of the site is not compiled.
 * Another page is compiled only if the page links to one of its anchors.
 */
import type { Diagnostic } from '@octavo/model'
import { checkHrefs } from '../check/check-config.ts'
import { LinkChecker, targetOfLink } from '../check/check-links.ts'
import { type CheckedPage, checkedPage } from '../check/checked-page.ts'
import { SiteAddresses } from '../check/site-addresses.ts'
import type { CompiledPage } from '../compile/compile-page.ts'
import type { LoadedSite } from '../load/load-site.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import type { SourceTree } from '../source/source-tree.ts'
import type { ChangeEffects } from './change-effects.ts'

export type PageLinksInput = {
  readonly site: LoadedSite
  readonly tree: SourceTree
  readonly pages: readonly PlannedPage[]
  readonly load: (page: PlannedPage) => Promise<CompiledPage>
}

/**
 * Maximum number of pages to compile, for anchors and for links to removed pages; the full build
 * checks all pages.
 */
const TARGETS_MAX = 40
const LINKING_MAX = 100

export class PageLinks {
  readonly #input: PageLinksInput
  /**
   * All pages by path. The entry of a page is updated when it is compiled; until then, its anchors
   * are unknown.
   */
  readonly #known: ReadonlyMap<string, { -readonly [Key in keyof CheckedPage]: CheckedPage[Key] }>
  #addresses: SiteAddresses | undefined
  #removed: Promise<readonly Diagnostic[]> | undefined

  constructor(input: PageLinksInput) {
    this.#input = input
    this.#known = new Map(input.pages.map((page) => [page.path, uncompiled(page)]))
  }

  async check(page: PlannedPage, compiled: CompiledPage): Promise<readonly Diagnostic[]> {
    const { tree } = this.#input
    const addresses = this.#allAddresses()
    const checked = this.#learn(page, compiled)
    for (const target of this.#targetsOf(checked)) {
      this.#learn(target, await this.#input.load(target))
    }
    const found: Diagnostic[] = []
    const report = (one: Diagnostic) => found.push(one)
    new LinkChecker({ addresses, tree, report }).checkPage(checked)
    return found
  }

  /**
   * Returns diagnostics for links to removed pages, in docs.json and in pages that may have such
   * links.
   */
  checkRemoved(effects: Pick<ChangeEffects, 'removed' | 'linkingFiles'>) {
    this.#removed ??= this.#checkRemoved(effects)
    return this.#removed
  }

  async #checkRemoved({
    removed,
    linkingFiles,
  }: Pick<ChangeEffects, 'removed' | 'linkingFiles'>): Promise<readonly Diagnostic[]> {
    const { site, tree, pages, load } = this.#input
    if (removed.size === 0) return []
    const addresses = this.#allAddresses()
    const found: Diagnostic[] = []
    const report = (one: Diagnostic) => found.push(one)
    const isRemoved = (path: string) =>
      removed.has(path.replace(/(?:\/index)?(?:\.mdx?)?\/?$/, '') || '/')
    const check = { site, tree, addresses, report }
    if (site.configRoot !== undefined) checkHrefs(site.configRoot, check, isRemoved)
    const links = new LinkChecker(check)
    const linking = pages.filter(({ file }) => file !== undefined && linkingFiles.has(file))
    for (const page of linking.slice(0, LINKING_MAX)) {
      const checked = this.#learn(page, await load(page))
      const toRemoved = checked.links.filter(({ kind, url }) => {
        const target = kind === 'image' ? undefined : targetOfLink(url, page.file ?? page.path)
        return target !== undefined && isRemoved(target.path)
      })
      links.checkPage({ ...checked, links: toRemoved })
    }
    return found
  }

  #allAddresses(): SiteAddresses {
    const { site, tree } = this.#input
    this.#addresses ??= new SiteAddresses(site, tree, [...this.#known.values()])
    return this.#addresses
  }

  #learn(page: PlannedPage, compiled: CompiledPage): CheckedPage {
    const facts = checkedPage(page, [compiled])
    const known = this.#known.get(page.path)
    return known === undefined ? facts : Object.assign(known, facts)
  }

  /** Returns the other pages whose anchors the page links to. */
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
