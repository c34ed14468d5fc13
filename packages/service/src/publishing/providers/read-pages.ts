import type { ApiFailure, ApiReply } from './call-api.ts'

/** Pages of a list that are read. A repository with more open pull requests than this is cut off. */
const PAGES_MAX = 20

/** Reads a list to its end, page by page. */
export async function readPages<Item>(
  read: (page: number) => Promise<ApiReply<readonly Item[]> | ApiFailure>,
): Promise<readonly Item[] | ApiFailure> {
  const items: Item[] = []
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const reply = await read(page)
    if (reply.kind === 'failed') return reply
    items.push(...reply.data)
    if (!reply.hasNext) break
  }
  return items
}
