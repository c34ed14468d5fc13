/**
 * Replaces the text of single pages in the search files of the last build, with the same result as
 * if all files were written again.
 */
import { inflateRawSync } from 'node:zlib'
import { PAGES_PER_FOLDER, PageTerms, pageFolder, type SearchRoot } from '@octavo/search'
import type { CompiledPage } from '../../compile/compile-page.ts'
import { hashFile } from '../../source/hash-bytes.ts'
import type { OutputFolder } from '../output-folder.ts'
import { dataPath, rootPath, sectionsPath, writeNamed } from './data-files.ts'
import { type IndexRoot, indexKey, shardPrefix, writeIndexRoot } from './index-root.ts'
import { indexedPage, printSections } from './indexed-page.ts'
import { SearchCache } from './search-cache.ts'
import { type SearchPlace, searchKey, searchName } from './search-place.ts'

/** A page with new text. `before` and `now` are keys of its old and new content. */
export type SearchChange = SearchPlace & {
  readonly before: string
  readonly now: string
  readonly sections: CompiledPage['sections']
}

export type SearchEditInput = {
  readonly output: OutputFolder
  readonly cacheFolder: string
  readonly version: string
  readonly siteName: string
}

type OpenScope = {
  readonly scope: string
  readonly root: SearchRoot
  readonly keys: string[]
  readonly pageFolders: string[]
  /** The key of the index before the edit. */
  readonly before: string
}

type OpenEdit = {
  readonly cache: SearchCache
  readonly scopes: ReadonlyMap<string, OpenScope>
  readonly changes: readonly SearchChange[]
}

export class SearchEdit {
  readonly #input: SearchEditInput
  readonly #cache: SearchCache
  readonly #scopes: ReadonlyMap<string, OpenScope>
  readonly #changes: readonly SearchChange[]

  /** Returns undefined if anything of the last build is missing. Nothing is written by then. */
  static open(input: SearchEditInput, changes: readonly SearchChange[]): SearchEdit | undefined {
    const cache = new SearchCache(input.cacheFolder, input.version)
    const scopes = new Map<string, OpenScope>()
    for (const name of new Set(changes.flatMap((change) => change.scopes))) {
      const scope = openScope(input, cache, name)
      if (scope === undefined) return undefined
      scopes.set(name, scope)
    }
    const name = searchName(input.siteName)
    const hasPage = ({ page, before, scopes: names }: SearchChange) =>
      names.length > 0 &&
      names.every((one) => scopes.get(one)?.keys.includes(searchKey(page, name, before)))
    return changes.every(hasPage) ? new SearchEdit(input, { cache, scopes, changes }) : undefined
  }

  private constructor(input: SearchEditInput, { cache, scopes, changes }: OpenEdit) {
    this.#input = input
    this.#cache = cache
    this.#scopes = scopes
    this.#changes = changes
  }

  write(): void {
    const { records } = this.#cache
    const name = searchName(this.#input.siteName)
    const terms = new PageTerms(records.table, name)
    const old = new Set<string>()
    this.#cache.keepAll()
    for (const change of this.#changes) {
      const { page, before, now, sections } = change
      const [oldKey, key] = [before, now].map((content) => searchKey(page, name, content))
      if (oldKey === undefined || key === undefined || oldKey === key) continue
      records.set(key, terms.encode(page, sections))
      old.add(oldKey)
      for (const scope of change.scopes) {
        const keys = this.#scopes.get(scope)?.keys ?? []
        keys[keys.indexOf(oldKey)] = key
      }
      this.#replaceSections(change)
    }
    if (old.size === 0) return
    for (const folder of new Set(this.#changes.map((change) => change.folder)))
      this.#replaceFolder(folder)
    for (const scope of this.#scopes.values()) this.#writeScope(scope)
    this.#cache.finish({ has: (key) => !old.has(key) })
  }

  /** The name of a folder contains a hash of all its pages, so all its files move. */
  #replaceFolder(folder: number): void {
    const { output } = this.#input
    const files = filesOf(output)
    const changes = this.#changes.filter((change) => change.folder === folder)
    const [scope = ''] = changes.flatMap(({ scopes }) => scopes)
    const { root, pageFolders } = this.#scopes.get(scope) ?? {}
    const hash = root && pageFolders?.[placeOfFolder(root, folder)]
    if (hash === undefined) return
    const before = pageFolder(folder, hash)
    const texts: string[] = []
    for (let at = 0; output.has(dataPath(files, `${before}/${at}`)); at += 1)
      texts.push(inflate(output, dataPath(files, `${before}/${at}`)))
    for (const at of texts.keys()) output.drop(dataPath(files, `${before}/${at}`))
    for (const { page, index, sections } of changes)
      texts[index] = JSON.stringify(indexedPage(page, sections))
    const now = hashFile(texts.join('')).slice(0, 6)
    for (const [at, content] of texts.entries())
      writeNamed(files, { name: `${pageFolder(folder, now)}/${at}`, content })
    for (const one of this.#scopes.values()) {
      const place = placeOfFolder(one.root, folder)
      if (place >= 0) one.pageFolders[place] = now
    }
  }

  #replaceSections({ page, folder, index, sections }: SearchChange): void {
    const { output } = this.#input
    const path = sectionsPath(filesOf(output), folder)
    const lines = Buffer.from(output.readBytes(path)).toString('utf8').slice(2, -3).split(',\n')
    const text = `[\n${lines.with(index, printSections(page, sections)).join(',\n')}\n]\n`
    output.replace(path, text)
  }

  #writeScope({ scope, root, keys, pageFolders, before }: OpenScope): void {
    const { output, version } = this.#input
    const files = filesOf(output)
    const index = { files, cache: this.#cache, scope, version, keys }
    const obsolete = this.#cache.index(before) ?? []
    for (const name of obsolete) output.drop(dataPath(files, name))
    output.drop(rootPath(files, scope))
    this.#cache.dropIndex(before, shardPrefix(index))
    writeIndexRoot({ ...index, about: { ...aboutOf(root), pageFolders } })
  }
}

function openScope(
  { output, version }: SearchEditInput,
  cache: SearchCache,
  scope: string,
): OpenScope | undefined {
  const files = filesOf(output)
  const { keys = [] } = cache.records.counts(`${files.name} ${scope}`) ?? {}
  const path = rootPath(files, scope)
  if (!output.has(path) || !keys.every((key) => cache.records.get(key) !== undefined)) return
  const root = JSON.parse(inflate(output, path)) as SearchRoot
  const index: IndexRoot = { files, cache, scope, version, keys, about: aboutOf(root) }
  const before = indexKey(index)
  if (cache.index(before) === undefined) return undefined
  return { scope, root, keys: [...keys], pageFolders: [...root.pageFolders], before }
}

/** Only sites without access labels are edited, so there is one set of indexes. */
function filesOf(output: OutputFolder) {
  return { output, name: '', access: 'default' } as const
}

function aboutOf(root: SearchRoot): IndexRoot['about'] {
  const {
    format: _,
    vocabulary: _vocabulary,
    shards: _shards,
    sections: _sections,
    ...about
  } = root
  return about
}

/** Returns the place of a page folder among those of an index, or -1. */
function placeOfFolder({ runs }: SearchRoot, folder: number): number {
  const folders = new Set<number>()
  for (const [first, count] of runs) {
    for (let page = first; page < first + count; page += 1)
      folders.add(Math.floor(page / PAGES_PER_FOLDER))
  }
  return [...folders].indexOf(folder)
}

function inflate(output: OutputFolder, path: string): string {
  return inflateRawSync(output.readBytes(path)).toString('utf8')
}
