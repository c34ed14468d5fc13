/** Opens a built search index from a folder instead of the network. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { type IndexedPage, PageFiles, SearchEngine, type SearchRoot } from '@octavo/search'
import type { SiteSection } from './sample-queries.ts'

/** The number of results that the search dialog shows. */
const SHOWN_MAX = 12

export type BuiltIndex = {
  readonly engine: SearchEngine
  /** Reads the sections of all pages from their files. */
  readonly readSections: () => readonly SiteSection[]
  /** The bytes and files that were read since the index was opened, including its root. */
  readonly loaded: { bytes: number; files: number }
}

export function openIndex(site: string, scope: string): BuiltIndex {
  const { root, read, loaded } = openRoot(site, scope)
  const engine = new SearchEngine(root, async (file) => read(`${root.folder}/${file}.bin`))
  const readSections = () => {
    const { read: readAgain } = openRoot(site, scope)
    const files = new PageFiles(root)
    return root.sections.flatMap((_, page) => {
      const text = readAgain(`${root.folder}/${files.of(page)}.bin`).toString()
      return sectionsOf(JSON.parse(text) as IndexedPage)
    })
  }
  return { engine, readSections, loaded }
}

function openRoot(site: string, scope: string) {
  const loaded = { bytes: 0, files: 0 }
  const read = (path: string) => {
    const bytes = readFileSync(join(site, path))
    loaded.bytes += bytes.length
    loaded.files += 1
    return inflateRawSync(bytes)
  }
  const root = JSON.parse(read(`_octavo/search/${scope}.bin`).toString()) as SearchRoot
  return { root, read, loaded }
}

function sectionsOf({ url, title, sections }: IndexedPage): readonly SiteSection[] {
  return sections.map(([id, heading, text]) => ({
    url: id === '' ? url : `${url}#${id}`,
    title,
    heading: heading === '' ? title : heading,
    text,
  }))
}

function scopesOf(site: string): readonly string[] {
  return readdirSync(join(site, '_octavo/search')).map((name) => name.replace('.bin', ''))
}

/**
 * Returns the scope for English, or else the one for readers without a version, or else the one
 * with the largest index.
 */
export function mainScope(site: string): string {
  const scopes = scopesOf(site)
  return ['en', 'all'].find((name) => scopes.includes(name)) ?? largestScope(site)
}

/** Returns the path of the first page in the largest index. */
export function firstPath(site: string): string {
  const { root, read } = openRoot(site, largestScope(site))
  const file = new PageFiles(root).of(0)
  return (JSON.parse(read(`${root.folder}/${file}.bin`).toString()) as IndexedPage).url
}

export function largestScope(site: string): string {
  const size = (scope: string) => statSync(join(site, `_octavo/search/${scope}.bin`)).size
  return scopesOf(site).toSorted((a, b) => size(b) - size(a))[0] ?? ''
}

/** Returns the URLs that are shown for a query, in their order. */
export async function askOctavo(
  { engine }: BuiltIndex,
  query: string,
  limit = SHOWN_MAX,
): Promise<readonly string[]> {
  const { hits } = await engine.search(query, limit)
  return hits.map(({ page, section }) => {
    const id = page.sections[section]?.[0] ?? ''
    return id === '' ? page.url : `${page.url}#${id}`
  })
}
