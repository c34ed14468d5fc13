/**
 * Collects the initial context for a model in one call, because a library may be in another
 * process.
 */
import type { LibraryContext, SiteLibrary, WantedContext } from './site-library.ts'

type Library = Pick<SiteLibrary, 'search' | 'findPage' | 'read' | 'pages'>

export async function findContext(
  question: string,
  { sections, url, pages: wanted }: WantedContext,
  library: Library,
): Promise<LibraryContext> {
  const found = await library.search(question, sections)
  const { pages } = await library.pages(wanted)
  const { page } = url === undefined ? {} : await library.findPage(url)
  const text = page && (await library.read(page.url))
  return { found, pages, current: page && text ? { page, text } : undefined }
}
