/**
 * Builds the search indexes for the pages of one access label, one for each language and version. A
 * page is indexed when it is compiled, and its terms are cached; at the end, they are merged into
 * indexes. An index whose pages have not changed is not rebuilt. The sections of the pages are also
 * written, because questions are answered from them.
 */
import type { NavDivision, NavGroup, Navigation, NavPage } from '@octavo/model'
import {
  INDEX_LIMITS,
  type IndexedPage,
  type LanguageWords,
  languageWords,
  PAGES_PER_FOLDER,
  PageTerms,
  pageFolder,
  type SearchRoot,
  type SearchScope,
  termsOf,
} from '@octavo/search'
import { type InterfaceTexts, interfaceText, searchWords } from '@octavo/theme'
import type { CompiledPage } from '../../compile/compile-page.ts'
import type { PlannedPage } from '../../plan/plan-pages.ts'
import { hashBytes, hashFile } from '../../source/hash-bytes.ts'
import { dataFolder, rootPath, type SearchFiles, sectionsPath, writeNamed } from './data-files.ts'
import { indexKey, keepData, writeIndexRoot } from './index-root.ts'
import { indexedPage, printSections, type SearchedPage, searchedPage } from './indexed-page.ts'
import type { SearchCache } from './search-cache.ts'
import { type SearchPlace, searchKey, searchName } from './search-place.ts'

export type SearchInput = {
  readonly files: SearchFiles
  readonly cache: SearchCache
  readonly navigation: Navigation
  readonly siteName: string
  /** The groups of words that docs.json declares to mean the same. */
  readonly synonyms: readonly (readonly string[])[]
  /** Interface text in all languages of the site. */
  readonly texts: InterfaceTexts
  /** A hash that covers everything that determines the index, except the pages. */
  readonly version: string
  /** A key of the content of each page, by path. */
  readonly contents: ReadonlyMap<string, string>
  /** Loads a page that was not compiled in this build. */
  readonly load: (page: PlannedPage) => Promise<CompiledPage>
}

/** A group of pages whose files share a folder. */
type PageFolder = {
  readonly number: number
  readonly pages: readonly PlannedPage[]
  readonly shown: Map<string, IndexedPage>
  /** The sections of the pages, as lines of JSON. */
  readonly sections: Map<string, string>
  name?: string
}

export class SearchIndex {
  readonly #input: SearchInput
  readonly #cache: SearchCache
  readonly #pages: readonly PlannedPage[]
  readonly #files: readonly PageFolder[]
  readonly #fileOf = new Map<string, PageFolder>()
  readonly #keys = new Map<string, string>()
  readonly #searchedPages = new Map<string, SearchedPage>()
  readonly #scopesOf = new Map<string, readonly string[]>()
  /** The name of the site as it appears in titles and queries. */
  readonly #name: string
  #terms: PageTerms | undefined

  /** `pages` are the searchable pages in reading order. */
  constructor(input: SearchInput, pages: readonly PlannedPage[]) {
    this.#input = input
    this.#pages = pages
    this.#cache = input.cache
    this.#name = searchName(input.siteName)
    const files: PageFolder[] = []
    for (let start = 0; start < pages.length; start += PAGES_PER_FOLDER) {
      const part = pages.slice(start, start + PAGES_PER_FOLDER)
      const number = start / PAGES_PER_FOLDER
      const file = { number, pages: part, shown: new Map(), sections: new Map() }
      files.push(file)
      for (const { path } of part) this.#fileOf.set(path, file)
    }
    this.#files = files
  }

  /** Adds a page that has been compiled in this build. */
  add(page: PlannedPage, compiled: CompiledPage): void {
    const file = this.#fileOf.get(page.path)
    if (file === undefined) return
    const { sections } = compiled
    this.#store(page, sections)
    file.shown.set(page.path, indexedPage(this.#searched(page), sections))
    file.sections.set(page.path, printSections(this.#searched(page), sections))
    if (file.shown.size === file.pages.length) this.#writePages(file)
  }

  /** Returns the names of the scopes that contain a page. */
  scopesOf(path: string): readonly string[] {
    return this.#scopesOf.get(path) ?? []
  }

  /** Returns where the data of a page is, so that only the page's text can be replaced later. */
  placeOf(page: PlannedPage): SearchPlace | undefined {
    const file = this.#fileOf.get(page.path)
    return (
      file && {
        page: this.#searched(page),
        folder: file.number,
        index: file.pages.indexOf(page),
        scopes: this.scopesOf(page.path),
      }
    )
  }

  async finish(scopes: readonly SearchScope[]): Promise<void> {
    for (const file of this.#files) {
      if (file.name === undefined && !this.#keepPages(file)) await this.#completePages(file)
    }
    for (const scope of scopes) await this.#writeScope(scope)
  }

  /** Returns the keys of all pages in the index. */
  keys(): Iterable<string> {
    return this.#keys.values()
  }

  #keepPages(file: PageFolder): boolean {
    const key = this.#fileKey(file)
    const name = this.#cache.pageFile(key)
    if (
      name === undefined ||
      !keepData(
        this.#input.files,
        file.pages.map((_, index) => `${name}/${index}`),
      )
    )
      return false
    const { files } = this.#input
    if (!files.output.keep(sectionsPath(files, file.number), { key, access: files.access }))
      return false
    file.name = name
    this.#cache.keepPageFile(key, name)
    return true
  }

  async #completePages(file: PageFolder): Promise<void> {
    for (const page of file.pages) {
      if (!file.shown.has(page.path)) await this.#indexPage(page, file)
    }
    this.#writePages(file)
  }

  async #indexPage(page: PlannedPage, file: PageFolder): Promise<void> {
    const { sections } = await this.#input.load(page)
    file.shown.set(page.path, indexedPage(this.#searched(page), sections))
    file.sections.set(page.path, printSections(this.#searched(page), sections))
    if (this.#cache.records.get(this.#keyOf(page)) === undefined) this.#store(page, sections)
  }

  #store(page: PlannedPage, sections: CompiledPage['sections']): void {
    const { records } = this.#cache
    this.#terms ??= new PageTerms(records.table, this.#name)
    records.set(this.#keyOf(page), this.#terms.encode(this.#searched(page), sections))
  }

  #writePages(file: PageFolder): void {
    const { files } = this.#input
    const key = this.#fileKey(file)
    const shown = file.pages.map(({ path }) => JSON.stringify(file.shown.get(path)))
    file.name = pageFolder(file.number, hashFile(shown.join('')).slice(0, 6))
    for (const [index, content] of shown.entries()) {
      writeNamed(files, { name: `${file.name}/${index}`, content })
    }
    const lines = file.pages.map(({ path }) => file.sections.get(path))
    const facts = { key, access: files.access }
    files.output.write(sectionsPath(files, file.number), `[\n${lines.join(',\n')}\n]\n`, facts)
    file.shown.clear()
    file.sections.clear()
    this.#cache.keepPageFile(key, file.name)
  }

  async #writeScope(scope: SearchScope): Promise<void> {
    const { navigation, files, version } = this.#input
    const { output, access } = files
    const places: number[] = []
    for (const [place, page] of this.#pages.entries()) {
      if (isIn(scope, page, navigation)) places.push(place)
    }
    const pages = places.flatMap((place) => this.#pages[place] ?? [])
    const boosts = pages.flatMap((page, index) => {
      const boost = boostOf(page)
      return boost === 1 ? [] : [[index, boost] as const]
    })
    const folders = new Set(pages.map(({ path }) => this.#fileOf.get(path)?.name ?? ''))
    const tabs = tabsOf(pages)
    const index = {
      files,
      cache: this.#cache,
      scope: scope.name,
      version,
      keys: pages.map((page) => this.#keyOf(page)),
      about: {
        folder: `/${dataFolder(files)}`,
        runs: runsOf(places),
        pageFolders: [...folders].map((name) => name.slice(name.indexOf('-') + 1)),
        boosts,
        ...(tabs.length > 0 && { tabs }),
        words: searchWords(interfaceText(scope.language ?? 'en', this.#input.texts)),
        language: this.#wordsOf(scope),
      },
    }
    for (const { path } of pages) this.#scopesOf.set(path, [...this.scopesOf(path), scope.name])
    const key = indexKey(index)
    const before = this.#cache.index(key)
    const isKept = before !== undefined && output.keep(rootPath(files, scope.name), { key, access })
    if (isKept && keepData(files, before)) {
      this.#cache.keepIndex(key, before)
      return
    }
    for (const page of pages) await this.#completeTerms(page)
    writeIndexRoot(index)
  }

  #wordsOf({ language = 'en' }: SearchScope): LanguageWords {
    // A list that is too long is reported, and its first entries are used.
    const synonyms = this.#input.synonyms
      .slice(0, INDEX_LIMITS.synonymGroupsMax)
      .map((group) => group.slice(0, INDEX_LIMITS.synonymsMax))
    const siteName = termsOf(this.#name).slice(0, INDEX_LIMITS.synonymsMax)
    return {
      ...languageWords(language),
      ...(synonyms.length > 0 && { synonyms }),
      ...(siteName.length > 0 && { siteName }),
    }
  }

  async #completeTerms(page: PlannedPage): Promise<void> {
    const file = this.#fileOf.get(page.path)
    const isKnown = this.#cache.records.get(this.#keyOf(page)) !== undefined
    if (!isKnown && file !== undefined) await this.#indexPage(page, file)
  }

  #fileKey(file: PageFolder): string {
    return hashBytes(String(file.number), ...file.pages.map((page) => this.#keyOf(page)))
  }

  #keyOf(page: PlannedPage): string {
    const known = this.#keys.get(page.path)
    if (known !== undefined) return known
    const content = this.#input.contents.get(page.path) ?? ''
    const key = searchKey(this.#searched(page), this.#name, content)
    this.#keys.set(page.path, key)
    return key
  }

  #searched(page: PlannedPage): SearchedPage {
    const known = this.#searchedPages.get(page.path)
    if (known !== undefined) return known
    const searched = searchedPage(page)
    this.#searchedPages.set(page.path, searched)
    return searched
  }
}

/**
 * Checks whether any navigation entry of a page is in the scope. A page without an entry is in
 * every scope.
 */
export function isIn(
  scope: SearchScope,
  { path, entry }: PlannedPage,
  navigation: Navigation,
): boolean {
  if (entry === undefined) return true
  return (navigation.repeated.get(path) ?? [entry]).some(scope.includes)
}

/** Returns the `boost` of the page, or that of the nearest navigation node that contains it. */
function boostOf({ frontmatter, entry }: PlannedPage): number {
  if (frontmatter.fields.boost !== undefined) return frontmatter.fields.boost
  let at: NavDivision | NavGroup | undefined = entry?.parent
  for (; at !== undefined; at = at.parent) {
    if (at.details.boost !== undefined) return at.details.boost
  }
  return 1
}

/**
 * Returns runs of consecutive pages in the same tab, or no runs if the pages are in fewer than two
 * tabs.
 */
function tabsOf(pages: readonly PlannedPage[]): NonNullable<SearchRoot['tabs']> {
  const runs: [label: string, pages: number][] = []
  for (const { entry } of pages) {
    const label = tabOf(entry)
    const last = runs.at(-1)
    if (last?.[0] === label) last[1] += 1
    else runs.push([label, 1])
  }
  const labels = new Set(runs.map(([label]) => label).filter((label) => label !== ''))
  return labels.size < 2 ? [] : runs
}

function tabOf(entry: NavPage | undefined): string {
  let at: NavDivision | NavGroup | undefined = entry?.parent
  while (at !== undefined && !(at.type === 'division' && at.kind === 'tab')) at = at.parent
  return at?.label ?? ''
}

/** Groups consecutive numbers into runs, each with its first number and its length. */
function runsOf(places: readonly number[]): readonly (readonly [first: number, count: number])[] {
  const runs: [number, number][] = []
  for (const place of places) {
    const last = runs.at(-1)
    if (last !== undefined && last[0] + last[1] === place) last[1] += 1
    else runs.push([place, 1])
  }
  return runs
}
