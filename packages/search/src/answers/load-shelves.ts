/** The pages that one reader may read of one scope, by access label, with the index of each label. */
import { mayRead, type Reader, type SearchRootPlace } from '@octavo/model'
import { addSynonyms } from '../engine/add-synonyms.ts'
import { SearchEngine } from '../engine/search-engine.ts'
import { PAGES_PER_FOLDER, type SearchRoot } from '../format/index-format.ts'
import { type LanguageWords, languageWords } from '../words/language-words.ts'
import { type DeploymentReader, readAs } from './deployment-reader.ts'
import { inflate } from './inflate.ts'
import { type PageSections, parseSections } from './parse-sections.ts'
import type { LibrarySection } from './site-library.ts'

/** What a reader asks of a deployment. */
export type ScopeView = {
  /** Pages of one language and version, as `search` of the manifest names them; else its first. */
  readonly scope?: string | undefined
  readonly reader: Reader
}

/** Bytes of a file of the index, no longer compressed. */
const INDEX_FILE_MAX = 64 * 1024 * 1024
/** A question has words that no answer repeats. */
const QUESTION_STRICTNESS = 1
/** Files that are read at once. */
const READS_MAX = 16

/** All labels of one scope that the reader may read. Nothing else is loaded. */
export async function loadShelves(
  deployment: DeploymentReader,
  view: ScopeView,
): Promise<readonly Shelf[]> {
  const { search } = deployment.root
  const scope = view.scope ?? search[0]?.scope
  const places = search.filter(
    (place) => place.scope === scope && mayRead(view.reader, place.access),
  )
  const opened = await Promise.all(places.map((place) => loadShelf(deployment, view, place)))
  return opened.flatMap((shelf) => shelf ?? [])
}

/** Pages with the same access label. */
export type Shelf = {
  readonly language: LanguageWords
  readonly engine: SearchEngine
  readonly pages: readonly PageSections[]
  /** In the order of the index. */
  readonly sections: readonly LibrarySection[]
}

/** The pages of one label and scope; nothing if the reader may not read them. */
export async function loadShelf(
  deployment: DeploymentReader,
  { reader }: ScopeView,
  { path }: SearchRootPlace,
): Promise<Shelf | undefined> {
  const read = async (file: string) => readAs(reader, deployment, file)
  const readIndex = async (file: string) => inflate(await required(read, file), INDEX_FILE_MAX)
  const packed = await read(path)
  if (packed === undefined) return undefined
  const decoder = new TextDecoder()
  const root = JSON.parse(decoder.decode(await inflate(packed, INDEX_FILE_MAX))) as SearchRoot
  const folder = root.folder.replace(/^\//, '')
  const engine = new SearchEngine(root, (file) => readIndex(`${folder}/${file}.bin`), {
    addRelated: addSynonyms(root.language),
    strictness: QUESTION_STRICTNESS,
  })
  const numbers = new Set(root.runs.flatMap(foldersOf))
  const files = new Map<number, readonly PageSections[]>()
  for (const part of chunks([...numbers], READS_MAX)) {
    await Promise.all(
      part.map(async (number) => {
        const file = `${deployment.root.sections}${labelFolder(path)}${number}.json`
        files.set(number, parseSections(decoder.decode(await required(read, file))))
      }),
    )
  }
  const pages = root.runs.flatMap(([first, count]) =>
    Array.from({ length: count }, (_, index) => {
      const place = first + index
      const page = files.get(Math.floor(place / PAGES_PER_FOLDER))?.[place % PAGES_PER_FOLDER]
      if (page === undefined) throw new Error(`The sections of page ${place} are missing.`)
      return page
    }),
  )
  const { language = languageWords('') } = root
  return { language, engine, pages, sections: pages.flatMap(({ sections }) => sections) }
}

type Read = (file: string) => Promise<Uint8Array | undefined>

async function required(read: Read, file: string): Promise<Uint8Array> {
  const bytes = await read(file)
  if (bytes === undefined) throw new Error(`The deployment has no file ${file}.`)
  return bytes
}

function foldersOf([first, count]: readonly [first: number, count: number]): readonly number[] {
  const from = Math.floor(first / PAGES_PER_FOLDER)
  const to = Math.floor((first + count - 1) / PAGES_PER_FOLDER)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Names of scopes have no underscore: what stands behind it names the label. */
function labelFolder(path: string): string {
  const name = /_([^_/]+)\.bin$/.exec(path.slice(path.lastIndexOf('/')))?.[1]
  return name === undefined ? '' : `${name}/`
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
