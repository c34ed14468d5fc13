/**
 * Builds the search indexes for the pages of one access label, one for each language and version. A
 * page is indexed when it is compiled, and its terms are cached; at the end, they are merged into
 * indexes. An index whose pages have not changed is not rebuilt. The sections of the pages are also
 * written, because questions are answered from them.
 */
import type { NavDivision, NavGroup, Navigation, NavPage } from '@octavo/model'
import {
  countTerms,
  INDEX_LIMITS,
  type IndexedPage,
  type LanguageWords,
  languageWords,
  makeIndex,
  PAGES_PER_FOLDER,
  PageTerms,
  pageFolder,
  recountTerms,
  type SearchRoot,
  type SearchScope,
  type TermUse,
  termsOf,
} from '@octavo/search'
import { type InterfaceTexts, interfaceText, searchWords } from '@octavo/theme'
import type { CompiledPage } from '../../compile/compile-page.ts'
import type { PlannedPage } from '../../plan/plan-pages.ts'
import { hashBytes, hashFile } from '../../source/hash-bytes.ts'
import {
  compress,
  dataFolder,
  dataPath,
  rootPath,
  type SearchFiles,
  sectionsPath,
  writeData,
  writeNamed,
} from './data-files.ts'
import { indexedPage, operationOf, pageFacts, printSections, trailOf } from './indexed-page.ts'
import type { SearchCache } from './search-cache.ts'

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

/** The minimum number of pages of an index whose counts are stored for the next build. */
const COUNTED_PAGES_MIN = 500
const NO_TERMS = new Uint8Array()

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
  /** The name of the site as it appears in titles and queries. */
  readonly #name: string
  #terms: PageTerms | undefined

  /** `pages` are the searchable pages in reading order. */
  constructor(input: SearchInput, pages: readonly PlannedPage[]) {
    this.#input = input
    this.#pages = pages
    this.#cache = input.cache
    this.#name = input.siteName.replace(/\s+(?:docs?|documentation)$/i, '').trim()
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
    file.shown.set(page.path, indexedPage(page, sections))
    file.sections.set(page.path, printSections(page, sections))
    if (file.shown.size === file.pages.length) this.#writePages(file)
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
    if (name === undefined || !this.#keep(file.pages.map((_, index) => `${name}/${index}`)))
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
    file.shown.set(page.path, indexedPage(page, sections))
    file.sections.set(page.path, printSections(page, sections))
    if (this.#cache.records.get(this.#keyOf(page)) === undefined) this.#store(page, sections)
  }

  #store(page: PlannedPage, sections: CompiledPage['sections']): void {
    const { records } = this.#cache
    this.#terms ??= new PageTerms(records.table, this.#name)
    records.set(this.#keyOf(page), this.#terms.encode(pageFacts(page), sections))
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
    const pageFolders = [...folders].map((name) => name.slice(name.indexOf('-') + 1))
    const tabs = tabsOf(pages)
    const language = this.#wordsOf(scope)
    const key = hashBytes(
      version,
      `${files.name} ${scope.name}`,
      scope.language ?? '',
      JSON.stringify([boosts, tabs, language]),
      ...pageFolders,
      ...pages.map((page) => this.#keyOf(page)),
    )
    const before = this.#cache.index(key)
    const facts = { key, access }
    const root = rootPath(files, scope.name)
    const shardKey = (shard: string) => `${files.name}${scope.name} ${shard}`
    if (before !== undefined && output.keep(root, facts) && this.#keep(before)) {
      this.#cache.keepIndex(key, before)
      return
    }
    const terms: Uint8Array[] = []
    for (const page of pages) terms.push(await this.#termsOf(page))
    const names: string[] = []
    const content = makeIndex({
      hash: hashBytes,
      pages: terms,
      terms: this.#cache.records.table.terms,
      use: this.#countTerms(`${files.name} ${scope.name}`, pages, terms),
      put: (content, shard) => {
        const name = writeData(files, { name: `${scope.name}/`, content })
        names.push(name)
        if (shard !== undefined) this.#cache.keepShard(shardKey(shard), name)
        return name
      },
      keep: (shard) => {
        const name = this.#cache.shard(shardKey(shard))
        if (name === undefined || !this.#keep([name])) return undefined
        names.push(name)
        return name
      },
      about: {
        folder: `/${dataFolder(files)}`,
        runs: runsOf(places),
        pageFolders,
        boosts,
        ...(tabs.length > 0 && { tabs }),
        words: searchWords(interfaceText(scope.language ?? 'en', this.#input.texts)),
        language,
      },
    })
    output.write(root, compress(JSON.stringify(content)), facts)
    this.#cache.keepIndex(key, names)
  }

  /** Counts the terms of a large index. If few pages have changed, only those are counted. */
  #countTerms(
    index: string,
    pages: readonly PlannedPage[],
    bytes: readonly Uint8Array[],
  ): TermUse | undefined {
    if (pages.length < COUNTED_PAGES_MIN) return undefined
    const { records } = this.#cache
    const { terms } = records.table
    const keys = pages.map((page) => this.#keyOf(page))
    const before = records.counts(index)
    const changed =
      before?.keys.length === keys.length
        ? [...keys.keys()].filter((at) => before.keys[at] !== keys[at])
        : undefined
    const recounted =
      before &&
      changed &&
      recountTerms(
        before.use,
        changed.map((at) => {
          const old = records.get(before.keys[at] ?? '') ?? NO_TERMS
          return { index: at, before: old, now: bytes[at] ?? NO_TERMS }
        }),
        terms,
      )
    const use = recounted ?? countTerms({ pages: bytes, terms })
    records.setCounts(index, { keys, use })
    return use
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

  async #termsOf(page: PlannedPage): Promise<Uint8Array> {
    const file = this.#fileOf.get(page.path)
    const { records } = this.#cache
    const known = records.get(this.#keyOf(page))
    if (known !== undefined || file === undefined) return known ?? NO_TERMS
    await this.#indexPage(page, file)
    return records.get(this.#keyOf(page)) ?? NO_TERMS
  }

  /**
   * Returns true if all files exist. They are up to date, because their names contain a hash of the
   * content.
   */
  #keep(names: readonly string[]): boolean {
    const { files } = this.#input
    return names.every((name) => files.output.keepNamed(dataPath(files, name), files.access))
  }

  #fileKey(file: PageFolder): string {
    return hashBytes(String(file.number), ...file.pages.map((page) => this.#keyOf(page)))
  }

  #keyOf(page: PlannedPage): string {
    const known = this.#keys.get(page.path)
    if (known !== undefined) return known
    const { path, url, title, description, entry } = page
    const { sidebarTitle, keywords } = page.frontmatter.fields
    const { method, path: operation } = operationOf(page) ?? {}
    const facts = [path, url, title, description, sidebarTitle, keywords, method, operation]
    const content = this.#input.contents.get(path)
    const around = entry && [labelsAround(entry), trailOf(entry)]
    const key = hashBytes(JSON.stringify([...facts, this.#name, around, content]))
    this.#keys.set(path, key)
    return key
  }
}

/** Returns all labels that `breadcrumbs` may show for a page. */
function labelsAround(entry: NavPage): readonly string[] {
  const labels: string[] = []
  let at: NavDivision | NavGroup | undefined = entry.parent
  for (; at !== undefined; at = at.parent) labels.push(at.label)
  return labels
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
