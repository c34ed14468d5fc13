/** Opens several search indexes as one. Loaded only on sites with access labels. */
import { JoinedSearch } from '@octavo/search/joined-search'
import type { OpenIndex } from './search-session.ts'

export async function openJoined(
  urls: string,
  open: (url: string) => Promise<OpenIndex>,
): Promise<OpenIndex> {
  const [first = '', ...others] = urls.trim().split(' ')
  const opened = await open(first)
  const more = await Promise.all(others.map(open))
  return { ...opened, engine: new JoinedSearch([opened, ...more].map(({ engine }) => engine)) }
}
