import MiniSearch from 'minisearch'
import type { SiteSection } from './sample-queries.ts'

type Ask = (query: string) => readonly string[]

/**
 * Indexes the same sections in MiniSearch, with headings ranked above text: once with its defaults
 * and once with the options of its examples.
 */
export function createMiniSearch(
  sections: readonly SiteSection[],
  limit: number,
): { readonly exact: Ask; readonly forgiving: Ask } {
  const index = new MiniSearch<SiteSection>({
    idField: 'url',
    fields: ['title', 'heading', 'text'],
    searchOptions: { boost: { heading: 3, title: 2 } },
  })
  const byUrl = new Map(sections.map((section) => [section.url, section]))
  index.addAll([...byUrl.values()])
  const ask = (query: string, options: Parameters<typeof index.search>[1]) =>
    index
      .search(query, options)
      .slice(0, limit)
      .map(({ id }) => String(id))
  return {
    exact: (query) => ask(query, {}),
    forgiving: (query) => ask(query, { prefix: true, fuzzy: 0.2 }),
  }
}
