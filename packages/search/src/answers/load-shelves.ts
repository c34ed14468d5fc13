/**
 * Loads the pages of one scope that a reader has access to, grouped by access label, with the index
 * of each label.
 */
import { mayRead, type Reader, type SearchRootPlace } from '@octavo/model'
import { addSynonyms } from '../engine/add-synonyms.ts'
import { type AddRelated, SearchEngine } from '../engine/search-engine.ts'
import { checkTerms } from '../format/check-terms.ts'
import { PAGES_PER_FOLDER } from '../format/index-format.ts'
import { INDEX_LIMITS } from '../format/index-limits.ts'
import { parseSearchRoot } from '../format/parse-search-root.ts'
import { UnreadableIndex } from '../format/unreadable-index.ts'
import type { LanguageWords } from '../words/language-words.ts'
import { synonymGroups } from '../words/word-synonyms.ts'
import { type LibraryFiles, readAs } from './deployment-reader.ts'
import { type Inflate, inflate, inflatedSizeMax } from './inflate.ts'
import { FileCache } from './kept-files.ts'
import { LIBRARY_LIMITS, LibraryMeter } from './library-meter.ts'
import type { Pause } from './pace.ts'
import { type PageSections, parseSections } from './parse-sections.ts'
import type { LibrarySection } from './site-library.ts'

/** The scope of a deployment to open, and the reader for whom it is opened. */
export type ScopeView = {
  /** A language and version, as named in the manifest's `search`; by default the first one. */
  readonly scope?: string | undefined
  readonly reader: Reader
  /** Decompresses index files; by default with the API that browsers have. */
  readonly inflate?: Inflate | undefined
  /** Called periodically during long tasks. */
  readonly pause?: Pause | undefined
  /** Maximum estimated memory of the pages and sections. */
  readonly heldBytesMax?: number | undefined
}

/**
 * Strictness for questions. It is lower than for search, because an answer does not repeat all
 * words of its question.
 */
const QUESTION_STRICTNESS = 1
/** Quality of a match of a synonym relative to a match of the word itself. */
const SYNONYM_QUALITY = 0.5
/** Maximum concurrent reads. */
const READS_MAX = 16

/**
 * Loads the pages of one scope for each access label that the reader may read, and no other pages.
 */
export async function loadShelves(
  deployment: LibraryFiles,
  view: ScopeView,
  meter = new LibraryMeter(view.heldBytesMax),
): Promise<readonly Shelf[]> {
  const { search } = deployment.root
  const scope = view.scope ?? search[0]?.scope
  const places = search.filter(
    (place) => place.scope === scope && mayRead(view.reader, place.access),
  )
  const shelves: Shelf[] = []
  for (const place of places) {
    const shelf = await loadShelf(deployment, { ...view, meter }, place)
    if (shelf !== undefined) shelves.push(shelf)
  }
  return shelves
}

/** Pages with the same access label. */
export type Shelf = {
  readonly language: LanguageWords
  readonly engine: SearchEngine
  readonly kept: Pick<FileCache, 'heldBytes'>
  readonly pages: readonly PageSections[]
  /** The sections in the order of the index. */
  readonly sections: readonly LibrarySection[]
}

/**
 * Loads the pages of one access label and scope. Returns undefined if the reader may not read them.
 */
async function loadShelf(
  deployment: LibraryFiles,
  { reader, meter, inflate: inflateBytes = inflate }: ScopeView & { readonly meter: LibraryMeter },
  { path }: SearchRootPlace,
): Promise<Shelf | undefined> {
  const read = async (file: string, bytesMax: number) => {
    const bytes = await readAs(reader, deployment, { path: file, bytesMax })
    meter.read(bytes?.length ?? 0)
    return bytes
  }
  const unpack = async (packed: Uint8Array, sizeMax: number) => {
    const bytes = await inflateBytes(packed, inflatedSizeMax(packed.length, sizeMax))
    meter.read(bytes.length)
    return bytes
  }
  const packed = await read(path, INDEX_LIMITS.rootBytesMax)
  if (packed === undefined) return undefined
  const decoder = new TextDecoder()
  const text = decoder.decode(await unpack(packed, INDEX_LIMITS.rootBytesMax))
  const root = parseSearchRoot(text, { pagesMax: countFiles(deployment) })
  const folder = root.folder.replace(/^\//, '')
  const loadFile = async (file: string) => {
    const name = `${folder}/${file}.bin`
    const wanted = { path: name, bytesMax: INDEX_LIMITS.fileBytesMax }
    // The meter does not count these files: the engine reads them repeatedly and caches only a few.
    const bytes = required(await readAs(reader, deployment, wanted), name)
    const plain = await inflateBytes(
      bytes,
      inflatedSizeMax(bytes.length, INDEX_LIMITS.fileBytesMax),
    )
    checkTerms(plain)
    kept.count(file, plain.length)
    return plain
  }
  const kept = new FileCache()
  const engine = new SearchEngine(root, loadFile, {
    files: kept,
    words: kept.words,
    addRelated: relatedWords(root.language),
    strictness: QUESTION_STRICTNESS,
  })
  const numbers = new Set(root.runs.flatMap(foldersOf))
  const files = new Map<number, readonly PageSections[]>()
  for (const part of chunks([...numbers], READS_MAX)) {
    await Promise.all(
      part.map(async (number) => {
        const file = `${deployment.root.sections}${labelFolder(path)}${number}.json`
        const bytes = required(await read(file, LIBRARY_LIMITS.sectionsFileBytesMax), file)
        files.set(number, parseSections(decoder.decode(bytes), meter))
      }),
    )
  }
  const pages = root.runs.flatMap(([first, count]) =>
    Array.from({ length: count }, (_, index) => {
      const place = first + index
      const page = files.get(Math.floor(place / PAGES_PER_FOLDER))?.[place % PAGES_PER_FOLDER]
      if (page === undefined)
        throw new UnreadableIndex(`The sections of page ${place} are missing.`)
      return page
    }),
  )
  for (const [page, count] of root.sections.entries())
    if (pages[page]?.sections.length !== count)
      throw new UnreadableIndex(
        `The sections of page ${page} differ between the index and its sections file.`,
      )
  const sections = pages.flatMap((page) => page.sections)
  return { language: root.language, engine, kept, pages, sections }
}

const countFiles = ({ root }: LibraryFiles) => root.runs.reduce((sum, { count }) => sum + count, 0)

function required(bytes: Uint8Array | undefined, file: string): Uint8Array {
  if (bytes === undefined)
    throw new UnreadableIndex(`The deployment has no file ${file.slice(0, 200)}.`)
  return bytes
}

function foldersOf([first, count]: readonly [first: number, count: number]): readonly number[] {
  const from = Math.floor(first / PAGES_PER_FOLDER)
  const to = Math.floor((first + count - 1) / PAGES_PER_FOLDER)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/**
 * Returns the folder of the access label in an index path. The label follows the only underscore of
 * the file name, because scope names contain none.
 */
function labelFolder(path: string): string {
  const name = /_([^_/]+)\.bin$/.exec(path.slice(path.lastIndexOf('/')))?.[1]
  return name === undefined ? '' : `${name}/`
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

function relatedWords(language: LanguageWords): AddRelated {
  const groups = synonymGroups(language)
  return addSynonyms({ groups, endings: language.endings, quality: SYNONYM_QUALITY })
}
