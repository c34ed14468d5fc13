/**
 * Builds the search indexes of a site. There is one set of indexes per access label, so that each
 * file has exactly one label. A reader searches all indexes that they may read. The files of the
 * main label have the same names as on a site without labels.
 */
import type { Navigation } from '@octavo/model'
import { type SearchScope, SearchScopes } from '@octavo/search'
import type { InterfaceTexts, LabeledUrl } from '@octavo/theme'
import type { CompiledPage } from '../../compile/compile-page.ts'
import type { PlannedPage } from '../../plan/plan-pages.ts'
import { groupByLabel, type SiteAccess } from '../../plan/site-access.ts'
import type { SiteOutput } from '../site-output.ts'
import { rootPath } from './data-files.ts'
import { SearchCache } from './search-cache.ts'
import { isIn, SearchIndex, type SearchInput } from './search-index.ts'
import type { SearchPlace } from './search-place.ts'

export type SearchIndexesInput = Omit<SearchInput, 'files' | 'cache'> & {
  readonly output: SiteOutput
  readonly access: SiteAccess
  readonly texts: InterfaceTexts
  readonly cacheFolder: string
}

export class SearchIndexes {
  readonly #navigation: Navigation
  readonly #cache: SearchCache
  readonly #roots: SearchRoots
  readonly #indexes: readonly SearchIndex[]
  readonly #indexOf = new Map<string, SearchIndex>()

  /** `pages` are the searchable pages in reading order. */
  constructor(input: SearchIndexesInput, pages: readonly PlannedPage[]) {
    const { output, access, cacheFolder, version, navigation } = input
    this.#navigation = navigation
    this.#cache = new SearchCache(cacheFolder, version)
    this.#roots = new SearchRoots({ navigation, access, pages })
    this.#indexes = this.#roots.labels.map(({ label, items }) => {
      const files = { output, name: access.nameOf(label), access: label }
      const index = new SearchIndex({ ...input, files, cache: this.#cache }, items)
      for (const { path } of items) this.#indexOf.set(path, index)
      return index
    })
  }

  /** Adds a page that has been compiled in this build. */
  add(page: PlannedPage, compiled: CompiledPage): void {
    this.#indexOf.get(page.path)?.add(page, compiled)
  }

  /** Returns where the data of a page is, so that only the page's text can be replaced later. */
  placeOf(page: PlannedPage): SearchPlace | undefined {
    return this.#indexOf.get(page.path)?.placeOf(page)
  }

  async finish(): Promise<void> {
    const { all } = new SearchScopes(this.#navigation)
    for (const [place, index] of this.#indexes.entries()) {
      await index.finish(all.filter((scope) => this.#roots.has(scope, place)))
    }
    this.#cache.finish(new Set(this.#indexes.flatMap((index) => [...index.keys()])))
  }
}

export type SearchRootsInput = {
  readonly navigation: Navigation
  readonly access: SiteAccess
  /** All searchable pages of the site. */
  readonly pages: readonly PlannedPage[]
}

/**
 * Determines which indexes exist: always those of the main label, and those of other labels if they
 * contain pages.
 */
export class SearchRoots {
  readonly labels: ReturnType<typeof groupByLabel<PlannedPage>>
  readonly #navigation: Navigation
  readonly #access: SiteAccess

  constructor({ navigation, access, pages }: SearchRootsInput) {
    this.#navigation = navigation
    this.#access = access
    const labels = groupByLabel(pages)
    const isMain = ({ label }: (typeof labels)[number]) => access.nameOf(label) === ''
    this.labels = [
      labels.find(isMain) ?? { label: access.main, items: [] },
      ...labels.filter((one) => !isMain(one)),
    ]
  }

  has(scope: SearchScope, place: number): boolean {
    if (place === 0) return true
    return this.labels[place]?.items.some((page) => isIn(scope, page, this.#navigation)) === true
  }

  /** Returns the URLs of all index roots of a scope, with their access labels. */
  readonly of = (scope: SearchScope): readonly LabeledUrl[] =>
    this.labels.flatMap(({ label }, place) => {
      if (!this.has(scope, place)) return []
      const path = rootPath({ name: this.#access.nameOf(label) }, scope.name)
      return [{ url: `/${path}`, access: label }]
    })
}
