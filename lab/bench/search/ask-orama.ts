import { create, insertMultiple, search } from '@orama/orama'
import type { SiteSection } from './sample-queries.ts'

/**
 * Indexes the same sections in Orama, with headings ranked above text and one allowed typing error.
 */
export async function createOrama(
  sections: readonly SiteSection[],
  limit: number,
): Promise<(query: string) => Promise<readonly string[]>> {
  const schema = { url: 'string', title: 'string', heading: 'string', text: 'string' } as const
  const db = create({ schema })
  await insertMultiple(db, [...sections])
  return async (query) => {
    const { hits } = await search(db, {
      term: query,
      properties: ['title', 'heading', 'text'],
      boost: { heading: 3, title: 2 },
      tolerance: 1,
      limit,
    })
    return hits.map(({ document }) => document.url)
  }
}
