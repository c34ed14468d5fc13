/** An index as a build wrote it, read from the folder instead of the network. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { pagePlaces, SearchEngine, type SearchRoot, type ShownPage } from '@octavo/theme'
import type { SiteSection } from './sample-queries.ts'

/** As many as the dialog shows. */
const SHOWN_MAX = 12

export type BuiltIndex = {
  readonly engine: SearchEngine
  readonly sections: readonly SiteSection[]
  /** Bytes and files that were read since it was opened; the root counts. */
  readonly loaded: { bytes: number; files: number }
}

export function openIndex(site: string, scope: string): BuiltIndex {
  const loaded = { bytes: 0, files: 0 }
  const read = (path: string) => {
    const bytes = readFileSync(join(site, path))
    loaded.bytes += bytes.length
    loaded.files += 1
    return inflateRawSync(bytes)
  }
  const root = JSON.parse(read(`_octavo/search/${scope}.bin`).toString()) as SearchRoot
  const engine = new SearchEngine(root, async (file) => read(`${root.folder}/${file}.bin`))
  const sections = pagePlaces(root).flatMap(({ file, index }) => {
    const bytes = readFileSync(join(site, `${root.folder}/${file}.bin`))
    const pages = JSON.parse(inflateRawSync(bytes).toString()) as readonly ShownPage[]
    const page = pages[index]
    return page === undefined ? [] : sectionsOf(page)
  })
  return { engine, sections, loaded }
}

function sectionsOf({ url, title, sections }: ShownPage): readonly SiteSection[] {
  return sections.map(([id, heading, text]) => ({
    url: id === '' ? url : `${url}#${id}`,
    ...{ title, heading: heading === '' ? title : heading, text },
  }))
}

export function scopesOf(site: string): readonly string[] {
  return readdirSync(join(site, '_octavo/search')).map((name) => name.replace('.bin', ''))
}

/** Addresses of what is shown for a query, in the order in which it is shown. */
export async function askOctavo({ engine }: BuiltIndex, query: string): Promise<readonly string[]> {
  const { hits } = await engine.search(query, SHOWN_MAX)
  return hits.map(({ page, section }) => {
    const id = page.sections[section]?.[0] ?? ''
    return id === '' ? page.url : `${page.url}#${id}`
  })
}
