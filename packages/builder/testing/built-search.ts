/** Searches the index of a built site as a browser does. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { SearchEngine, type SearchRoot } from '@octavo/search'
import type { TemporarySite } from './temporary-site.ts'

/** Returns the URLs of the results, best first. */
export async function askSite(
  { root: folder }: TemporarySite,
  scope: string,
  query: string,
): Promise<readonly string[]> {
  const read = (path: string) => inflateRawSync(readFileSync(join(folder, 'out', path)))
  const root = JSON.parse(read(`_octavo/search/${scope}.bin`).toString()) as SearchRoot
  const engine = new SearchEngine(root, async (file) => read(`${root.folder}/${file}.bin`))
  const { hits } = await engine.search(query)
  return hits.map(({ page, section }) => {
    const id = page.sections[section]?.[0] ?? ''
    return id === '' ? page.url : `${page.url}#${id}`
  })
}
